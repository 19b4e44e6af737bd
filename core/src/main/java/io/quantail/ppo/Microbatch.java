package io.quantail.ppo;

import io.quantail.config.PpoConfig;
import io.quantail.critic.Critic;
import io.quantail.critic.ValueClip;
import io.quantail.nn.ActorCritic;
import io.quantail.nn.Forward;
import io.quantail.nn.Parameters;
import io.quantail.rollout.Agent;
import io.quantail.rollout.SequenceBatch;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

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
  private final PpoConfig config;

  Microbatch(Agent agent, PpoConfig config) {
    this.network = agent.network();
    this.critic = agent.critic();
    this.config = config;
  }

  /** Leaves the weighted gradient in the replica, or a zero gradient when it is not usable. */
  Result backward(
      Parameters.Replica parameters,
      SequenceBatch batch,
      Estimates estimates,
      Coefficients coefficients,
      double weight) {
    try (Scope scope = Scope.open()) {
      parameters.gradient().zeroInPlace();
      Forward forward = network.evaluate(parameters, batch.sequences());
      Tensor advantages = batch.pick(estimates.advantages());
      Tensor targets = batch.pick(estimates.targets());

      Tensor logProbability = forward.policy().logProbability(batch.rawActions());
      Tensor logRatio = logProbability.sub(batch.logProbabilities());
      Tensor ratio = PolicyLoss.ratio(logRatio, config.ratioBound());
      Tensor surrogate =
          PolicyLoss.clippedSurrogate(ratio, advantages, coefficients.clipRange()).mean().neg();
      Tensor cloning =
          differentiatedIf(
              coefficients.cloning() != 0,
              () -> PolicyLoss.cloning(logProbability, advantages, config.cloning().beta()).mean());
      Tensor divergence =
          differentiatedIf(
              coefficients.klPenalty() != 0,
              () ->
                  network.distribution(batch.distributions()).divergence(forward.policy()).mean());
      Tensor entropy = // [row]
          differentiatedIf(coefficients.entropy() != 0, () -> forward.policy().entropy());
      CriticTerm criticTerm =
          coefficients
              .valueClip()
              .map(
                  clip ->
                      CriticTerm.clipped(
                          clip, critic, forward.critics(), batch.criticOutputs(), targets))
              .orElseGet(() -> CriticTerm.free(critic, forward.critics(), targets));

      List<Tensor> risk = risk(coefficients, forward);

      Tensor total =
          total(
              new Terms(surrogate, cloning, divergence, entropy.mean(), criticTerm.mean(), risk),
              coefficients);
      List<Tensor> terms = new ArrayList<>(List.of(surrogate, cloning, divergence, total));
      terms.addAll(risk);
      terms.addAll(criticTerm.losses());
      terms.addAll(criticTerm.readings());
      Result result = read(batch.size(), logRatio, entropy, !risk.isEmpty(), terms);
      if (result.usable()) {
        total.mul(weight).backward();
        forward.propagate();
      }
      return result;
    }
  }

  /** Penalty and constraint, or nothing. */
  private List<Tensor> risk(Coefficients coefficients, Forward forward) {
    if (coefficients.risk().isEmpty()) {
      return List.of();
    }
    RiskTerm term = coefficients.risk().get();
    Tensor cvar = term.cvar(critic, forward.critics());
    return List.of(term.penalty(cvar), term.constraint(cvar));
  }

  /** A term that has no weight is measured but not recorded. */
  private static Tensor differentiatedIf(boolean weighs, Supplier<Tensor> term) {
    if (weighs) {
      return term.get();
    }
    try (Gradients off = Gradients.off()) {
      return term.get();
    }
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
      parameters.gradient().zeroInPlace();
      Forward forward = network.evaluate(parameters, batch.sequences());
      Tensor cvar = term.cvar(critic, forward.critics());
      term.penalty(cvar).add(term.constraint(cvar)).backward();
      forward.propagate();
      return parameters.gradient().norm().item();
    }
  }

  /** One read for all mean terms, because every read waits for the tensor to be computed. */
  private Result read(
      int samples, Tensor logRatio, Tensor entropy, boolean risk, List<Tensor> terms) {
    double[] values;
    try (Gradients off = Gradients.off()) {
      values = Tensor.stack(terms, 0).doubles();
    }
    int losses = risk ? 6 : 4;
    int readings = losses + network.valueHeads().size();
    return new Result(
        samples,
        logRatio.floats(),
        entropy.floats(),
        values[0],
        values[1],
        values[2],
        Arrays.copyOfRange(values, losses, readings),
        CriticTerm.Reading.of(Arrays.copyOfRange(values, readings, values.length)),
        risk ? new RiskReading(values[4], values[5]) : RiskReading.NONE,
        values[3]);
  }
}
