package io.quantail.ppo;

import io.quantail.config.PpoConfig;
import io.quantail.critic.Critic;
import io.quantail.nn.ActorCritic;
import io.quantail.nn.Forward;
import io.quantail.rollout.Agent;
import io.quantail.rollout.SequenceBatch;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * The loss as tensors that libtorch differentiates: every term there is, and the twin of {@link
 * FusedLoss}.
 */
final class TensorLoss {
  private final ActorCritic network;
  private final Critic critic;
  private final PpoConfig config;

  TensorLoss(Agent agent, PpoConfig config) {
    this.network = agent.network();
    this.critic = agent.critic();
    this.config = config;
  }

  /** Adds the weighted gradient to that of the parameters, unless it is not usable. */
  Microbatch.Result backward(
      Forward forward,
      SequenceBatch batch,
      Estimates estimates,
      Microbatch.Coefficients coefficients,
      double weight) {
    try (Scope scope = Scope.open()) {
      return evaluate(forward, batch, estimates, coefficients, weight);
    }
  }

  private Microbatch.Result evaluate(
      Forward forward,
      SequenceBatch batch,
      Estimates estimates,
      Microbatch.Coefficients coefficients,
      double weight) {
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
            () -> network.distribution(batch.distributions()).divergence(forward.policy()).mean());
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
        Microbatch.total(
            new Microbatch.Terms(
                surrogate, cloning, divergence, entropy.mean(), criticTerm.mean(), risk),
            coefficients);
    List<Tensor> terms = new ArrayList<>(List.of(surrogate, cloning, divergence, total));
    terms.addAll(risk);
    terms.addAll(criticTerm.losses());
    terms.addAll(criticTerm.readings());
    Microbatch.Result result = read(batch.size(), logRatio, entropy, !risk.isEmpty(), terms);
    if (result.usable()) {
      total.mul(weight).backward();
      forward.propagate();
    }
    return result;
  }

  /** Penalty and constraint, or nothing. */
  private List<Tensor> risk(Microbatch.Coefficients coefficients, Forward forward) {
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

  /** One read for all mean terms, because every read waits for the tensor to be computed. */
  private Microbatch.Result read(
      int samples, Tensor logRatio, Tensor entropy, boolean risk, List<Tensor> terms) {
    double[] values;
    try (Gradients off = Gradients.off()) {
      values = Tensor.stack(terms, 0).doubles();
    }
    int losses = risk ? 6 : 4;
    int readings = losses + network.valueHeads().size();
    return new Microbatch.Result(
        samples,
        logRatio.floats(),
        entropy.floats(),
        values[0],
        values[1],
        values[2],
        Arrays.copyOfRange(values, losses, readings),
        CriticTerm.Reading.of(Arrays.copyOfRange(values, readings, values.length)),
        risk ? new Microbatch.RiskReading(values[4], values[5]) : Microbatch.RiskReading.NONE,
        values[3]);
  }
}
