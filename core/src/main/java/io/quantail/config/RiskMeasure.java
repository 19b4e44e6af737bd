package io.quantail.config;

/** Quantities whose lower tail can be limited. */
public enum RiskMeasure {
  /** The reward of a single step, for a market the log-return of a bar. */
  REWARDS,
  /** The discounted return from a step on, which is what the critics predict. */
  RETURNS
}
