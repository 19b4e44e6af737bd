package io.quantail.config;

/**
 * The part of a critic's distribution whose change in one update is limited; {@code
 * critic.clip.mode}.
 */
public enum ValueClipMode {
  /** Nothing is limited. */
  DISABLE,
  /** The mean; the shape is kept. */
  MEAN_ONLY,
  /** The mean, and the growth of the dispersion; quantile critics only. */
  MEAN_AND_VARIANCE,
  /** Each quantile on its own; quantile critics only. */
  PER_QUANTILE
}
