package io.quantail.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.CriticConfig;
import io.quantail.testing.FiniteDifferences;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The larger of two losses: each of them in turn, and the limit that changes nothing. */
@Requirement({"VFC-1", "TWIN-2"})
class ClippedLossTest {
  private static final int OFFSET = 2;
  private static final int OLD_OFFSET = 1;
  private static final double WEIGHT = 0.3;
  private static final float[] OLD = {9, -0.8f, -0.6f, 0, 0.4f, 1.1f};
  private static final float[] FAR = {9, 9, 0.2f, 0.4f, 1.7f, 2.4f, 4.1f};
  private static final float[] NEAR = {9, 9, -0.83f, -0.57f, 0.03f, 0.45f, 1.08f};
  private static final float[] FAR_LOGITS = {9, 9, -2, -1, 0.1f, 1.2f, 1.9f};

  @ParameterizedTest
  @EnumSource(
      value = CriticConfig.ClipMode.class,
      names = "DISABLE",
      mode = EnumSource.Mode.EXCLUDE)
  void shouldHaveTheLargerLossAndItsGradient(CriticConfig.ClipMode mode) {
    ValueClip clip = new ValueClip(mode, 0.2, 1.2);
    Critic critic = new QuantileCritic(5, 0.5);
    check(clip, critic, FAR, 3.3f, true, true); // towards the target: the limit holds it back
    check(clip, critic, FAR, -2.7f, true, false); // away from it
    check(clip, critic, NEAR, 0.9f, false, false);
  }

  @Test
  void shouldHaveTheLargerLossAndItsGradientForACategoricalCritic() {
    ValueClip clip = new ValueClip(CriticConfig.ClipMode.MEAN_ONLY, 0.1, 1);
    Critic critic = new CategoricalCritic(5, 2);
    check(clip, critic, FAR_LOGITS, 1.7f, true, true);
    check(clip, critic, FAR_LOGITS, -1.9f, true, false);
    check(clip, critic, NEAR, -0.3f, false, false);
  }

  private static void check(
      ValueClip clip,
      Critic critic,
      float[] outputs,
      float target,
      boolean active,
      boolean binding) {
    float[] limited = new float[5];
    boolean changed = clip.apply(critic, outputs, OFFSET, OLD, OLD_OFFSET, limited);
    double free = critic.loss(outputs, OFFSET, new float[] {target}, 0, 1, 1, new float[7]);
    double clipped = critic.loss(limited, 0, new float[] {target}, 0, 1, 1, new float[5]);
    assertThat(changed).isEqualTo(active);
    assertThat(clipped > free + 1e-3).isEqualTo(binding);

    ClippedLoss loss = new ClippedLoss(clip, critic);
    float[] gradient = new float[7];
    double larger =
        loss.evaluate(
            outputs, OFFSET, OLD, OLD_OFFSET, new float[] {target}, 0, 1, WEIGHT, gradient);
    assertThat(larger).isEqualTo(binding ? clipped : free);
    assertThat(gradient).startsWith(0, 0);
    ClippedLoss.Reading reading = loss.reading();
    assertThat(reading.freeLoss()).isEqualTo(free);
    assertThat(reading.clippedLoss()).isEqualTo(active ? clipped : free);
    assertThat(reading.active()).isEqualTo(active ? 1 : 0);
    assertThat(reading.binding()).isEqualTo(binding ? 1 : 0);

    float[] numbers = outputs.clone();
    FiniteDifferences.require(
        () -> WEIGHT * value(clip, critic, numbers, target),
        numbers,
        OFFSET,
        5,
        gradient,
        0x1p-8,
        2e-4);
  }

  private static double value(ValueClip clip, Critic critic, float[] outputs, float target) {
    return new ClippedLoss(clip, critic)
        .evaluate(outputs, OFFSET, OLD, OLD_OFFSET, new float[] {target}, 0, 1, 1, new float[7]);
  }

  @Test
  void shouldAverageItsReadingOverSamples() {
    ValueClip clip = new ValueClip(CriticConfig.ClipMode.MEAN_ONLY, 0.2, 1);
    ClippedLoss loss = new ClippedLoss(clip, new QuantileCritic(5, 0.5));
    double sum = 0;
    for (float target : new float[] {3.3f, -2.7f}) {
      sum +=
          loss.evaluate(FAR, OFFSET, OLD, OLD_OFFSET, new float[] {target}, 0, 1, 1, new float[7]);
    }
    for (float target : new float[] {3.3f, -2.7f}) {
      sum +=
          loss.evaluate(NEAR, OFFSET, OLD, OLD_OFFSET, new float[] {target}, 0, 1, 1, new float[7]);
    }
    ClippedLoss.Reading reading = loss.reading();
    assertThat(reading.active()).isEqualTo(0.5);
    assertThat(reading.binding()).isEqualTo(0.25);
    assertThat(sum / 4)
        .isLessThan(reading.freeLoss() + reading.clippedLoss())
        .isGreaterThan(Math.max(reading.freeLoss(), reading.clippedLoss()));
    assertThat(reading.freeLoss()).isNotCloseTo(reading.clippedLoss(), within(1e-3));
  }
}
