package io.quantail.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.OptimizerConfig;
import io.quantail.kernel.FloatVectors;
import io.quantail.network.Parameters;
import io.quantail.random.RandomStream;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VarianceGradientScalerTest {
  private static final int SIZE = 100;
  private static final int STEPS = 30;

  @Requirement("VGS-1")
  @Test
  void shouldSeeAnticorrelatedNoise() {
    VarianceGradientScaler scaler = scaler(OptimizerConfig.VgsMeasure.ELEMENTWISE, 0);
    VarianceGradientScaler blind = scaler(OptimizerConfig.VgsMeasure.MEAN, 0);
    for (int step = 0; step < STEPS; step++) {
      scaler.add(anticorrelated(step));
      blind.add(anticorrelated(step));
    }
    assertThat(scaler.normalizedVariance()).isGreaterThan(0.1);
    assertThat(scaler.factor()).isLessThan(0.9);
    assertThat(blind.level().variance()).isLessThan(1e-6);
  }

  @Requirement("VGS-1")
  @Test
  void shouldNotTakeDifferencesBetweenElementsForNoise() {
    float[] gradient = new float[SIZE];
    for (int i = 0; i < SIZE; i++) {
      gradient[i] = (float) Math.pow(-1.3, i % 20);
    }
    VarianceGradientScaler scaler = scaler(OptimizerConfig.VgsMeasure.ELEMENTWISE, 0);
    VarianceGradientScaler pooled = scaler(OptimizerConfig.VgsMeasure.POOLED, 0);
    for (int step = 0; step < 1000; step++) {
      scaler.add(gradient);
      pooled.add(gradient);
    }
    assertThat(scaler.normalizedVariance()).isLessThan(1e-6);
    assertThat(scaler.factor()).isCloseTo(1, within(1e-7));
    assertThat(pooled.normalizedVariance()).isGreaterThan(1);
  }

  @Requirement("VGS-1")
  @ParameterizedTest
  @EnumSource(OptimizerConfig.VgsMeasure.class)
  void shouldSayWhatItMeasures(OptimizerConfig.VgsMeasure measure) {
    VarianceGradientScaler scaler = scaler(measure, 3);
    scaler.add(noisy(1));
    assertThat(scaler.reading(List.of()))
        .isEqualTo(
            new VarianceGradientScaler.Reading(
                measure, scaler.normalizedVariance(), 1, 1, true, List.of()));
  }

  /**
   * The first tensor always gets 2, the second 1 and 3 in turn: variance 1, squared mean 4. The
   * other measures know one number of the whole gradient only.
   */
  @Requirement("VGS-1")
  @ParameterizedTest
  @EnumSource(OptimizerConfig.VgsMeasure.class)
  void shouldMeasureEachTensorAlone(OptimizerConfig.VgsMeasure measure) {
    List<Parameters.Slot> tensors =
        List.of(
            new Parameters.Slot("first", List.of(SIZE - 4L), 0, SIZE - 4),
            new Parameters.Slot("second", List.of(4L), SIZE - 4, 4));
    VarianceGradientScaler scaler = scaler(measure, 0);
    for (int step = 0; step < 4000; step++) {
      float[] gradient = new float[SIZE];
      Arrays.fill(gradient, 2);
      Arrays.fill(gradient, SIZE - 4, SIZE, step % 2 == 0 ? 1 : 3);
      scaler.add(gradient);
    }
    List<Double> noise = scaler.reading(tensors).tensors();
    if (measure == OptimizerConfig.VgsMeasure.ELEMENTWISE) {
      assertThat(noise).hasSize(2);
      assertThat(noise.get(0)).isCloseTo(0, within(1e-9));
      assertThat(noise.get(1)).isCloseTo(1 / 4.0, within(0.01));
    } else {
      assertThat(noise).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(OptimizerConfig.VgsMeasure.class)
  void shouldNotDependOnTheScaleOfGradients(OptimizerConfig.VgsMeasure measure) {
    VarianceGradientScaler plain = scaler(measure, 0);
    VarianceGradientScaler small = scaler(measure, 0);
    for (int step = 0; step < STEPS; step++) {
      plain.add(noisy(step));
      float[] shrunk = noisy(step);
      FloatVectors.scale(shrunk, 1e-6);
      small.add(shrunk);
    }
    assertThat(small.factor()).isCloseTo(plain.factor(), within(1e-5)).isLessThan(1);
  }

  /** The same moments from all weights of the past, in double precision. */
  @Test
  void shouldAgreeWithAPlainSum() {
    double beta = 0.9;
    OptimizerConfig.Vgs config =
        new OptimizerConfig.Vgs(
            true, OptimizerConfig.VgsMeasure.ELEMENTWISE, beta, 0.1, 0, 50, 0.1);
    double[] mean = new double[SIZE];
    double[] square = new double[SIZE];
    VarianceGradientScaler scaler = new VarianceGradientScaler(config, SIZE);
    double total = (1 - Math.pow(beta, STEPS)) / (1 - beta);
    for (int step = 0; step < STEPS; step++) {
      double weight = Math.pow(beta, STEPS - 1 - step) / total;
      float[] gradient = noisy(step);
      for (int i = 0; i < SIZE; i++) {
        mean[i] += weight * gradient[i];
        square[i] += weight * gradient[i] * gradient[i];
      }
      scaler.add(gradient);
    }
    double squaredMean = Arrays.stream(mean).map(x -> x * x).sum();
    double variance = Arrays.stream(square).sum() - squaredMean;
    assertThat(scaler.level().squaredMean()).isCloseTo(squaredMean, within(1e-4 * squaredMean));
    assertThat(scaler.level().variance()).isCloseTo(variance, within(1e-4 * variance));
  }

  @Test
  void shouldGiveExactlyOneDuringWarmupAndForZeroGradients() {
    VarianceGradientScaler scaler = scaler(OptimizerConfig.VgsMeasure.ELEMENTWISE, 3);
    VarianceGradientScaler zeros = scaler(OptimizerConfig.VgsMeasure.ELEMENTWISE, 0);
    assertThat(zeros.factor()).as("nothing seen").isEqualTo(1);
    for (int step = 0; step < 3; step++) {
      assertThat(scaler.factor()).isEqualTo(1);
      scaler.add(noisy(step));
      zeros.add(new float[SIZE]);
      assertThat(zeros.factor()).isEqualTo(1);
    }
    assertThat(scaler.factor()).isLessThan(1);
  }

  @Test
  void shouldStayBetweenFloorAndOne() {
    OptimizerConfig.Vgs strong =
        new OptimizerConfig.Vgs(
            true, OptimizerConfig.VgsMeasure.ELEMENTWISE, 0.9, 1000, 0, 50, 0.25);
    VarianceGradientScaler scaler = new VarianceGradientScaler(strong, SIZE);
    for (int step = 0; step < STEPS; step++) {
      assertThat(scaler.factor()).isBetween(0.25, 1.0);
      scaler.add(noisy(step));
    }
    assertThat(scaler.factor()).isEqualTo(0.25);
  }

  @Requirement("VGS-2")
  @ParameterizedTest
  @EnumSource(OptimizerConfig.VgsMeasure.class)
  void shouldContinueWithTheSameFactorsFromASavedState(OptimizerConfig.VgsMeasure measure) {
    StateMap state = new StateMap();
    VarianceGradientScaler original = scaler(measure, 5);
    VarianceGradientScaler resumed = scaler(measure, 5);
    for (int step = 0; step < STEPS / 2; step++) {
      original.add(noisy(step));
    }
    original.save(state);
    resumed.load(state);
    state.requireAllRead();
    for (int step = STEPS / 2; step < STEPS; step++) {
      assertThat(resumed.factor()).isEqualTo(original.factor()).isLessThan(1);
      original.add(noisy(step));
      resumed.add(noisy(step));
    }
    assertThat(resumed.factor()).isEqualTo(original.factor());
  }

  private static VarianceGradientScaler scaler(OptimizerConfig.VgsMeasure measure, int warmup) {
    OptimizerConfig.Vgs config = new OptimizerConfig.Vgs(true, measure, 0.99, 0.1, warmup, 50, 0.1);
    return new VarianceGradientScaler(config, SIZE);
  }

  private static float[] anticorrelated(int step) {
    RandomStream random = RandomStream.of(4, "anticorrelated", step);
    float[] gradient = new float[SIZE];
    for (int i = 0; i < SIZE / 2; i++) {
      gradient[i] = (float) (2 * random.nextGaussian());
      gradient[SIZE / 2 + i] = -gradient[i];
    }
    return gradient;
  }

  private static float[] noisy(int step) {
    RandomStream random = RandomStream.of(5, "noisy", step);
    float[] gradient = new float[SIZE];
    for (int i = 0; i < SIZE; i++) {
      gradient[i] = (float) (1 + random.nextGaussian());
    }
    return gradient;
  }
}
