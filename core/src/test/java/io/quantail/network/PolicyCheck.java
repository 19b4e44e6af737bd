package io.quantail.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import io.quantail.testing.FiniteDifferences;
import java.util.Arrays;
import java.util.function.Function;

/** Compares the gradients of a distribution with differences of its values. */
final class PolicyCheck {
  private static final double STEP = 0x1p-10;
  private static final double TOLERANCE = 3e-5;
  private static final double[][] FACTORS = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.7, -0.4, 1.3}};

  private PolicyCheck() {}

  /**
   * Each term alone and all together, by the head's outputs and by the numbers beside them.
   *
   * @param policy makes a distribution, given the numbers beside the outputs
   */
  static void requireGradients(
      Function<float[], PolicyDistribution> policy,
      float[] beside,
      float[] outputs,
      float[] stored,
      float[] raw) {
    requireGradients(policy, beside, new float[0], outputs, stored, raw, STEP, 5 * TOLERANCE);
  }

  /** The same under a mask. */
  static void requireGradients(
      Function<float[], PolicyDistribution> policy,
      boolean[] mask,
      float[] beside,
      float[] outputs,
      float[] stored,
      float[] raw) {
    requireGradients(
        numbers -> new Masked(policy.apply(numbers), mask),
        beside,
        new float[0],
        outputs,
        stored,
        raw,
        STEP,
        5 * TOLERANCE);
  }

  /** A distribution that is always set with the same mask. */
  private record Masked(PolicyDistribution policy, boolean[] mask) implements PolicyDistribution {
    @Override
    public void set(float[] outputs, float[] features, boolean[] masks, int maskOffset) {
      policy.set(outputs, features, mask, 0);
    }

    @Override
    public double logProbability(float[] raw, int offset) {
      return policy.logProbability(raw, offset);
    }

    @Override
    public double entropy() {
      return policy.entropy();
    }

    @Override
    public double divergenceFrom(float[] stored, int offset) {
      return policy.divergenceFrom(stored, offset);
    }

    @Override
    public void addGradient(
        float[] dOutputs, double byLogProbability, double byEntropy, double byDivergence) {
      policy.addGradient(dOutputs, byLogProbability, byEntropy, byDivergence);
    }

    @Override
    public void store(float[] target, int offset) {
      policy.store(target, offset);
    }

    @Override
    public void sample(RandomStream stream, float[] raw, int offset) {
      policy.sample(stream, raw, offset);
    }

    @Override
    public void mode(float[] raw, int offset) {
      policy.mode(raw, offset);
    }

    @Override
    public float[] beside() {
      return policy.beside();
    }
  }

  /**
   * The same with features.
   *
   * @param features input of the action head, a constant here
   * @param step of the numbers beside the outputs; large where deviations that are computed from
   *     them are rounded to single precision
   * @param tolerance by the numbers beside the outputs
   */
  static void requireGradients(
      Function<float[], PolicyDistribution> policy,
      float[] beside,
      float[] features,
      float[] outputs,
      float[] stored,
      float[] raw,
      double step,
      double tolerance) {
    for (double[] factors : FACTORS) {
      PolicyDistribution distribution = policy.apply(beside);
      value(distribution, features, outputs, stored, raw, factors);
      float[] gradient = new float[outputs.length];
      Arrays.fill(gradient, 2);
      distribution.addGradient(gradient, factors[0], factors[1], factors[2]);
      for (int i = 0; i < gradient.length; i++) {
        gradient[i] -= 2; // it was added
      }
      FiniteDifferences.require(
          () -> value(policy.apply(beside), features, outputs, stored, raw, factors),
          outputs,
          0,
          outputs.length,
          gradient,
          STEP,
          TOLERANCE);
      assertThat(distribution.beside()).hasSameSizeAs(beside);
      FiniteDifferences.require(
          () -> value(policy.apply(beside), features, outputs, stored, raw, factors),
          beside,
          0,
          beside.length,
          distribution.beside(),
          step,
          tolerance);
      float[] once = distribution.beside().clone();
      distribution.addGradient(gradient, factors[0], factors[1], factors[2]);
      for (int i = 0; i < once.length; i++) {
        assertThat(distribution.beside()[i])
            .isCloseTo(2 * once[i], within(1e-6f * (1 + Math.abs(once[i]))));
      }
    }
  }

  private static double value(
      PolicyDistribution policy,
      float[] features,
      float[] outputs,
      float[] stored,
      float[] raw,
      double[] factors) {
    policy.set(outputs, features);
    return factors[0] * policy.logProbability(raw, 0)
        + factors[1] * policy.entropy()
        + factors[2] * policy.divergenceFrom(stored, 0);
  }
}
