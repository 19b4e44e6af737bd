package io.quantail.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.CriticConfig;
import io.quantail.testing.FiniteDifferences;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Requirement("VFC-1")
class ValueClipTest {
  private static final int SAMPLES = 6;
  private static final int WIDTH = 5;
  private static final int OFFSET = 2;
  private static final int OLD_OFFSET = 1;
  private static final Critic QUANTILES = new QuantileCritic(WIDTH, 1);
  private static final Critic ATOMS = new CategoricalCritic(WIDTH, 2);

  /**
   * Around an old prediction with mean 0 and standard deviation 0.632: nothing is limited, the mean
   * is too high or too low, the deviation too large, or both.
   */
  @ParameterizedTest
  @CsvSource({
    "MEAN_ONLY, 0.05, 1, false",
    "MEAN_ONLY, 0.5, 1, true",
    "MEAN_ONLY, -0.9, 3, true",
    "MEAN_AND_VARIANCE, 0.05, 1, false",
    "MEAN_AND_VARIANCE, 0.5, 1, true",
    "MEAN_AND_VARIANCE, -0.5, 1, true",
    "MEAN_AND_VARIANCE, 0.05, 2.5, true",
    "MEAN_AND_VARIANCE, -0.7, 2.5, true",
    "PER_QUANTILE, 0.05, 1, false",
    "PER_QUANTILE, 0.05, 2.5, true",
    "PER_QUANTILE, -0.9, 1, true"
  })
  void shouldHaveTheGradientOfFiniteDifferences(
      CriticConfig.ClipMode mode, double shift, double stretch, boolean changes) {
    float[] old = {9, -0.8f, -0.6f, 0, 0.4f, 1};
    float[] outputs = new float[OFFSET + WIDTH];
    for (int i = 0; i < WIDTH; i++) {
      outputs[OFFSET + i] = (float) (stretch * old[OLD_OFFSET + i] + shift + 0.01 * (i - 2));
    }
    ValueClip clip = new ValueClip(mode, 0.2, 1.2);
    assertThat(clip.apply(QUANTILES, outputs, OFFSET, old, OLD_OFFSET, new float[WIDTH]))
        .isEqualTo(changes);
    requireGradient(clip, QUANTILES, outputs, old, 1e-4);
  }

  @ParameterizedTest
  @CsvSource({"0.05, false", "0.9, true", "-0.7, true"})
  void shouldHaveTheGradientOfFiniteDifferencesForACategoricalCritic(double tilt, boolean changes) {
    float[] old = {9, 0.3f, -0.2f, 0.1f, 0.6f, -0.4f};
    float[] outputs = new float[OFFSET + WIDTH];
    for (int i = 0; i < WIDTH; i++) {
      outputs[OFFSET + i] = (float) (old[OLD_OFFSET + i] + tilt * (i - 2));
    }
    ValueClip clip = new ValueClip(CriticConfig.ClipMode.MEAN_ONLY, 0.1, 1);
    assertThat(clip.apply(ATOMS, outputs, OFFSET, old, OLD_OFFSET, new float[WIDTH]))
        .isEqualTo(changes);
    requireGradient(clip, ATOMS, outputs, old, 5e-4);
  }

  private static void requireGradient(
      ValueClip clip, Critic critic, float[] outputs, float[] old, double tolerance) {
    float[] weights = Samples.floats(WIDTH, 8);
    float[] gradient = new float[outputs.length];
    Arrays.fill(gradient, 7); // what was there does not matter
    clip.gradient(critic, outputs, OFFSET, old, OLD_OFFSET, weights, gradient);
    assertThat(gradient).startsWith(7, 7);
    float[] limited = new float[WIDTH];
    FiniteDifferences.require(
        () -> {
          clip.apply(critic, outputs, OFFSET, old, OLD_OFFSET, limited);
          return Samples.weighed(limited, weights);
        },
        outputs,
        OFFSET,
        WIDTH,
        gradient,
        0x1p-8,
        tolerance);
  }

  @ParameterizedTest
  @EnumSource(
      value = CriticConfig.ClipMode.class,
      names = "DISABLE",
      mode = EnumSource.Mode.EXCLUDE)
  void shouldClipLikeALoop(CriticConfig.ClipMode mode) {
    double range = 0.4;
    double factor = 1.1;
    int active = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
      float[] outputs = Samples.floats(OFFSET + WIDTH, 40 + sample);
      float[] old = Samples.floats(OLD_OFFSET + WIDTH, 50 + sample);
      float[] limited = new float[WIDTH];
      boolean reported =
          new ValueClip(mode, range, factor)
              .apply(QUANTILES, outputs, OFFSET, old, OLD_OFFSET, limited);
      double[] expected = loop(mode, outputs, old, range, factor);
      boolean changed = false;
      for (int i = 0; i < WIDTH; i++) {
        assertThat((double) limited[i]).isCloseTo(expected[i], within(1e-6));
        changed |= Math.abs(expected[i] - outputs[OFFSET + i]) > 1e-6;
      }
      assertThat(reported).as("sample %d", sample).isEqualTo(changed);
      active += changed ? 1 : 0;
    }
    assertThat(active).isPositive();
  }

  private static double[] loop(
      CriticConfig.ClipMode mode, float[] outputs, float[] old, double range, double factor) {
    double mean = mean(outputs, OFFSET);
    double oldMean = mean(old, OLD_OFFSET);
    double newMean = Math.max(oldMean - range, Math.min(oldMean + range, mean));
    double ratio = factor * deviation(old, OLD_OFFSET) / deviation(outputs, OFFSET);
    double[] result = new double[WIDTH];
    for (int i = 0; i < WIDTH; i++) {
      double now = outputs[OFFSET + i];
      double before = old[OLD_OFFSET + i];
      result[i] =
          switch (mode) {
            case DISABLE -> now;
            case PER_QUANTILE -> Math.max(before - range, Math.min(before + range, now));
            case MEAN_ONLY -> now + newMean - mean;
            case MEAN_AND_VARIANCE -> newMean + (now - mean) * Math.min(1, ratio);
          };
    }
    return result;
  }

  private static double mean(float[] values, int offset) {
    double sum = 0;
    for (int i = 0; i < WIDTH; i++) {
      sum += values[offset + i];
    }
    return sum / WIDTH;
  }

  private static double deviation(float[] values, int offset) {
    double mean = mean(values, offset);
    double squares = 0;
    for (int i = 0; i < WIDTH; i++) {
      squares += (values[offset + i] - mean) * (values[offset + i] - mean);
    }
    return Math.sqrt(squares / WIDTH + 1e-8);
  }

  @Test
  void shouldKeepTheShapeWhenOnlyTheMeanIsLimited() {
    float[] outputs = {1, 2, 4, 8, 16};
    float[] old = {-2, -1, 1, 5, 13};
    float[] limited = new float[WIDTH];
    new ValueClip(CriticConfig.ClipMode.MEAN_ONLY, 0.5, 1)
        .apply(QUANTILES, outputs, 0, old, 0, limited);
    assertThat(limited)
        .containsExactly(new float[] {-1.5f, -0.5f, 1.5f, 5.5f, 13.5f}, within(1e-6f));
  }

  @ParameterizedTest
  @EnumSource(
      value = CriticConfig.ClipMode.class,
      names = "DISABLE",
      mode = EnumSource.Mode.EXCLUDE)
  void shouldLeaveSmallMovesAlone(CriticConfig.ClipMode mode) {
    float[] old = {0.1f, 0.2f, 0.35f, 0.8f, 1.3f};
    float[] near = {0.15f, 0.17f, 0.4f, 0.9f, 1.2f};
    float[] limited = new float[WIDTH];
    assertThat(new ValueClip(mode, 0.2, 2).apply(QUANTILES, near, 0, old, 0, limited)).isFalse();
    assertThat(limited).containsExactly(near, within(1e-7f));
  }

  @Test
  void shouldMoveCategoricalMeansToTheEdgeOfTheRange() {
    Critic critic = new CategoricalCritic(51, 10);
    float[] logits = new float[51];
    float[] old = new float[51];
    for (int i = 0; i < 51; i++) {
      logits[i] = -0.1f * (i - 30) * (i - 30);
      old[i] = -0.1f * (i - 20) * (i - 20);
    }
    ValueClip clip = new ValueClip(CriticConfig.ClipMode.MEAN_ONLY, 0.7, 1);
    float[] limited = new float[51];
    assertThat(clip.apply(critic, logits, 0, old, 0, limited)).isTrue();
    assertThat(critic.mean(limited, 0)).isCloseTo(critic.mean(old, 0) + 0.7, within(1e-5));
  }

  @Test
  void shouldRefuseAModeThatLimitsNothing() {
    assertThatThrownBy(() -> new ValueClip(CriticConfig.ClipMode.DISABLE, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
