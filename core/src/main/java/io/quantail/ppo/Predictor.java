package io.quantail.ppo;

import io.quantail.config.RiskConfig;
import io.quantail.critic.CriticRow;
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
import java.util.Arrays;
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
      int rows = batch.size();
      Values values = new Values(rows, agent.network().valueHeads().size());
      for (int row = 0; row < rows; row++) {
        values.read(row, forward.values()[row]);
      }
      return new Predictions(
          values.lowest,
          values.quantiles,
          values.cvars,
          values.gaps,
          forward.policy().logProbability(batch.rawActions()).doubles(),
          shift(agent.network().distribution(batch.distributions()), forward, batch.rawActions()));
    }
  }

  /** What the critics say, row by row. */
  private final class Values {
    private final CriticRow critic = agent.critic().row();
    private final int critics;
    private final double[] lowest;
    private final double[] quantiles;
    private final double[] cvars;
    private final double[] gaps;

    Values(int rows, int critics) {
      this.critics = critics;
      lowest = new double[rows];
      quantiles = new double[rows * Predictions.LEVELS.size()];
      cvars = new double[rows];
      gaps = new double[critics < 2 ? 0 : rows];
    }

    void read(int row, float[] outputs) {
      double[] means = new double[critics];
      for (int one = 0; one < critics; one++) {
        int offset = one * agent.critic().outputs();
        means[one] = critic.mean(outputs, offset);
        critic.look(outputs, offset);
        int place = row * Predictions.LEVELS.size();
        for (double level : Predictions.LEVELS) {
          quantiles[place++] += critic.quantile(level) / critics;
        }
        cvars[row] += critic.cvar(risk.alpha(), risk.method()) / critics;
      }
      lowest[row] = Arrays.stream(means).min().orElseThrow();
      if (critics > 1) {
        gaps[row] = Math.abs(means[0] - means[1]);
      }
    }
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
