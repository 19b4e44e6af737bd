package io.quantail.evidence;

import io.quantail.math.Moments;
import java.util.OptionalInt;

/**
 * The mean block length with which a stationary bootstrap preserves the dependence of a series.
 *
 * <p>With autocovariances {@code R(k)} and a flat-top lag window of bandwidth M, {@code g = R(0) +
 * 2 sum w(k) R(k)} and {@code G = 2 sum w(k) k R(k)}; {@code L = (n G^2 / g^2)^(1/3)}, at least 1
 * and at most {@code ceil(min(3 sqrt(n), n / 3))}. M is twice the lag from which on five
 * autocorrelations in a row are insignificant.
 *
 * <p>See: Politis, White, "Automatic Block-Length Selection for the Dependent Bootstrap", 2004,
 * corrected by Patton, Politis, White, 2009. Pinned by the vectors {@code block_length_*}.
 *
 * @param length mean block length L
 * @param firstInsignificant the first lag of five insignificant ones; empty if there is none
 * @param bandwidth M
 */
public record BlockLength(double length, OptionalInt firstInsignificant, int bandwidth) {
  private static final int IN_A_ROW = 5;

  /** The block length for the mean of a series; 1 for a constant one. */
  public static BlockLength of(double[] series) {
    Autocovariances covariances = new Autocovariances(series);
    int n = series.length;
    int top = (int) Math.ceil(Math.sqrt(n)) + IN_A_ROW;
    if (Returns.isConstant(series)) {
      return new BlockLength(1, OptionalInt.of(1), 2);
    }
    OptionalInt first = firstInsignificant(covariances, top - IN_A_ROW);
    int bandwidth = first.isPresent() ? Math.min(2 * first.getAsInt(), top) : top;
    double spectrum = covariances.at(0);
    double slope = 0;
    for (int k = 1; k <= bandwidth; k++) {
      double weight = Math.min(1, 2 * (1 - (double) k / bandwidth));
      spectrum += 2 * weight * covariances.at(k);
      slope += 2 * weight * k * covariances.at(k);
    }
    double ratio = slope / spectrum;
    double longest = Math.ceil(Math.min(3 * Math.sqrt(n), n / 3.0));
    double length = Math.cbrt(n * ratio * ratio);
    // A spectrum of 0 makes the ratio infinite, or undefined.
    return new BlockLength(length < longest ? Math.max(1, length) : longest, first, bandwidth);
  }

  private static OptionalInt firstInsignificant(Autocovariances covariances, int last) {
    int n = covariances.values.length;
    double bound = 2 * Math.sqrt(Math.log10(n) / n) * covariances.at(0);
    int run = 0;
    for (int lag = 1; lag < last + IN_A_ROW; lag++) {
      run = Math.abs(covariances.at(lag)) < bound ? run + 1 : 0;
      if (run == IN_A_ROW) {
        return OptionalInt.of(lag - IN_A_ROW + 1);
      }
    }
    return OptionalInt.empty();
  }

  /** Autocovariances over n, computed when they are asked for. */
  private static final class Autocovariances {
    private final double[] values; // centred
    private final double[] known;
    private int computed;

    Autocovariances(double[] series) {
      double mean = Moments.mean(series);
      values = new double[series.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = series[i] - mean;
      }
      known = new double[series.length + 1];
    }

    double at(int lag) {
      for (; computed <= Math.min(lag, values.length); computed++) {
        double sum = 0;
        for (int i = computed; i < values.length; i++) {
          sum += values[i] * values[i - computed];
        }
        known[computed] = sum / values.length;
      }
      return lag < values.length ? known[lag] : 0;
    }
  }
}
