package io.quantail.config;

/** How the distribution of returns is represented; setting {@code critic.type}. */
public enum CriticType {
  /** A fixed set of quantile levels with learnt values. */
  QUANTILE,
  /** A fixed set of values with learnt probabilities. */
  CATEGORICAL
}
