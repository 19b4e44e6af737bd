package io.quantail.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Requirement("NET-3")
class GaussianPolicyTest {
  private static final int CELLS = 4_000;
  private static final int PAIRS = 20;
  private static final int CASES = 20;
  private static final float[] NO_FEATURES = {};

  /** Over the squashed action itself, in cells that are narrow where the action hardly moves. */
  @ParameterizedTest
  @EnumSource(Squashing.class)
  void shouldHaveADensityThatIntegratesToOneAndTheExactEntropy(Squashing squashing) {
    RandomStream random = RandomStream.of(11, "gaussian", squashing.ordinal());
    for (int pair = 0; pair < PAIRS; pair++) {
      float mean = (float) random.nextDouble(-2, 2);
      float sigma = (float) random.nextDouble(0.2, 1.5);
      GaussianPolicy policy = policy(mean, sigma, squashing);
      double mass = 0;
      double entropy = 0;
      for (int i = 0; i < CELLS; i++) {
        double low = mean + sigma * (18.0 * i / CELLS - 9);
        double high = mean + sigma * (18.0 * (i + 1) / CELLS - 9);
        double logDensity = policy.logProbability(new float[] {(float) ((low + high) / 2)}, 0);
        double inCell = Math.exp(logDensity) * (squashing.apply(high) - squashing.apply(low));
        mass += inCell;
        entropy -= inCell * logDensity;
      }
      assertThat(mass).as("mean %s, sigma %s", mean, sigma).isCloseTo(1, within(1e-5));
      assertThat(policy.entropy()).isCloseTo(entropy, within(2e-5));
    }
  }

  /** The definitions in double, one dimension after the other. */
  @ParameterizedTest
  @EnumSource(Squashing.class)
  void shouldAgreeWithASlowLoop(Squashing squashing) {
    RandomStream random = RandomStream.of(22, "rows", squashing.ordinal());
    for (int sample = 0; sample < CASES; sample++) {
      float[] mean = numbers(random, sample % 2 == 0 ? 0.5 : 3);
      float[] sigma = deviations(random);
      float[] oldMean = numbers(random, 1);
      float[] oldSigma = deviations(random);
      float[] raw = numbers(random, 2);
      GaussianPolicy policy = new GaussianPolicy(sigma, squashing);
      policy.set(mean, NO_FEATURES);
      double logProbability = 0;
      double divergence = 0;
      double entropy = 0;
      for (int i = 0; i < 2; i++) {
        double z = (raw[i] - (double) mean[i]) / sigma[i];
        logProbability += -z * z / 2 - Math.log(sigma[i] * Math.sqrt(2 * Math.PI));
        logProbability -= Math.log(derivative(squashing, raw[i]));
        double ratio = (double) oldSigma[i] / sigma[i];
        double shift = ((double) oldMean[i] - mean[i]) / sigma[i];
        divergence += 0.5 * (ratio * ratio + shift * shift - 1) - Math.log(ratio);
        entropy += policy(mean[i], sigma[i], squashing).entropy();
      }
      float[] stored = {9, oldMean[0], oldMean[1], oldSigma[0], oldSigma[1]};
      assertThat(policy.logProbability(new float[] {9, raw[0], raw[1]}, 1))
          .isCloseTo(logProbability, within(1e-9 * (1 + Math.abs(logProbability))));
      assertThat(policy.divergenceFrom(stored, 1))
          .isCloseTo(divergence, within(1e-6 * (1 + divergence)));
      assertThat(policy.entropy()).as("dimensions add up once").isCloseTo(entropy, within(1e-12));
    }
  }

  private static double derivative(Squashing squashing, double x) {
    return switch (squashing) {
      case NONE -> 1;
      case TANH -> 1 / (Math.cosh(x) * Math.cosh(x));
      case SIGMOID -> Math.exp(-x) / ((1 + Math.exp(-x)) * (1 + Math.exp(-x)));
    };
  }

  @ParameterizedTest
  @EnumSource(Squashing.class)
  void shouldHaveTheGradientsOfFiniteDifferences(Squashing squashing) {
    RandomStream random = RandomStream.of(23, "rows", squashing.ordinal());
    for (int sample = 0; sample < CASES; sample++) {
      float[] oldMean = numbers(random, 1);
      float[] oldSigma = deviations(random);
      PolicyCheck.requireGradients(
          sigma -> new GaussianPolicy(sigma, squashing),
          deviations(random),
          numbers(random, sample % 2 == 0 ? 0.5 : 1.5),
          new float[] {oldMean[0], oldMean[1], oldSigma[0], oldSigma[1]},
          numbers(random, 1));
    }
  }

  @Test
  void shouldKeepFiniteDensityAndGradientFarFromTheMean() {
    for (Squashing squashing : Squashing.values()) {
      for (float raw : new float[] {-60, 60}) {
        GaussianPolicy policy = policy(0, 1, squashing);
        assertThat(policy.logProbability(new float[] {raw}, 0)).isFinite();
        float[] gradient = new float[1];
        policy.addGradient(gradient, 1, 0, 0);
        assertThat(gradient).containsExactly(raw);
        assertThat(policy.beside()).containsExactly(60 * 60 - 1);
      }
    }
  }

  @Test
  void shouldSampleWithTheRightMoments() {
    int draws = 20_000;
    GaussianPolicy policy = policy(0.7f, 0.5f, Squashing.TANH);
    double mean = 0;
    double squares = 0;
    float[] raw = new float[2];
    for (int i = 0; i < draws; i++) {
      policy.sample(RandomStream.of(5, "draw", i), raw, 1);
      mean += raw[1] / draws;
      squares += (double) raw[1] * raw[1] / draws;
    }
    assertThat(mean).isCloseTo(0.7, within(0.015));
    assertThat(Math.sqrt(squares - mean * mean)).isCloseTo(0.5, within(0.01));
    assertThat(raw[0]).isZero();
  }

  @Test
  void shouldTakeTheMeanAsMode() {
    float[] raw = new float[2];
    policy(0.25f, 1, Squashing.SIGMOID).mode(raw, 0);
    policy(-3, 1, Squashing.SIGMOID).mode(raw, 1);
    assertThat(raw).containsExactly(0.25f, -3);
  }

  @Test
  void shouldStoreMeansAndDeviationsOfEverySample() {
    GaussianPolicy policy = new GaussianPolicy(new float[] {5, 6}, Squashing.NONE);
    float[] stored = new float[8];
    policy.set(new float[] {1, 2}, NO_FEATURES);
    policy.store(stored, 0);
    policy.set(new float[] {3, 4}, NO_FEATURES);
    policy.store(stored, 4);
    assertThat(stored).containsExactly(1, 2, 5, 6, 3, 4, 5, 6);
    assertThat(policy.divergenceFrom(stored, 4)).isCloseTo(0, within(1e-12));
    assertThat(policy.divergenceFrom(stored, 0))
        .isCloseTo(0.5 * (4 / 25.0 + 4 / 36.0), within(1e-12));
  }

  private static GaussianPolicy policy(float mean, float sigma, Squashing squashing) {
    GaussianPolicy policy = new GaussianPolicy(new float[] {sigma}, squashing);
    policy.set(new float[] {mean}, NO_FEATURES);
    return policy;
  }

  private static float[] deviations(RandomStream random) {
    return new float[] {(float) random.nextDouble(0.2, 1.5), (float) random.nextDouble(0.2, 1.5)};
  }

  private static float[] numbers(RandomStream random, double scale) {
    return new float[] {
      (float) (scale * random.nextGaussian()), (float) (scale * random.nextGaussian())
    };
  }
}
