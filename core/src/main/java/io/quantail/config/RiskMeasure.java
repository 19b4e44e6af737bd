package io.quantail.config;

/** Whose lower tail is limited. */
public enum RiskMeasure {
  /** The reward of a single step, for a market the log-return of a bar. */
  REWARDS,
  /** The discounted return from a step on, which is what the critics predict. */
  RETURNS
}
