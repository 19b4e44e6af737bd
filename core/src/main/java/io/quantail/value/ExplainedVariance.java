package io.quantail.value;

import io.quantail.math.WeightedMoments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * The fraction of the variance of targets that predictions explain.
 *
 * <pre>  EV = 1 - Var(y - p) / (Var(y) + 1e-12),   Var with ddof 1</pre>
 *
 * Weighted, with {@code W = sum w}, the denominator of the variance is {@code W - sum w² / W}. Rows
 * with a value that is not finite, or a weight that is not positive, are omitted. Undefined is
 * empty, never 0: fewer than two rows, constant targets, a weight above {@value #WEIGHT_LIMIT}.
 *
 * <p>A constant offset of the predictions does not change the explained variance; {@link #bias}
 * measures it. {@code ExplainedVarianceTest} pins both.
 */
public final class ExplainedVariance {
  /** A weight above this makes the result undefined, because its square may overflow. */
  public static final double WEIGHT_LIMIT = 1e50;

  private static final double EPSILON = 1e-12;

  private ExplainedVariance() {}

  /**
   * Explained variance by group; the three averages are over the groups for which it is defined.
   *
   * @param groups value of each group in the order of first appearance, empty where undefined
   * @param mean unweighted mean
   * @param weightedMean mean weighted by the number of rows
   * @param median median
   * @param <K> what names a group
   */
  public record Grouped<K>(
      Map<K, OptionalDouble> groups,
      OptionalDouble mean,
      OptionalDouble weightedMean,
      OptionalDouble median) {}

  /** Explained variance with equal weights. */
  public static OptionalDouble of(double[] targets, double[] predictions) {
    return weighted(targets, predictions, ones(targets));
  }

  /** Explained variance with weights. */
  public static OptionalDouble weighted(double[] targets, double[] predictions, double[] weights) {
    double[] kept = usable(targets, predictions, weights);
    OptionalDouble unexplained = WeightedMoments.variance(errors(targets, predictions), kept);
    return explained(WeightedMoments.variance(targets, kept), unexplained);
  }

  /**
   * Explained variance estimated from the predictions p for the rows of n windows, where earlier
   * predictions b are known for all rows: the variance of the errors is that of the earlier errors,
   * times the ratio of the two on the windows and one more, in which nothing changed.
   *
   * <pre>
   *   EV = 1 - Var(y - b) r / (Var(y) + 1e-12)
   *   r  = (n Var_rows(y - p) + Var(y - b)) / (n Var_rows(y - b) + Var(y - b))
   * </pre>
   *
   * Errors within a window are alike, so the variance of few windows is mostly chance. The errors
   * before and after an update share that chance, and it cancels in their ratio; the additional
   * window keeps the ratio finite where the errors of the chosen ones were small. When the rows are
   * all rows, this is {@link #of}. {@code docs/reference/health-rules.md} has the errors of the
   * estimate.
   *
   * <p>See: Cochran, "Sampling Techniques", 1977, chapter 6, on ratio estimates.
   *
   * @param before earlier prediction for every target
   * @param rows the targets that the predictions are for
   * @param windows number n of windows that the rows belong to
   */
  public static OptionalDouble sampled(
      double[] targets, double[] before, int[] rows, double[] predictions, int windows) {
    double[] sample = pick(targets, rows);
    if (rows.length == targets.length) {
      return of(sample, predictions);
    }
    OptionalDouble after = errorVariance(sample, predictions);
    double known = errorVariance(sample, pick(before, rows)).orElse(0);
    double whole = errorVariance(targets, before).orElse(0);
    OptionalDouble total =
        WeightedMoments.variance(targets, usable(targets, targets, ones(targets)));
    if (after.isEmpty() || whole == 0) {
      return explained(total, after);
    }
    double ratio = (windows * after.getAsDouble() + whole) / (windows * known + whole);
    return explained(total, WeightedMoments.finite(whole * ratio));
  }

  private static OptionalDouble errorVariance(double[] targets, double[] predictions) {
    double[] kept = usable(targets, predictions, ones(targets));
    return WeightedMoments.variance(errors(targets, predictions), kept);
  }

  private static double[] pick(double[] values, int[] rows) {
    double[] picked = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      picked[i] = values[rows[i]];
    }
    return picked;
  }

  private static OptionalDouble explained(OptionalDouble total, OptionalDouble unexplained) {
    if (total.orElse(0) <= 0 || unexplained.isEmpty()) {
      return OptionalDouble.empty();
    }
    return WeightedMoments.finite(1 - unexplained.getAsDouble() / (total.getAsDouble() + EPSILON));
  }

  /**
   * Explained variance of each group.
   *
   * @param keys name of the group of each row
   * @param varianceFloor a group whose targets vary no more than this is undefined
   */
  public static <K> Grouped<K> grouped(
      double[] targets, double[] predictions, List<K> keys, double varianceFloor) {
    requireSameLength("keys", keys.size(), targets.length);
    requireSameLength("predictions", predictions.length, targets.length);
    Map<K, List<Integer>> members = new LinkedHashMap<>();
    for (int row = 0; row < targets.length; row++) {
      members.computeIfAbsent(keys.get(row), any -> new ArrayList<>()).add(row);
    }
    Map<K, OptionalDouble> groups = new LinkedHashMap<>();
    Map<K, Double> sizes = new LinkedHashMap<>();
    members.forEach(
        (key, list) -> {
          int[] rows = list.stream().mapToInt(Integer::intValue).toArray();
          double[] wanted = pick(targets, rows);
          double[] values = pick(predictions, rows);
          double[] kept = usable(wanted, values, ones(wanted));
          boolean varies = WeightedMoments.variance(wanted, kept).orElse(0) > varianceFloor;
          OptionalDouble value = varies ? weighted(wanted, values, kept) : OptionalDouble.empty();
          groups.put(key, value);
          value.ifPresent(defined -> sizes.put(key, Arrays.stream(kept).sum()));
        });
    return summarize(groups, sizes);
  }

  /** Mean of target minus prediction; empty without a finite row. */
  public static OptionalDouble bias(double[] targets, double[] predictions) {
    double[] kept = usable(targets, predictions, ones(targets));
    return WeightedMoments.mean(errors(targets, predictions), kept);
  }

  /** Pearson correlation of targets and predictions; empty when either does not vary. */
  public static OptionalDouble correlation(double[] targets, double[] predictions) {
    double[] kept = usable(targets, predictions, ones(targets));
    double ofTargets = WeightedMoments.variance(targets, kept).orElse(0);
    double ofPredictions = WeightedMoments.variance(predictions, kept).orElse(0);
    OptionalDouble covariance = WeightedMoments.covariance(targets, predictions, kept);
    if (ofTargets <= 0 || ofPredictions <= 0 || covariance.isEmpty()) {
      return OptionalDouble.empty();
    }
    double scale = Math.sqrt(ofTargets) * Math.sqrt(ofPredictions);
    // Rounding may push a perfect correlation past 1.
    double correlation = Math.max(-1, Math.min(1, covariance.getAsDouble() / scale));
    return WeightedMoments.finite(correlation);
  }

  private static <K> Grouped<K> summarize(Map<K, OptionalDouble> groups, Map<K, Double> sizes) {
    double[] values =
        sizes.keySet().stream()
            .mapToDouble(key -> Objects.requireNonNull(groups.get(key)).getAsDouble())
            .toArray();
    double[] weights = sizes.values().stream().mapToDouble(Double::doubleValue).toArray();
    return new Grouped<>(
        Collections.unmodifiableMap(groups),
        WeightedMoments.mean(values, ones(values)),
        WeightedMoments.mean(values, weights),
        median(values));
  }

  private static OptionalDouble median(double[] values) {
    if (values.length == 0) {
      return OptionalDouble.empty();
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return OptionalDouble.of((sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2);
  }

  /** The weights, 0 where the row cannot be used; all 0 when a weight is too large to square. */
  private static double[] usable(double[] targets, double[] predictions, double[] weights) {
    requireSameLength("predictions", predictions.length, targets.length);
    requireSameLength("weights", weights.length, targets.length);
    double[] kept = new double[weights.length];
    for (int row = 0; row < kept.length; row++) {
      if (weights[row] > WEIGHT_LIMIT) {
        return new double[weights.length];
      }
      boolean finite = Double.isFinite(targets[row]) && Double.isFinite(predictions[row]);
      kept[row] = finite && weights[row] > 0 ? weights[row] : 0;
    }
    return kept;
  }

  private static double[] errors(double[] targets, double[] predictions) {
    double[] errors = new double[targets.length];
    for (int row = 0; row < errors.length; row++) {
      errors[row] = targets[row] - predictions[row];
    }
    return errors;
  }

  private static double[] ones(double[] values) {
    double[] ones = new double[values.length];
    Arrays.fill(ones, 1);
    return ones;
  }

  private static void requireSameLength(String name, int length, int required) {
    if (length != required) {
      throw new IllegalArgumentException(
          name + " must have one entry per target, " + required + ", but have " + length);
    }
  }
}
