package io.quantail.app;

import static io.quantail.app.MutantSubject.CATEGORICAL;
import static io.quantail.app.MutantSubject.FUSED;
import static io.quantail.app.MutantSubject.MARKET;
import static io.quantail.app.MutantSubject.QUANTILE;

import java.util.List;

/** The faults that an audit has to find. */
final class Mutants {
  private static final String ITERATION = "parameters-after-an-iteration";
  private static final String LOSS = "loss-against-finite-differences";

  private Mutants() {}

  static final List<Mutant> ALL =
      List.of(
          // Rollout and memory
          Mutant.of(
              "memory takes each observation twice",
              QUANTILE,
              "stored-state",
              "rollout/Lane",
              "    state = next;",
              "    float[][] again = seen(environments.observations(), next, Disturbance.NONE);\n"
                  + "    state = forward(new Workspace(), again, next).next();"),
          Mutant.of(
              "memory is not emptied where an episode begins",
              QUANTILE,
              "stored-state",
              "rollout/Lane",
              "RecurrentState before = state.startEpisodes(starts);\n    if (time %",
              "RecurrentState before = state;\n    if (time %"),
          Mutant.of(
              "training begins every window with an empty memory",
              QUANTILE,
              "first-pass-ratio",
              "rollout/SequenceBatch",
              "if (rollout.episodeStarts[transition]) {",
              "if (transition >= 0) {"),
          Mutant.of(
              "truncation is bootstrapped with the state before its last observation",
              QUANTILE,
              "bootstraps",
              "rollout/Lane",
              "value(forward(held, last, after), scale",
              "value(forward(new Workspace(), last, state), scale"),
          Mutant.of(
              "observation statistics move during the rollout",
              QUANTILE,
              "normaliser-frozen",
              "rollout/Agent",
              "    normalizer.normalize(raw, from, result, 0, rows);",
              "    normalizer.update(Arrays.copyOfRange(raw, from, from + count), rows);\n"
                  + "    normalizer.normalize(raw, from, result, 0, rows);"),
          Mutant.of(
              "twins: the higher mean is used",
              QUANTILE,
              "value-of-twins",
              "critic/Critic",
              "reduce(Tensor::minimum)",
              "reduce(Tensor::maximum)"),
          Mutant.of(
              "twins: the rollout keeps the higher mean",
              QUANTILE,
              "values-and-log-probabilities",
              "rollout/Lane",
              "lowest = Math.min(lowest, criticRow.mean(outputs, critic));",
              "double mean = criticRow.mean(outputs, critic);\n"
                  + "        lowest = critic == 0 ? mean : Math.max(lowest, mean);"),
          // Estimates
          Mutant.of(
              "truncation is not bootstrapped",
              QUANTILE,
              "gae",
              "rollout/Gae",
              "return input.bootstrap()[index];",
              "return 0;"),
          Mutant.of(
              "bootstrap goes through a termination",
              QUANTILE,
              "gae-with-other-ends",
              "rollout/Gae",
              "    if (input.terminated()[index]) {",
              "    if (input.terminated()[index] && index < 0) {"),
          Mutant.of(
              "trace runs into the next episode",
              QUANTILE,
              "gae",
              "rollout/Gae",
              "return input.terminated()[index] || input.truncated()[index] || isLastStep(input, index);",
              "return isLastStep(input, index);"),
          Mutant.of(
              "advantages: ddof 0",
              QUANTILE,
              "advantage-normalisation",
              "rollout/Moments",
              "squares / (count - 1)",
              "squares / count"),
          Mutant.of(
              "advantages are centred once more in every microbatch",
              QUANTILE,
              ITERATION,
              "ppo/TensorLoss",
              "Tensor advantages = batch.pick(estimates.advantages());",
              "Tensor picked = batch.pick(estimates.advantages());\n"
                  + "    Tensor advantages = picked.sub(picked.mean());"),
          Mutant.of(
              "targets are clipped",
              QUANTILE,
              "targets-never-clipped",
              "ppo/Estimates",
              "gae.returns(), scale.normalize(gae.returns()));",
              "gae.returns(), java.util.Arrays.stream(scale.normalize(gae.returns()))"
                  + ".map(x -> Math.max(-10, Math.min(10, x))).toArray());"),
          Mutant.of(
              "value heads do not follow the return scale",
              QUANTILE,
              ITERATION,
              "train/Trainer",
              "if (agent.critic().outputsAreReturns()) {",
              "if (!agent.critic().outputsAreReturns()) {"),
          Mutant.of(
              "value heads follow the scale without its mean",
              QUANTILE,
              "head-rescale",
              "critic/HeadRescale",
              "(before.mean() - after.mean()) / after.std()",
              "0"),
          // Policy
          Mutant.of(
              "log-ratio has the wrong sign",
              QUANTILE,
              LOSS,
              "ppo/TensorLoss",
              "logProbability.sub(batch.logProbabilities())",
              "batch.logProbabilities().sub(logProbability)"),
          Mutant.of(
              "surrogate takes the larger of the two",
              QUANTILE,
              "clipped-surrogate",
              "ppo/PolicyLoss",
              ".minimum(clipped.mul(advantages))",
              ".maximum(clipped.mul(advantages))"),
          Mutant.of(
              "density lacks the correction for squashing",
              QUANTILE,
              "density-sums-to-one",
              "nn/Gaussian",
              "return base.sub(squashing.logDerivative(raw)).sum(1);",
              "return base.sum(1);"),
          Mutant.of(
              "entropy is punished",
              QUANTILE,
              LOSS,
              "ppo/Microbatch",
              ".sub(terms.entropy().mul(coefficients.entropy()))",
              ".add(terms.entropy().mul(coefficients.entropy()))"),
          Mutant.of(
              "fused loss: log-ratio has the wrong sign",
              FUSED,
              LOSS,
              "ppo/FusedLoss",
              "(float) logProbability - oldLogs[row]",
              "oldLogs[row] - (float) logProbability"),
          Mutant.of(
              "fused loss: ratios beyond the clip range still push",
              FUSED,
              LOSS,
              "ppo/FusedLoss",
              "free <= clipped ? -free * bounded.slope : 0",
              "-free * bounded.slope"),
          Mutant.of(
              "fused loss: entropy is punished",
              FUSED,
              LOSS,
              "ppo/FusedLoss",
              "          -share * coefficients.entropy(),",
              "          share * coefficients.entropy(),"),
          // Critics
          Mutant.of(
              "quantile loss: asymmetry the wrong way round",
              QUANTILE,
              "loss",
              "critic/QuantileCritic",
              ".sub(error.below(0)).abs()",
              ".sub(error.neg().below(0)).abs()"),
          Mutant.of(
              "quantile levels are not mid-points",
              QUANTILE,
              "quantile-levels",
              "critic/QuantileCritic",
              "(i + 0.5) / quantiles",
              "(i + 1.0) / quantiles"),
          Mutant.of(
              "Huber loss is divided by kappa",
              QUANTILE,
              "loss",
              "critic/QuantileCritic",
              "Tensor huber = quadratic.mul(size.sub(quadratic.mul(0.5)));",
              "Tensor huber = quadratic.mul(size.sub(quadratic.mul(0.5))).mul(1 / kappa);"),
          Mutant.of(
              "fused loss: asymmetry the wrong way round",
              FUSED,
              LOSS,
              "critic/QuantileRow",
              "new QuantileLoss((float) critic.kappa(), above, below)",
              "new QuantileLoss((float) critic.kappa(), below, above)"),
          Mutant.of(
              "projection is one atom off",
              CATEGORICAL,
              "projection",
              "critic/Support",
              ".mul(1 / spacing()).clamp(0, count - 1.0)",
              ".mul(1 / spacing()).add(1).clamp(0, count - 1.0)"),
          Mutant.of(
              "cross-entropy is not divided by ln N",
              CATEGORICAL,
              "loss",
              "critic/CategoricalCritic",
              "return crossEntropy.mul(1 / normalizer(support.count()));",
              "return crossEntropy;"),
          Mutant.of(
              "clipped and free losses are averaged before the larger is taken",
              QUANTILE,
              LOSS,
              "ppo/CriticTerm",
              "loss -> loss.larger().mean()",
              "loss -> loss.free().mean().maximum(loss.clipped().mean())"),
          Mutant.of(
              "critics do not teach their trunk",
              QUANTILE,
              "critic-term-flow",
              "nn/Pass",
              "return output.head.inputGradient(workspace, dy, rows);",
              "return output.trunk == 0 ? output.head.inputGradient(workspace, dy, rows)"
                  + " : workspace.zeros(rows, latent[0].length);"),
          Mutant.of(
              "CVaR of the best outcomes",
              QUANTILE,
              "predicted-cvar",
              "critic/Cvar",
              "return quantiles.sort(1).mul(",
              "return quantiles.neg().sort(1).neg().mul("),
          // Risk
          Mutant.of(
              "measured CVaR of the best outcomes",
              QUANTILE,
              "empirical-cvar",
              "critic/RiskMath",
              "Arrays.stream(percentiles.lowest(tail))",
              "Arrays.stream(percentiles.lowest(samples.length)).skip(samples.length - tail)"),
          Mutant.of(
              "multiplier falls when the limit is broken",
              CATEGORICAL,
              "multiplier",
              "critic/RiskMath",
              "Math.min(max, lambda + step)",
              "Math.min(max, lambda - step)"),
          Mutant.of(
              "steps that make the tail are rewarded",
              CATEGORICAL,
              "advantages-under-a-limit",
              "rollout/Gae",
              "clamp(advantages[i] - costs[i])",
              "clamp(advantages[i] + costs[i])"),
          // Gradients and optimisers
          Mutant.of(
              "pieces of a batch count alike, however large",
              QUANTILE,
              "accumulation",
              "rollout/GroupWeights",
              "total > 0 ? count / total : 0",
              "total > 0 ? 1.0 / valid.length : 0"),
          Mutant.of(
              "gradient is clipped before it is scaled",
              QUANTILE,
              "order-of-scaling-and-clipping",
              "ppo/GradientStep",
              "clip.coefficient(norm)",
              "clip.coefficient(whole)"),
          Mutant.of(
              "Adam lacks the correction of its first moment",
              QUANTILE,
              "optimiser-steps",
              "optim/Adam",
              "(-learningRate / (1 - Math.pow(config.beta1(), steps)))",
              "-learningRate"),
          Mutant.of(
              "UPGD protects useless weights",
              CATEGORICAL,
              "optimiser-steps",
              "optim/UtilityGate",
              "new UtilityGate(-2 / (max - min)",
              "new UtilityGate(2 / (max - min)"),
          Mutant.of(
              "variance scaling forgets its alpha",
              CATEGORICAL,
              "variance-gradient-scaling",
              "optim/VarianceGradientScaler",
              "1 / (1 + config.alpha() * Math.min",
              "1 / (1 + Math.min"),
          Mutant.of(
              "a resumed optimiser forgets how many steps it took",
              QUANTILE,
              "snapshot-round-trip",
              "optim/Adam",
              "    steps = state.longValue(\"steps\");",
              "    state.longValue(\"steps\");"),
          // Markets
          Mutant.of(
              "a feature looks at the next bar",
              MARKET,
              "features-see-no-future",
              "market/feature/PriceFeatures",
              "(bars.close(t) - bars.open(t)) / bars.close(t)",
              "(bars.close(Math.min(t + 1, bars.size() - 1)) - bars.open(t)) / bars.close(t)"),
          Mutant.of(
              "slippage is forgotten",
              MARKET,
              "books-from-fills",
              "market/execution/Execution",
              "double price = reference * (1 + Math.copySign(slip, amount));",
              "double price = reference;"),
          Mutant.of(
              "orders are filled at the close they were decided at",
              MARKET,
              "books-from-fills",
              "market/execution/Execution",
              "double reference = prices.open(t + 1);",
              "double reference = prices.close(t);"),
          Mutant.of(
              "features are scaled with all bars",
              MARKET,
              "scale-from-training-alone",
              "market/setup/Market",
              "folds.stream().map(fold -> fold.range(Split.TRAIN)).toList()",
              "bars.stream().map(b -> new BarRange(0, b.size())).toList()"));
}
