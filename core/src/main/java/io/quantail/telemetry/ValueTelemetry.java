package io.quantail.telemetry;

import io.quantail.config.ReturnScaleConfig;
import io.quantail.math.Moments;
import io.quantail.metrics.Metrics;
import io.quantail.rollout.ReturnTargets;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.RolloutPredictions;
import io.quantail.rollout.TrainingTargets;
import io.quantail.value.AtomSupport;
import io.quantail.value.CategoricalCritic;
import io.quantail.value.Critic;
import io.quantail.value.ExplainedVariance;
import io.quantail.value.ReturnScale;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Reports the critics' predictions and the return scale as metrics; reads only. */
public final class ValueTelemetry {
  /** Half-width of the band of returns in the scale of targets, in standard deviations. */
  private static final double RETURN_CLIP = 10;

  private static final double EXCESSIVE_SCALE = 100;

  /** Twin critics closer than this many standard deviations of the targets act as one. */
  private static final double COLLAPSED_GAP = 0.01;

  /** Both critics start alike; by this update they have had time to differ. */
  private static final long TWINS_JUDGED_FROM = 10;

  private static final List<String> LEVEL_NAMES =
      RolloutPredictions.LEVELS.stream()
          .map(
              level ->
                  String.format(Locale.ROOT, "train/value_quantile_p%02d", Math.round(100 * level)))
          .toList();

  private ValueTelemetry() {}

  /** Reports the distance of the critics' values from their targets after the update. */
  public static void errors(Metrics metrics, double[] targets, RolloutPredictions predictions) {
    double[] values = predictions.values();
    double[] wanted = predictions.pick(targets);
    double squares = 0;
    double sizes = 0;
    for (int i = 0; i < values.length; i++) {
      squares += (wanted[i] - values[i]) * (wanted[i] - values[i]);
      sizes += Math.abs(wanted[i] - values[i]);
    }
    double targetStd = Moments.deviation(targets);
    metrics.put("train/value_mse", squares / values.length);
    metrics.put("train/value_rmse", Math.sqrt(squares / values.length));
    metrics.put("train/value_mae", sizes / values.length);
    metrics.put("train/value_pred_mean", Moments.mean(values));
    metrics.put("train/value_pred_std", Moments.deviation(values));
    metrics.put("train/target_return_mean", Moments.mean(targets));
    metrics.put("train/target_return_std", targetStd);
    for (int i = 0; i < LEVEL_NAMES.size(); i++) {
      metrics.put(LEVEL_NAMES.get(i), predictions.meanQuantile(RolloutPredictions.LEVELS.get(i)));
    }
    double spread = predictions.meanQuantile(0.75) - predictions.meanQuantile(0.25);
    metrics.put("train/value_quantile_iqr", spread);
    if (targetStd > 0) {
      metrics.put("train/value_quantile_iqr_norm", spread / targetStd);
    }
  }

  /**
   * Reports the distance between twin critics, and from the {@value #TWINS_JUDGED_FROM}th update on
   * warns when it is below {@value #COLLAPSED_GAP} standard deviations of the targets: their
   * minimum then corrects nothing.
   *
   * @param update number of this update, counted from 1
   */
  public static void twins(
      Metrics metrics, double[] targets, RolloutPredictions predictions, long update) {
    if (predictions.gaps().length == 0) {
      return;
    }
    double gap = Moments.mean(predictions.gaps());
    double targetStd = Moments.deviation(targets);
    metrics.put("train/twin_critics/value_gap", gap);
    if (update >= TWINS_JUDGED_FROM && gap < COLLAPSED_GAP * targetStd) {
      metrics.put("warn/twin_critics_collapsed", gap / targetStd);
    }
  }

  /**
   * Reports the particles that the critics regress on, and the fraction of them beyond the atoms of
   * a categorical critic.
   */
  public static void targets(Metrics metrics, TrainingTargets estimates, Critic critic) {
    ReturnTargets targets = estimates.distribution();
    metrics.put("train/target/mean", Moments.mean(targets.particles()));
    metrics.put("train/target/std", Moments.deviation(targets.particles()));
    metrics.put("train/target/drawn_fraction", targets.drawnFraction());
    metrics.put("train/target/end_weight", targets.endWeight());
    float largest = 0;
    for (float particle : estimates.particles()) {
      largest = Math.max(largest, Math.abs(particle));
    }
    metrics.put("train/target/max_abs", largest);
    if (critic instanceof CategoricalCritic categorical) {
      AtomSupport support = categorical.support();
      double below = 0;
      double above = 0;
      for (float particle : estimates.particles()) {
        below += particle < support.low() ? 1 : 0;
        above += particle > support.high() ? 1 : 0;
      }
      metrics.put("train/value_target_below_frac", below / estimates.particles().length);
      metrics.put("train/value_target_above_frac", above / estimates.particles().length);
    }
  }

  /** Reports the shape of the distributions that the critics predict after the update. */
  public static void shapes(Metrics metrics, RolloutPredictions predictions, Critic critic) {
    double irregular = Moments.mean(predictions.irregularities());
    if (critic instanceof CategoricalCritic) {
      metrics.put("train/critic/support_edge_mass", irregular);
    } else {
      metrics.put("train/critic/crossing_fraction", irregular);
      metrics.put("train/critic/mean_gap", Moments.mean(predictions.meanGaps()));
    }
  }

  /**
   * Reports the explained variance of the returns after the update, on the data of the update, and
   * before it: at that time the rollout is a hold-out sample that costs no data.
   *
   * @param explained explained variance after the update; empty if undefined
   */
  public static void explained(
      Metrics metrics,
      Rollout rollout,
      TrainingTargets estimates,
      RolloutPredictions predictions,
      OptionalDouble explained) {
    double[] targets = estimates.targets();
    double[] wanted = predictions.pick(targets);
    double[] values = predictions.values();
    explained.ifPresent(value -> metrics.put("train/explained_variance", value));
    metrics.put("train/explained_variance_available", explained.isPresent() ? 1 : 0);
    metrics.put("train/ev/n_samples", values.length);
    ExplainedVariance.of(targets, rollout.values())
        .ifPresent(value -> metrics.put("train/ev/holdout", value));
    grouped(metrics, targets, rollout.values(), rollout.shape().environments());
    ExplainedVariance.correlation(wanted, values)
        .ifPresent(value -> metrics.put("train/ev/corr", value));
    ExplainedVariance.bias(wanted, values)
        .ifPresent(
            bias -> {
              metrics.put("train/ev/bias", bias);
              double targetStd = Moments.deviation(targets);
              if (targetStd > 0) {
                metrics.put("train/ev/bias_rel", Math.abs(bias) / targetStd);
              }
            });
  }

  /**
   * Reports the explained variance of each environment alone, so that differences between
   * environments do not count as explained; on the hold-out sample, which has all transitions.
   *
   * @param returns [time, environment]
   * @param values predicted during collection
   */
  public static void grouped(Metrics metrics, double[] returns, double[] values, int environments) {
    List<Integer> keys =
        IntStream.range(0, returns.length).mapToObj(i -> i % environments).toList();
    ExplainedVariance.Grouped<Integer> grouped =
        ExplainedVariance.grouped(returns, values, keys, 0);
    grouped.mean().ifPresent(value -> metrics.put("train/ev/mean_grouped_unweighted", value));
    grouped.weightedMean().ifPresent(value -> metrics.put("train/ev/mean_grouped_weighted", value));
    grouped.median().ifPresent(value -> metrics.put("train/ev/median_grouped", value));
  }

  /**
   * The scale of targets, {@code min(1 / (retClip max(std, floor)), cap)}: the factor that brings a
   * band of {@code retClip} standard deviations of returns to unit size. It is a metric alone;
   * returns are divided by {@code std}. Pinned by {@code value_target_scale_cap_warn}.
   *
   * @param std standard deviation of returns
   * @param floor smallest standard deviation that counts
   * @param retClip half-width of the band in standard deviations
   * @param cap largest scale
   */
  public static double targetScale(double std, double floor, double retClip, double cap) {
    return Math.min(1 / (retClip * Math.max(std, floor)), cap);
  }

  /** Whether a {@linkplain #targetScale target scale} is above {@value #EXCESSIVE_SCALE}. */
  public static boolean excessive(double targetScale) {
    return targetScale > EXCESSIVE_SCALE;
  }

  /**
   * A change of the return scale.
   *
   * @param before scale of the cycle that ends
   * @param candidate scale of the cycle's returns, before the limit on the step
   * @param after scale of the next cycle
   * @param commits commits so far
   * @param dispersion of the cycle's returns, before any floor
   * @param config floor and cap
   */
  public record ScaleChange(
      ReturnScale before,
      ReturnScale candidate,
      ReturnScale after,
      long commits,
      double dispersion,
      ReturnScaleConfig config) {
    private static final double ROUNDING = 1e-9;

    /** The moving average that sets the scale approaches its floor without ever reaching it. */
    private static final double NEAR_FLOOR = 1.01;

    /** Reports the scale before and after, and what limited it. */
    public void report(Metrics metrics) {
      double scale = targetScale(before);
      metrics.put("train/ret_mean", before.mean());
      metrics.put("train/ret_std", before.std());
      metrics.put("train/ret_mean_candidate", candidate.mean());
      metrics.put("train/ret_std_candidate", candidate.std());
      metrics.put("train/value_scale_mean_before", before.mean());
      metrics.put("train/value_scale_mean_after", after.mean());
      metrics.put("train/value_scale_std_before", before.std());
      metrics.put("train/value_scale_std_after", after.std());
      metrics.put("train/value_scale_update_applied", after.equals(before) ? 0 : 1);
      metrics.put("train/value_scale_update_count", commits);
      metrics.put("train/value_scale_jump", Math.abs(Math.log(after.std() / before.std())));
      metrics.put("train/value_scale_step_limited", stepLimited() ? 1 : 0);
      metrics.put("train/value_scale_floor_active", floorActive() ? 1 : 0);
      metrics.put("train/value_target_scale", scale);
      metrics.put("train/value_target_scale_before", scale);
      metrics.put("train/value_target_scale_after", targetScale(after));
      if (before.std() <= NEAR_FLOOR * smallestStd() || excessive(scale)) {
        metrics.put("warn/excessive_return_scaling", scale);
        metrics.put("warn/ret_std_triggering_scaling", Math.min(dispersion, before.std()));
      }
    }

    private double targetScale(ReturnScale scale) {
      return ValueTelemetry.targetScale(
          scale.std(), config.stdFloor(), RETURN_CLIP, config.scaleCap());
    }

    /** Whether the returns of the cycle vary no more than the smallest divisor allowed. */
    private boolean floorActive() {
      return dispersion <= smallestStd();
    }

    private double smallestStd() {
      return Math.max(config.stdFloor(), 1 / config.scaleCap());
    }

    private boolean stepLimited() {
      double size = ROUNDING * candidate.std();
      return Math.abs(after.mean() - candidate.mean()) > size
          || Math.abs(after.std() - candidate.std()) > size;
    }
  }
}
