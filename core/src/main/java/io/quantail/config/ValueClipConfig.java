package io.quantail.config;

/**
 * Limits on how far the predictions of a critic may move in one update; section {@code
 * critic.clip}.
 *
 * @param mode what is limited: {@code disable}, {@code mean-only}, {@code mean-and-variance} or
 *     {@code per-quantile}; a categorical critic supports {@code disable} and {@code mean-only};
 *     default {@code disable}
 * @param range how far the mean or a quantile may move in one update, in normalised return units;
 *     positive; default 0.7
 * @param varianceFactor largest factor by which the dispersion may grow in one update, for {@code
 *     mean-and-variance}; at least 1; default 2
 * @param warmupUpdates updates at the start without clipping; at least 0; default 0
 * @param thresholdExplainedVariance explained variance of the last update below which nothing is
 *     clipped; in [-1, 1]; default null: always clip
 */
public record ValueClipConfig(
    ValueClipMode mode,
    double range,
    double varianceFactor,
    int warmupUpdates,
    Double thresholdExplainedVariance) {
  public ValueClipConfig {
    Check.present("critic.clip.mode", mode);
    Check.positive("critic.clip.range", range);
    Check.atLeast("critic.clip.varianceFactor", varianceFactor, 1);
    Check.atLeast("critic.clip.warmupUpdates", warmupUpdates, 0);
    if (thresholdExplainedVariance != null) {
      Check.within("critic.clip.thresholdExplainedVariance", thresholdExplainedVariance, -1, 1);
    }
  }

  public static ValueClipConfig defaults() {
    return new ValueClipConfig(ValueClipMode.DISABLE, 0.7, 2.0, 0, null);
  }

  /** Whether anything is ever clipped. */
  public boolean enabled() {
    return mode != ValueClipMode.DISABLE;
  }
}
