package io.quantail.optim;

import java.util.Arrays;

/**
 * The arithmetic of {@link Upgd} on plain arrays.
 *
 * <p>Every loop does one small operation on arrays of one index, which the compiler turns into
 * vector instructions; a single loop for all of them takes five times as long. Java's float
 * arithmetic gives the same bits on every processor, however the work is split.
 */
final class UpgdKernel {
  private static final int LANES = 256;

  private UpgdKernel() {}

  /** The constants of {@link #addAdamStep}; corrections for the start are part of the last two. */
  record AdamStep(float firstShare, float secondShare, float scale, float epsilon) {

    static AdamStep of(Upgd.Settings settings, long steps) {
      double firstCorrection = 1 - Math.pow(settings.beta1(), steps);
      double secondCorrection = Math.sqrt(1 - Math.pow(settings.beta2(), steps));
      return new AdamStep(
          (float) (1 - settings.beta1()),
          (float) (1 - settings.beta2()),
          (float) (secondCorrection / firstCorrection),
          // A weight that never had a gradient must not become 0 / 0, however small epsilon is.
          Math.max((float) (settings.epsilon() * secondCorrection), Float.MIN_NORMAL));
    }
  }

  /** {@code next = utility + share (-gradient weight - utility)}. */
  static void utilities(
      float[] utility, float[] gradient, float[] weights, float share, float[] next) {
    for (int i = 0; i < next.length; i++) {
      next[i] = utility[i] - share * (gradient[i] * weights[i] + utility[i]);
    }
  }

  /**
   * Updates the moments of the gradient and adds their step: {@code first += share1 (g - first)},
   * {@code second += share2 (g^2 - second)}, {@code target += scale first / (sqrt(second) +
   * epsilon)}.
   */
  static void addAdamStep(
      AdamStep step, float[] gradient, float[] first, float[] second, float[] target) {
    float firstShare = step.firstShare;
    float secondShare = step.secondShare;
    float scale = step.scale;
    float epsilon = step.epsilon;
    for (int i = 0; i < target.length; i++) {
      float g = gradient[i];
      float m = first[i] + firstShare * (g - first[i]);
      float v = second[i] + secondShare * (g * g - second[i]);
      first[i] = m;
      second[i] = v;
      target[i] = target[i] + scale * m / ((float) Math.sqrt(v) + epsilon);
    }
  }

  /** {@code weights = keep weights - rate direction gate(utility)}. */
  static void move(
      float[] weights,
      float keep,
      float rate,
      float[] direction,
      UtilityGate gate,
      float[] utility) {
    if (!gate.narrow()) {
      for (int i = 0; i < weights.length; i++) {
        weights[i] = keep * weights[i] - rate * (direction[i] * (float) gate.of(utility[i]));
      }
      return;
    }
    float slope = (float) gate.slope();
    float origin = (float) gate.origin();
    for (int i = 0; i < weights.length; i++) {
      float share = UtilityGate.fraction(slope * (utility[i] - origin));
      weights[i] = keep * weights[i] - rate * (direction[i] * share);
    }
  }

  /**
   * The smallest and the largest value; NaN if there is one.
   *
   * <p>One running minimum would make every element wait for the one before; {@value #LANES} of
   * them do not.
   */
  static float[] bounds(float[] values) {
    float[] low = new float[LANES];
    Arrays.fill(low, values[0]);
    float[] high = low.clone();
    float[] block = low.clone();
    for (int from = 0; from < values.length; from += LANES) {
      // A short last block keeps elements of the one before, which have been counted already.
      System.arraycopy(values, from, block, 0, Math.min(LANES, values.length - from));
      lower(low, block);
      raise(high, block);
    }
    return new float[] {lowest(low), highest(high)};
  }

  private static void lower(float[] low, float[] block) {
    for (int i = 0; i < low.length; i++) {
      low[i] = Math.min(low[i], block[i]);
    }
  }

  private static void raise(float[] high, float[] block) {
    for (int i = 0; i < high.length; i++) {
      high[i] = Math.max(high[i], block[i]);
    }
  }

  private static float lowest(float[] values) {
    float lowest = values[0];
    for (float value : values) {
      lowest = Math.min(lowest, value);
    }
    return lowest;
  }

  private static float highest(float[] values) {
    float highest = values[0];
    for (float value : values) {
      highest = Math.max(highest, value);
    }
    return highest;
  }
}
