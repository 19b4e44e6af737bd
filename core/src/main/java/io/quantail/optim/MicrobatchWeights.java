package io.quantail.optim;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Weights with which the mean losses of microbatches add up to the mean loss of their group.
 *
 * <pre>  w_i = valid_i / sum_j valid_j</pre>
 *
 * Accumulating the gradient of {@code w_i * loss_i} gives the gradient of one large batch for every
 * split. {@code MicrobatchWeightsTest} pins it.
 */
public final class MicrobatchWeights {
  private MicrobatchWeights() {}

  /**
   * Fraction of each microbatch; all 0 when the group holds no valid sample, which the caller
   * skips.
   *
   * @param valid number (or summed weight) of valid samples of each microbatch, not negative
   */
  public static double[] of(double[] valid) {
    double total = totalOf(valid);
    return Arrays.stream(valid).map(count -> total > 0 ? count / total : 0).toArray();
  }

  /**
   * Factor that corrects a gradient accumulated with the weights of {@link #of} when some
   * microbatches had to be skipped, so that the step does not shrink; empty when nothing was used.
   *
   * @param valid as for {@link #of}
   * @param used whether each microbatch contributed
   */
  public static OptionalDouble correction(double[] valid, boolean[] used) {
    if (valid.length != used.length) {
      throw new IllegalArgumentException(
          "used must have one flag per microbatch, " + valid.length + ", but has " + used.length);
    }
    double total = totalOf(valid);
    double usedTotal = 0;
    for (int i = 0; i < valid.length; i++) {
      usedTotal += used[i] ? valid[i] : 0;
    }
    return usedTotal > 0 ? OptionalDouble.of(total / usedTotal) : OptionalDouble.empty();
  }

  private static double totalOf(double[] valid) {
    for (double count : valid) {
      if (!(count >= 0 && count < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "the number of valid samples of a microbatch must be finite and not negative, was "
                + count);
      }
    }
    return Arrays.stream(valid).sum();
  }
}
