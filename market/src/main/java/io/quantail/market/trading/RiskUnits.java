package io.quantail.market.trading;

/**
 * The unit of an agent's actions: the weight of an action a at a close with EWMA volatility σ is a
 * · min(1, budget / σ). The weight falls when the volatility rises above the budget; its sign is
 * that of the action, and its size never exceeds that of the action.
 *
 * @param budget volatility per bar of a position with an action of 1; infinite for plain weights
 */
public record RiskUnits(double budget) {
  /** Plain weights: the weight is the action at any volatility. */
  public static final RiskUnits NONE = new RiskUnits(Double.POSITIVE_INFINITY);

  /**
   * Checks the budget.
   *
   * @throws IllegalArgumentException if the budget is not positive
   */
  public RiskUnits {
    if (!(budget > 0)) {
      throw new IllegalArgumentException(
          "the volatility budget of risk units must be positive, was " + budget);
    }
  }

  /** Whether weights depend on the volatility. */
  public boolean active() {
    return budget < Double.POSITIVE_INFINITY;
  }

  /**
   * The weight of an action.
   *
   * @param action weight at low volatility
   * @param volatility EWMA volatility at the close of the decision; plain weights do not need it,
   *     so it may still be NaN
   */
  public double weight(double action, double volatility) {
    return active() ? action * Math.min(1, budget / volatility) : action;
  }
}
