package io.quantail.ppo;

import io.quantail.config.PpoConfig;
import io.quantail.critic.Critic;
import io.quantail.critic.ValueClip;
import io.quantail.kernel.Vectors;
import io.quantail.kernel.Workspace;
import io.quantail.nn.ActorCritic;
import io.quantail.nn.Forward;
import io.quantail.nn.Parameters;
import io.quantail.rollout.Agent;
import io.quantail.rollout.SequenceBatch;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/**
 * The loss of one piece of a batch and its gradient.
 *
 * <p>{@code L = -surrogate + bc cloning + beta KL - c_H H + c_V critic + risk}, averaged over the
 * piece's samples and weighted with the piece's share of the batch, so that the sum over pieces has
 * the gradient of the whole batch.
 */
final class Microbatch {

  /**
   * What stays the same during one update.
   *
   * @param clipRange half-width of the ratio's free interval
   * @param cloning coefficient of the behaviour-cloning term
   * @param klPenalty coefficient of the exact divergence from the old policy
   * @param entropy coefficient of the entropy bonus
   * @param critic coefficient of the critic loss
   * @param valueClip limit on the critics' move; empty when they are free
   * @param risk push on the predicted CVaR; empty when there is none
   */
  record Coefficients(
      double clipRange,
      double cloning,
      double klPenalty,
      double entropy,
      double critic,
      Optional<ValueClip> valueClip,
      Optional<RiskTerm> risk) {}

  /**
   * Mean loss terms and per-sample quantities of a piece.
   *
   * @param samples number of samples
   * @param logRatios log-ratio of each sample, before any bound
   * @param entropies policy entropy of each sample
   * @param criticLosses mean loss of each critic
   * @param valueClip what clipping the critics did; empty when they were free
   * @param risk the risk terms; zero without them
   */
  record Result(
      int samples,
      float[] logRatios,
      float[] entropies,
      double surrogateLoss,
      double cloningLoss,
      double divergence,
      double[] criticLosses,
      Optional<CriticTerm.Reading> valueClip,
      RiskReading risk,
      double total) {

    /** Whether the gradient of this piece may be used. */
    boolean usable() {
      return finiteLogRatios() && Double.isFinite(total);
    }

    boolean finiteLogRatios() {
      for (float logRatio : logRatios) {
        if (!Float.isFinite(logRatio)) {
          return false;
        }
      }
      return true;
    }
  }

  /** The two parts of the risk term, in normalised units. */
  record RiskReading(double penalty, double constraint) {
    static final RiskReading NONE = new RiskReading(0, 0);

    double total() {
      return penalty + constraint;
    }
  }

  /** The mean terms of the loss, each of one element, before their coefficients. */
  record Terms(
      Tensor surrogate,
      Tensor cloning,
      Tensor divergence,
      Tensor entropy,
      Tensor critic,
      List<Tensor> risk) {}

  private final ActorCritic network;
  private final Critic critic;
  private final FusedLoss fusedLoss;
  private final TensorLoss tensorLoss;

  Microbatch(Agent agent, PpoConfig config) {
    this.network = agent.network();
    this.critic = agent.critic();
    fusedLoss = new FusedLoss(critic, network.valueHeads().size(), config);
    tensorLoss = new TensorLoss(agent, config);
  }

  /** Leaves the weighted gradient in the replica, or a zero gradient when it is not usable. */
  Result backward(
      Parameters.Replica parameters,
      SequenceBatch batch,
      Estimates estimates,
      Coefficients coefficients,
      double weight) {
    Workspace workspace = parameters.workspace();
    workspace.reset();
    Forward forward = network.evaluate(workspace, parameters, batch.sequences());
    parameters.clearGradient();
    return FusedLoss.covers(coefficients)
        ? fusedLoss.backward(workspace, forward, batch, estimates, coefficients, weight)
        : tensorLoss.backward(forward, batch, estimates, coefficients, weight);
  }

  /** Pinned by {@code total_loss_composition}. */
  static Tensor total(Terms terms, Coefficients coefficients) {
    Tensor total =
        terms
            .surrogate()
            .add(terms.cloning().mul(coefficients.cloning()))
            .add(terms.divergence().mul(coefficients.klPenalty()))
            .sub(terms.entropy().mul(coefficients.entropy()))
            .add(terms.critic().mul(coefficients.critic()));
    for (Tensor part : terms.risk()) {
      total = total.add(part);
    }
    return total;
  }

  /**
   * Leaves the gradient of the risk term alone in the replica and returns its norm.
   *
   * <p>For monitoring, outside the loop over batches: {@link #backward} starts from zero again.
   */
  double riskGradientNorm(Parameters.Replica parameters, SequenceBatch batch, RiskTerm term) {
    try (Scope scope = Scope.open()) {
      parameters.clearGradient();
      Forward forward = network.evaluate(parameters, batch.sequences());
      Tensor cvar = term.cvar(critic, forward.critics());
      term.penalty(cvar).add(term.constraint(cvar)).backward();
      forward.propagate();
      return Vectors.norm(parameters.gradient());
    }
  }
}
