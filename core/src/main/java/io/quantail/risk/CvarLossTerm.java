package io.quantail.risk;

import io.quantail.config.RiskConfig;
import io.quantail.value.Critic;

/**
 * The term of the loss that raises the predicted CVaR: {@code weight (-CVaR) + multiplier max(0,
 * limit - CVaR)}, in normalised units. The CVaR is the mean over samples and critics.
 *
 * <p>See: Chow, Ghavamzadeh, Janson, Pavone, "Risk-constrained reinforcement learning with
 * percentile risk criteria", JMLR 2018, arXiv:1512.01629. Pinned by the vector {@code
 * cvar_penalty_and_constraint}.
 *
 * @param alpha fraction of the worst outcomes
 * @param method how the CVaR is computed from quantiles
 * @param weight of the predicted CVaR itself
 * @param multiplier of the predicted violation
 * @param limit the limit in normalised units
 * @param cap largest size of either part; infinite for none
 */
public record CvarLossTerm(
    double alpha,
    RiskConfig.CvarMethod method,
    double weight,
    double multiplier,
    double limit,
    double cap) {

  /**
   * The two parts of the term, in normalised units.
   *
   * @param slope derivative of their sum by the CVaR
   */
  public record Reading(double penalty, double constraint, double slope) {
    /** No term. */
    public static final Reading NONE = new Reading(0, 0, 0);

    /** The sum of both parts. */
    public double total() {
      return penalty + constraint;
    }
  }

  /** The term at a CVaR. */
  public Reading at(double cvar) {
    EmpiricalCvar.Term penalty = EmpiricalCvar.penalty(cvar, weight, cap);
    EmpiricalCvar.Term constraint = EmpiricalCvar.constraint(cvar, limit, multiplier, cap);
    return new Reading(penalty.value(), constraint.value(), penalty.slope() + constraint.slope());
  }

  /**
   * The predicted CVaR, averaged over samples and critics.
   *
   * @param outputs of all critics side by side, one row per sample
   * @param slopes receives the derivative of each critic's CVaR by its outputs
   */
  public double cvar(Critic critic, float[][] outputs, float[][] slopes) {
    double sum = 0;
    int count = 0;
    for (int row = 0; row < outputs.length; row++) {
      for (int offset = 0; offset < outputs[row].length; offset += critic.outputs()) {
        sum += critic.cvar(outputs[row], offset, alpha, method, slopes[row]);
        count++;
      }
    }
    return sum / count;
  }

  /**
   * Adds {@code factor} times the derivative of the averaged CVaR by each output.
   *
   * @param slopes as {@link #cvar} left them
   */
  public static void addGradient(int critics, float[][] slopes, double factor, float[][] dOutputs) {
    float each = (float) (factor / ((double) slopes.length * critics));
    for (int row = 0; row < slopes.length; row++) {
      float[] gradient = dOutputs[row];
      float[] slope = slopes[row];
      for (int i = 0; i < gradient.length; i++) {
        gradient[i] += each * slope[i];
      }
    }
  }
}
