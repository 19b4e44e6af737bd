package io.quantail.risk;

import io.quantail.math.Percentiles;
import java.util.Arrays;

/**
 * The formulas of the limit {@code CVaR >= limit}: the CVaR of samples, the updates of multiplier
 * and weight, and the terms of the loss.
 *
 * <p>See: Chow, Ghavamzadeh, Janson, Pavone, "Risk-constrained reinforcement learning with
 * percentile risk criteria", JMLR 2018, arXiv:1512.01629. Pinned by the vectors {@code cvar_*}.
 */
public final class EmpiricalCvar {
  /** Tails of fewer samples are unreliable. */
  public static final int FEW_SAMPLES = 10;

  private EmpiricalCvar() {}

  /**
   * CVaR of samples.
   *
   * @param cvar mean of the tail
   * @param tailSamples number of samples in the tail
   */
  public record Empirical(double cvar, int tailSamples) {

    /** Whether the tail has too few samples to be reliable. */
    public boolean fewSamples() {
      return tailSamples < FEW_SAMPLES;
    }
  }

  /**
   * The mean of the {@code ceil(alpha n)} lowest samples, after both ends were limited to the
   * quantiles at {@code winsor} and {@code 1 - winsor}.
   */
  public static Empirical empirical(double[] samples, double alpha, double winsor) {
    if (samples.length == 0) {
      throw new IllegalArgumentException("an empirical CVaR needs at least one sample, got none");
    }
    if (!(alpha > 0 && alpha <= 1)) {
      throw new IllegalArgumentException("alpha must be in (0, 1], was " + alpha);
    }
    if (!(winsor >= 0 && winsor < 0.5)) {
      throw new IllegalArgumentException("the winsorised share must be in [0, 0.5), was " + winsor);
    }
    Percentiles percentiles = Percentiles.of(samples);
    double low = percentiles.at(winsor);
    double high = percentiles.at(1 - winsor);
    int tail = tailCount(samples.length, alpha);
    double mean =
        Arrays.stream(percentiles.lowest(tail))
            .map(value -> Math.max(low, Math.min(high, value)))
            .average()
            .orElseThrow();
    return new Empirical(mean, tail);
  }

  /** Number of samples in the tail, {@code ceil(alpha n)}. */
  public static int tailCount(int samples, double alpha) {
    return Math.max(1, (int) Math.ceil(alpha * samples));
  }

  /**
   * The next multiplier, {@code clip(lambda + rate gap, 0, max)}.
   *
   * @param gap limit minus CVaR: positive when the limit is violated; one that is not finite
   *     changes nothing
   */
  public static double dual(double lambda, double rate, double gap, double max) {
    double step = Double.isFinite(gap) ? rate * gap : 0;
    return Math.max(0, Math.min(max, lambda + step));
  }

  /**
   * Limit minus CVaR as a fraction of the larger of the two: in [-2, 2], positive when the limit is
   * violated, the same in any unit.
   */
  public static double relativeGap(double limit, double cvar) {
    double size = Math.max(Math.abs(limit), Math.abs(cvar));
    return size == 0 ? 0 : (limit - cvar) / size;
  }

  /**
   * A term of the loss.
   *
   * @param value in normalised units
   * @param slope its derivative by the CVaR
   */
  public record Term(double value, double slope) {}

  /** {@code weight (-CVaR)}, within plus and minus the cap; the gradient ends at the cap. */
  public static Term penalty(double cvar, double weight, double cap) {
    double free = -weight * cvar;
    double value = Math.max(-cap, Math.min(cap, free));
    return new Term(value, value == free ? -weight : 0);
  }

  /** {@code lambda max(0, limit - CVaR)}, at most the cap; the gradient ends at the cap. */
  public static Term constraint(double cvar, double limit, double lambda, double cap) {
    double free = lambda * (limit - cvar);
    double value = Math.max(0, Math.min(cap, free));
    return new Term(value, value == free && free > 0 ? -lambda : 0);
  }

  /** Updates in a row for which the critics have explained enough, counting this one. */
  public static int consecutive(int before, double explained, double threshold) {
    return explained >= threshold ? before + 1 : 0;
  }

  /** {@code target n / ramp} for the n-th good update in a row, at most target and cap. */
  public static double rampedWeight(int consecutive, int ramp, double target, double cap) {
    double share = consecutive >= ramp ? 1 : (double) consecutive / ramp;
    return Math.min(consecutive == 0 ? 0 : target * share, cap);
  }

  /** {@code beta average + (1 - beta) value}. */
  public static double smoothed(double average, double value, double beta) {
    return beta * average + (1 - beta) * value;
  }
}
