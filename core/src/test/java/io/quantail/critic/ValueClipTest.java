package io.quantail.critic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.ValueClipMode;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Requirement("VFC-1")
class ValueClipTest {
  private static final int ROWS = 6;
  private static final int WIDTH = 5;
  private static final Critic QUANTILES = new QuantileCritic(WIDTH, 1);
  private static final Critic ATOMS = new CategoricalCritic(WIDTH, 2);

  private Scope scope;

  @BeforeEach
  void openScope() {
    scope = Scope.open();
  }

  @AfterEach
  void closeScope() {
    scope.close();
  }

  @ParameterizedTest
  @EnumSource(value = ValueClipMode.class, names = "DISABLE", mode = EnumSource.Mode.EXCLUDE)
  void shouldDifferentiateTheLoss(ValueClipMode mode) {
    ValueClip clip = new ValueClip(mode, 0.2, 1.2);
    double[] outputs = Samples.gaussian(ROWS * WIDTH, 1);
    Tensor old = matrix(Samples.gaussian(ROWS * WIDTH, 2)).mul(0.5);
    Tensor targets = Tensor.of(Samples.gaussian(ROWS, 3), ROWS);
    Samples.requireGradient(
        leaf -> clip.loss(QUANTILES, leaf.reshape(ROWS, WIDTH), old, targets).clipped().sum(),
        outputs,
        1e-6);
    Samples.requireGradient(
        leaf -> clip.loss(QUANTILES, leaf.reshape(ROWS, WIDTH), old, targets).larger().sum(),
        outputs,
        1e-6);
  }

  @Test
  void shouldDifferentiateTheCategoricalLoss() {
    ValueClip clip = new ValueClip(ValueClipMode.MEAN_ONLY, 0.1, 1);
    Tensor old = matrix(Samples.gaussian(ROWS * WIDTH, 2));
    Tensor targets = Tensor.of(Samples.gaussian(ROWS, 3), ROWS);
    Samples.requireGradient(
        leaf -> clip.loss(ATOMS, leaf.reshape(ROWS, WIDTH), old, targets).larger().sum(),
        Samples.gaussian(ROWS * WIDTH, 1),
        1e-6);
  }

  @ParameterizedTest
  @EnumSource(value = ValueClipMode.class, names = "DISABLE", mode = EnumSource.Mode.EXCLUDE)
  void shouldClipLikeALoop(ValueClipMode mode) {
    double range = 0.4;
    double factor = 1.1;
    double[] outputs = Samples.gaussian(ROWS * WIDTH, 4);
    double[] old = Samples.gaussian(ROWS * WIDTH, 5);
    ValueClip.Clipped clipped =
        new ValueClip(mode, range, factor).clip(QUANTILES, matrix(outputs), matrix(old));
    double[] actual = clipped.outputs().doubles();
    double[] active = clipped.active().doubles();
    for (int row = 0; row < ROWS; row++) {
      double[] now = Arrays.copyOfRange(outputs, row * WIDTH, (row + 1) * WIDTH);
      double[] before = Arrays.copyOfRange(old, row * WIDTH, (row + 1) * WIDTH);
      double[] expected = loop(mode, now, before, range, factor);
      assertThat(Arrays.copyOfRange(actual, row * WIDTH, (row + 1) * WIDTH))
          .containsExactly(expected, within(1e-9));
      boolean changed = false;
      for (int i = 0; i < WIDTH; i++) {
        changed |= Math.abs(expected[i] - now[i]) > 1e-9;
      }
      assertThat(active[row]).as("row %d", row).isEqualTo(changed ? 1 : 0);
    }
  }

  private static double[] loop(
      ValueClipMode mode, double[] now, double[] before, double range, double factor) {
    double mean = Arrays.stream(now).average().orElseThrow();
    double oldMean = Arrays.stream(before).average().orElseThrow();
    double newMean = Math.max(oldMean - range, Math.min(oldMean + range, mean));
    double ratio = factor * deviation(before, oldMean) / deviation(now, mean);
    double[] result = new double[now.length];
    for (int i = 0; i < now.length; i++) {
      result[i] =
          switch (mode) {
            case DISABLE -> now[i];
            case PER_QUANTILE -> Math.max(before[i] - range, Math.min(before[i] + range, now[i]));
            case MEAN_ONLY -> now[i] + newMean - mean;
            case MEAN_AND_VARIANCE -> newMean + (now[i] - mean) * Math.min(1, ratio);
          };
    }
    return result;
  }

  private static double deviation(double[] values, double mean) {
    return Math.sqrt(
        Arrays.stream(values).map(x -> (x - mean) * (x - mean)).average().orElseThrow() + 1e-8);
  }

  @Test
  void shouldKeepTheShapeWhenOnlyTheMeanIsLimited() {
    Tensor outputs = matrix(Samples.gaussian(ROWS * WIDTH, 6));
    Tensor old = outputs.add(-3);
    ValueClip.Clipped clipped =
        new ValueClip(ValueClipMode.MEAN_ONLY, 0.5, 1).clip(QUANTILES, outputs, old);
    assertThat(clipped.outputs().sub(outputs).add(2.5).abs().sum().item()).isLessThan(1e-12);
  }

  @ParameterizedTest
  @EnumSource(value = ValueClipMode.class, names = "DISABLE", mode = EnumSource.Mode.EXCLUDE)
  void shouldLeaveSmallMovesAlone(ValueClipMode mode) {
    float[] old = {0.1f, 0.2f, 0.35f, 0.8f, 1.3f};
    float[] near = {0.15f, 0.17f, 0.4f, 0.9f, 1.2f};
    ValueClip.Clipped clipped =
        new ValueClip(mode, 0.2, 2)
            .clip(QUANTILES, Tensor.of(near, 1, WIDTH), Tensor.of(old, 1, WIDTH));
    assertThat(clipped.active().item()).isZero();
    assertThat(clipped.outputs().floats()).containsExactly(near, within(1e-7f));
  }

  @Test
  void shouldMoveCategoricalMeansToTheEdgeOfTheRange() {
    Critic critic = new CategoricalCritic(51, 10);
    double[] logits = new double[51];
    double[] old = new double[51];
    Arrays.setAll(logits, i -> -0.1 * (i - 30) * (i - 30));
    Arrays.setAll(old, i -> -0.1 * (i - 20) * (i - 20));
    ValueClip clip = new ValueClip(ValueClipMode.MEAN_ONLY, 0.7, 1);
    ValueClip.Clipped clipped = clip.clip(critic, Tensor.of(logits, 1, 51), Tensor.of(old, 1, 51));
    assertThat(critic.mean(clipped.outputs()).item())
        .isCloseTo(critic.mean(Tensor.of(old, 1, 51)).item() + 0.7, within(1e-5));
    assertThat(clipped.active().item()).isEqualTo(1);
  }

  @Requirement("TWIN-2")
  @Test
  void shouldTakeTheLargerLossOfEachSample() {
    Tensor free = Tensor.of(new double[] {1, 4, 2}, 3);
    Tensor clipped = Tensor.of(new double[] {3, 2, 2}, 3);
    ValueClip.Loss loss = new ValueClip.Loss(free, clipped, free);
    assertThat(loss.larger().doubles()).containsExactly(3, 4, 2);
    assertThat(loss.binding().doubles()).containsExactly(1, 0, 0);
  }

  @Test
  void shouldRefuseAModeThatLimitsNothing() {
    assertThatThrownBy(() -> new ValueClip(ValueClipMode.DISABLE, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Tensor matrix(double[] values) {
    return Tensor.of(values, ROWS, WIDTH);
  }
}
