package io.quantail.rollout;

import io.quantail.math.SampleMoments;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Normalises the advantages of a whole rollout to zero mean and unit variance, once.
 *
 * <pre>  A' = (A - mean) / (std + 1e-8),   std with ddof 1</pre>
 *
 * Called once per rollout and never per microbatch, so that gradient accumulation keeps the
 * relative weight of microbatches. Where the deviation is below {@value #MINIMUM_DEVIATION} or
 * undefined there is no signal: the advantages become 0 and a warning is raised, because dividing
 * would only amplify noise.
 *
 * <p>See: Andrychowicz et al., "What matters in on-policy reinforcement learning?", 2020,
 * arXiv:2006.05990 (section on advantage normalisation). {@code AdvantageNormalizerTest} pins it.
 */
public final class AdvantageNormalizer {
  /** Added to the deviation before dividing. */
  public static final double EPSILON = 1e-8;

  /** Deviations below this carry no signal. */
  public static final double MINIMUM_DEVIATION = 1e-6;

  /** Raised when the rollout holds no advantages. */
  public static final String EMPTY = "warn/empty_advantages_buffer";

  /** Raised when mean or deviation is undefined or not finite. */
  public static final String INVALID_STATISTICS = "warn/advantages_invalid_stats";

  /** Raised when the deviation is below {@link #MINIMUM_DEVIATION}. */
  public static final String TINY_DEVIATION = "warn/advantages_std_below_threshold";

  /** Raised when a normalised advantage is larger than 100 in magnitude. */
  public static final String EXTREME = "warn/advantages_norm_extreme";

  private static final double EXTREME_LIMIT = 100;

  private AdvantageNormalizer() {}

  /**
   * Normalised advantages and their statistics. Statistics of an empty rollout are NaN, as is a
   * deviation of fewer than two values.
   *
   * @param values normalised advantages, in the order of the input
   * @param rawMean mean before normalisation
   * @param rawStd deviation before normalisation, over the whole rollout
   * @param rawMin smallest advantage before normalisation
   * @param rawMax largest advantage before normalisation
   * @param normalizedMaxAbs largest magnitude after normalisation
   * @param normalizedMean mean after normalisation
   * @param normalizedStd deviation after normalisation
   * @param warnings names of the warning metrics that were raised, each once
   */
  public record Normalized(
      double[] values,
      double rawMean,
      double rawStd,
      double rawMin,
      double rawMax,
      double normalizedMaxAbs,
      double normalizedMean,
      double normalizedStd,
      List<String> warnings) {
    public Normalized {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * Normalises the rollout.
   *
   * @param advantages flattened as {@code [time * environments]}, the environment varying fastest
   * @param environments number of environments, at least 1
   * @param perEnvironment whether each environment is normalised by its own statistics
   */
  public static Normalized normalize(
      double[] advantages, int environments, boolean perEnvironment) {
    return normalize(advantages, environments, perEnvironment, 0);
  }

  /**
   * Normalises the rollout, {@code A' = (A - mean) / (max(std, floor) + 1e-8)}.
   *
   * @param advantages flattened as {@code [time * environments]}, the environment varying fastest
   * @param environments number of environments, at least 1
   * @param perEnvironment whether each environment is normalised by its own statistics
   * @param floor least deviation to divide by
   */
  public static Normalized normalize(
      double[] advantages, int environments, boolean perEnvironment, double floor) {
    if (environments < 1 || advantages.length % environments != 0) {
      throw new IllegalArgumentException(
          "advantages must hold whole steps of at least 1 environment, but hold "
              + advantages.length
              + " values for "
              + environments
              + " environments");
    }
    double[] values = new double[advantages.length];
    Set<String> warnings = new TreeSet<>();
    if (advantages.length == 0) {
      warnings.add(EMPTY);
    }
    int columns = perEnvironment ? environments : 1;
    for (int column = 0; column < columns && advantages.length > 0; column++) {
      normalizeColumn(advantages, values, column, columns, floor, warnings);
    }
    return summarize(advantages, values, warnings);
  }

  /** Writes one column of {@code values}; a column without signal keeps its zeros. */
  private static void normalizeColumn(
      double[] advantages,
      double[] values,
      int column,
      int columns,
      double floor,
      Set<String> warnings) {
    SampleMoments moments = SampleMoments.of(advantages, column, columns);
    if (!moments.areFinite()) {
      warnings.add(INVALID_STATISTICS);
      return;
    }
    if (moments.deviation() < MINIMUM_DEVIATION) {
      warnings.add(TINY_DEVIATION);
      return;
    }
    double divisor = Math.max(moments.deviation(), floor) + EPSILON;
    for (int i = column; i < advantages.length; i += columns) {
      values[i] = (advantages[i] - moments.mean()) / divisor;
    }
  }

  private static Normalized summarize(double[] raw, double[] values, Set<String> warnings) {
    SampleMoments before = SampleMoments.of(raw, 0, 1);
    SampleMoments after = SampleMoments.of(values, 0, 1);
    double low = raw.length == 0 ? Double.NaN : Double.POSITIVE_INFINITY;
    double high = -low;
    double maxAbs = raw.length == 0 ? Double.NaN : 0;
    for (int i = 0; i < raw.length; i++) {
      low = Math.min(low, raw[i]);
      high = Math.max(high, raw[i]);
      maxAbs = Math.max(maxAbs, Math.abs(values[i]));
    }
    if (maxAbs > EXTREME_LIMIT) {
      warnings.add(EXTREME);
    }
    return new Normalized(
        values,
        before.mean(),
        before.deviation(),
        low,
        high,
        maxAbs,
        after.mean(),
        after.deviation(),
        List.copyOf(warnings));
  }
}
