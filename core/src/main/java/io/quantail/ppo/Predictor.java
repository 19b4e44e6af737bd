package io.quantail.ppo;

import io.quantail.config.RiskConfig;
import io.quantail.critic.Critic;
import io.quantail.nn.ActionDistribution;
import io.quantail.nn.Forward;
import io.quantail.nn.Gaussian;
import io.quantail.ppo.Predictions.GaussianShift;
import io.quantail.rollout.Agent;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.SequenceBatch;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.tensor.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;

/** Evaluates a whole rollout with the present parameters; nothing is learnt from it. */
final class Predictor {
  private final Agent agent;
  private final RiskConfig risk;
  private final Workers workers;

  Predictor(Agent agent, RiskConfig risk, Workers workers) {
    this.agent = agent;
    this.risk = risk;
    this.workers = workers;
  }

  /** Of all transitions; every window has to be in exactly one batch. */
  Predictions predict(Rollout rollout, List<int[]> windows) {
    List<SequenceBatch> batches =
        windows.stream().map(some -> new SequenceBatch(rollout, some)).toList();
    List<Callable<Predictions>> tasks = new ArrayList<>();
    batches.forEach(batch -> tasks.add(() -> predict(batch)));
    return merge(batches, workers.run(tasks), rollout.shape().transitions());
  }

  /** Of the rows of one batch, in their order. */
  private Predictions predict(SequenceBatch batch) {
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      Forward forward = agent.network().evaluate(agent.inference(), batch.sequences());
      Critic critic = agent.critic();
      List<Tensor> means = forward.critics().stream().map(critic::mean).toList();
      double[] gaps =
          means.size() < 2 ? new double[0] : means.get(0).sub(means.get(1)).abs().doubles();
      return new Predictions(
          critic.value(forward.critics()).doubles(),
          quantiles(forward).doubles(),
          RiskTerm.cvar(critic, forward.critics(), risk.alpha(), risk.method()).doubles(),
          gaps,
          forward.policy().logProbability(batch.rawActions()).doubles(),
          shift(agent.network().distribution(batch.distributions()), forward, batch.rawActions()));
    }
  }

  private Tensor quantiles(Forward forward) {
    List<Tensor> levels =
        Predictions.LEVELS.stream().map(level -> quantile(forward, level)).toList();
    return Tensor.stack(levels, 1); // [row, level]
  }

  private Tensor quantile(Forward forward, double level) {
    List<Tensor> quantiles =
        forward.critics().stream().map(outputs -> agent.critic().quantile(outputs, level)).toList();
    return Tensor.stack(quantiles, 0).mean(0);
  }

  private static Optional<GaussianShift> shift(
      ActionDistribution collecting, Forward forward, Tensor rawActions) {
    if (!(collecting instanceof Gaussian before) || !(forward.policy() instanceof Gaussian after)) {
      return Optional.empty();
    }
    Tensor sigma = after.sigma(); // [row, size]
    Tensor meanTerm = before.mean().sub(after.mean()).div(sigma).square().mul(0.5).sum(1);
    return Optional.of(
        new GaussianShift(
            rawActions.sub(after.mean()).div(sigma).abs().doubles(),
            sigma.doubles(),
            meanTerm.doubles(),
            before.divergence(after).sub(meanTerm).doubles()));
  }

  private static Predictions merge(
      List<SequenceBatch> batches, List<Predictions> parts, int transitions) {
    Function<Function<Predictions, double[]>, double[]> scatter =
        field -> scatter(batches, parts.stream().map(field).toList(), transitions);
    Optional<GaussianShift> shift =
        parts
            .get(0)
            .shift()
            .map(
                any ->
                    new GaussianShift(
                        scatter.apply(part -> part.shift().orElseThrow().distances()),
                        scatter.apply(part -> part.shift().orElseThrow().sigmas()),
                        scatter.apply(part -> part.shift().orElseThrow().meanTerms()),
                        scatter.apply(part -> part.shift().orElseThrow().varianceTerms())));
    return new Predictions(
        scatter.apply(Predictions::values),
        scatter.apply(Predictions::quantiles),
        scatter.apply(Predictions::cvars),
        scatter.apply(Predictions::gaps),
        scatter.apply(Predictions::logProbabilities),
        shift);
  }

  /** From the order of batches and rows to that of transitions. */
  private static double[] scatter(
      List<SequenceBatch> batches, List<double[]> parts, int transitions) {
    int width = parts.get(0).length / batches.get(0).size();
    double[] target = new double[transitions * width];
    for (int batch = 0; batch < parts.size(); batch++) {
      int[] places = batches.get(batch).transitions();
      for (int row = 0; row < places.length; row++) {
        System.arraycopy(parts.get(batch), row * width, target, places[row] * width, width);
      }
    }
    return target;
  }
}
