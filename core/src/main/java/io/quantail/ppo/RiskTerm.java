package io.quantail.ppo;

import io.quantail.config.CvarMethod;
import io.quantail.critic.Critic;
import io.quantail.critic.RiskMath;
import io.quantail.tensor.Tensor;
import java.util.List;

/**
 * What the loss adds to push the predicted CVaR up: {@code weight (-CVaR) + multiplier max(0, limit
 * - CVaR)}, in normalised units.
 *
 * @param alpha share of the worst outcomes
 * @param method how the CVaR is read from quantiles
 * @param weight of the predicted CVaR itself
 * @param multiplier of the predicted violation
 * @param limit the limit in normalised units
 * @param cap largest size of either part; infinite for none
 */
record RiskTerm(
    double alpha, CvarMethod method, double weight, double multiplier, double limit, double cap) {

  /** The predicted CVaR, averaged over samples and critics; one element. */
  Tensor cvar(Critic critic, List<Tensor> outputs) {
    return cvar(critic, outputs, alpha, method).mean();
  }

  /** The predicted CVaR of each sample, averaged over critics; result [row]. */
  static Tensor cvar(Critic critic, List<Tensor> outputs, double alpha, CvarMethod method) {
    List<Tensor> each = outputs.stream().map(output -> critic.cvar(output, alpha, method)).toList();
    return Tensor.stack(each, 0).mean(0);
  }

  Tensor penalty(Tensor cvar) {
    return RiskMath.penalty(cvar, weight, cap);
  }

  Tensor constraint(Tensor cvar) {
    return RiskMath.constraint(cvar, limit, multiplier, cap);
  }
}
