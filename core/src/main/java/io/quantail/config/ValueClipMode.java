package io.quantail.config;

/** What of a critic's distribution may not move far in one update; {@code critic.clip.mode}. */
public enum ValueClipMode {
  /** Nothing is limited. */
  DISABLE,
  /** The mean; the shape is kept. */
  MEAN_ONLY,
  /** The mean, and how far the spread may grow; quantile critics only. */
  MEAN_AND_VARIANCE,
  /** Each quantile on its own; quantile critics only. */
  PER_QUANTILE
}
