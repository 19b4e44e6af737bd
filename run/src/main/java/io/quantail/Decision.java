package io.quantail;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.network.PolicyDistribution;

/**
 * An action, how likely each was, and what the critics expect. It is valid until the next call of
 * the {@link ActingAgent} that gave it; {@link #copy} keeps it.
 */
public final class Decision {
  private final ActionSpace space;
  private final Action action;
  private final double[] probabilities; // of a choice; empty for other actions
  private final ReturnForecast forecast;
  private final float[] scratch = new float[1];
  private double logProbability;

  Decision(ActionSpace space, Action action, ReturnForecast forecast) {
    this(
        space,
        action,
        new double[space instanceof ActionSpace.Discrete discrete ? discrete.count() : 0],
        forecast);
  }

  private Decision(
      ActionSpace space, Action action, double[] probabilities, ReturnForecast forecast) {
    this.space = space;
    this.action = action;
    this.probabilities = probabilities;
    this.forecast = forecast;
  }

  /** Makes it the decision for another observation. */
  Decision of(PolicyDistribution policy, float[] raw, boolean[] allowed) {
    for (int index = 0; index < probabilities.length; index++) {
      scratch[0] = index;
      boolean possible = allowed.length == 0 || allowed[index];
      probabilities[index] = possible ? StrictMath.exp(policy.logProbability(scratch, 0)) : 0;
    }
    logProbability = policy.logProbability(raw, 0);
    return this;
  }

  /** {@return the action} */
  public Action action() {
    return action;
  }

  /**
   * Reads the probability of a choice.
   *
   * @param index of the choice
   * @return its probability
   */
  public double probability(int index) {
    if (probabilities.length == 0) {
      throw new IllegalStateException(
          "the actions are of %s; only one choice has probabilities".formatted(space));
    }
    return probabilities[index];
  }

  /**
   * {@return the logarithm of the probability of the action; with continuous actions of its density
   * in units of the policy}
   */
  public double logProbability() {
    return logProbability;
  }

  /** {@return the distribution of the discounted return from here} */
  public ReturnForecast forecast() {
    return forecast;
  }

  /** {@return the same decision, valid for ever} */
  public Decision copy() {
    Decision copy =
        new Decision(
            space, Action.view(space, action.toArray()), probabilities.clone(), forecast.copy());
    copy.logProbability = logProbability;
    return copy;
  }

  @Override
  public String toString() {
    return "%s, expects %s".formatted(action, forecast);
  }
}
