package io.quantail.app;

import static io.quantail.app.MutantSubject.CATEGORICAL;
import static io.quantail.app.MutantSubject.FREE;
import static io.quantail.app.MutantSubject.QUANTILE;
import static io.quantail.app.MutantSubject.ROBUST;

import java.util.List;

/** Faults between a gradient and changed parameters. */
final class OptimizerMutants {
  private OptimizerMutants() {}

  static final List<Mutant> ALL =
      List.of(
          Mutant.of(
              "pieces of a batch count alike, however large",
              QUANTILE,
              "accumulation",
              "rollout/GroupWeights",
              "total > 0 ? count / total : 0",
              "total > 0 ? 1.0 / valid.length : 0"),
          Mutant.of(
              "the gradient of the last piece is left out",
              QUANTILE,
              "accumulation",
              "ppo/GradientStep",
              "for (int i = 1; i < results.size(); i++) {",
              "for (int i = 1; i < results.size() - 1; i++) {"),
          Mutant.of(
              "gradient is clipped before it is scaled",
              QUANTILE,
              "order-of-scaling-and-clipping",
              "ppo/GradientStep",
              "clip.coefficient(norm)",
              "clip.coefficient(whole)"),
          Mutant.of(
              "the norm limit is doubled",
              QUANTILE,
              "norm-limit",
              "optim/GradientClip",
              "Math.min(1, limit / (norm + EPSILON))",
              "Math.min(1, 2 * limit / (norm + EPSILON))"),
          Mutant.of(
              "Adam lacks the correction of its first moment",
              QUANTILE,
              "optimiser-steps",
              "optim/Adam",
              "(-learningRate / (1 - Math.pow(config.beta1(), steps)))",
              "-learningRate"),
          Mutant.of(
              "Adam lacks the correction of its second moment",
              QUANTILE,
              "parameters-after-an-iteration",
              "optim/Adam",
              "(float) (1 / (1 - Math.pow(config.beta2(), steps))),",
              "1f,"),
          Mutant.of(
              "a resumed optimiser forgets how many steps it took",
              QUANTILE,
              "snapshot-round-trip",
              "optim/Adam",
              "    steps = state.longValue(\"steps\");",
              "    state.longValue(\"steps\");"),
          Mutant.of(
              "plain descent forgets its momentum",
              FREE,
              "optimiser-steps",
              "optim/Sgd",
              "momentum * velocity[i] + gradient[i]",
              "0 * velocity[i] + gradient[i]"),
          Mutant.of(
              "another optimiser is made than was asked for",
              FREE,
              "optimiser-steps",
              "optim/Optimizers",
              "case SGD -> new Sgd(config, parameters);",
              "case SGD -> new Adam(config, false, parameters);"),
          Mutant.of(
              "UPGD protects useless weights",
              CATEGORICAL,
              "optimiser-steps",
              "optim/UtilityGate",
              "new UtilityGate(-2 / (max - min)",
              "new UtilityGate(2 / (max - min)"),
          Mutant.of(
              "UPGD adds its gradient to the utility",
              CATEGORICAL,
              "optimiser-steps",
              "optim/UpgdLoops",
              "utility[i] - share * (gradient[i] * weights[i] + utility[i])",
              "utility[i] - share * (utility[i] - gradient[i] * weights[i])"),
          Mutant.of(
              "UPGD's noise does not follow the gradient",
              ROBUST,
              "optimiser-steps",
              "optim/Upgd",
              "deviations[i] = rule.sigma() * rootMeanSquare;",
              "deviations[i] = rule.sigma();"),
          Mutant.of(
              "UPGD takes the decay of another moment",
              CATEGORICAL,
              "optimiser-steps",
              "optim/UpgdRule",
              "        config.beta1(),\n" + "        config.beta2(),",
              "        config.beta2(),\n" + "        config.beta1(),"),
          Mutant.of(
              "all parameters get the noise of the first",
              ROBUST,
              "optimiser-steps",
              "optim/ParameterNoise",
              "RandomStream.restore(keys[i], step, 0)",
              "RandomStream.restore(keys[0], step, 0)"),
          Mutant.of(
              "variance scaling forgets its alpha",
              CATEGORICAL,
              "variance-gradient-scaling",
              "optim/VarianceGradientScaler",
              "1 / (1 + config.alpha() * Math.min",
              "1 / (1 + Math.min"),
          Mutant.of(
              "the noise of gradients is measured without its weight",
              CATEGORICAL,
              "variance-gradient-scaling",
              "optim/ElementwiseNoise",
              "variance[i] = keep * variance[i] + both * delta * delta;",
              "variance[i] = keep * variance[i] + share * delta * delta;"),
          Mutant.of(
              "the noise of the gradient's norm forgets its past",
              CATEGORICAL,
              "variance-gradient-scaling",
              "optim/ScalarNoise",
              "variance = (1 - weight) * (variance + weight * delta * delta);",
              "variance = weight * delta * delta;"),
          Mutant.of(
              "noise is divided by the root of the signal",
              CATEGORICAL,
              "variance-gradient-scaling",
              "optim/GradientNoise",
              "return variance / (squaredMean + epsilon);",
              "return variance / Math.sqrt(squaredMean + epsilon);"),
          Mutant.of(
              "the norm of a gradient forgets every fourth element",
              QUANTILE,
              "metrics-of-an-iteration",
              "kernel/Vectors",
              "      fourth += (double) values[i + 3] * values[i + 3];",
              "      fourth += 0;"),
          Mutant.of(
              "a learning rate ends at zero",
              QUANTILE,
              "learning-rate-schedule",
              "optim/LinearRate",
              "return initial + (last - initial) * Rates.limit(progress);",
              "return initial - initial * Rates.limit(progress);"),
          Mutant.of(
              "a cosine runs the wrong way",
              CATEGORICAL,
              "learning-rate-schedule",
              "optim/CosineRate",
              "Rates.cosine(initial, last, Rates.limit(progress))",
              "Rates.cosine(last, initial, Rates.limit(progress))"),
          Mutant.of(
              "half a cosine is a whole one",
              CATEGORICAL,
              "learning-rate-schedule",
              "optim/Rates",
              "(1 + Math.cos(Math.PI * share))",
              "(1 + Math.cos(2 * Math.PI * share))"),
          Mutant.of(
              "one cycle peaks at half of the run",
              ROBUST,
              "learning-rate-schedule",
              "optim/OneCycleRate",
              "RISE_SHARE = 0.3",
              "RISE_SHARE = 0.5"),
          Mutant.of(
              "a constant rate falls",
              FREE,
              "learning-rate-schedule",
              "optim/ConstantRate",
              "    Rates.limit(progress);\n" + "    return rate;",
              "    return rate * (1 - 0.5 * Rates.limit(progress));"),
          Mutant.of(
              "another schedule is made than was asked for",
              QUANTILE,
              "learning-rate-schedule",
              "optim/LearningRateSchedule",
              "case \"linear\" -> new LinearRate(rate, finalRate);",
              "case \"linear\" -> new ConstantRate(rate);"),
          Mutant.of(
              "the learning rate's lower bound is half as high again",
              CATEGORICAL,
              "learning-rate-schedule",
              "optim/LearningRateBounds",
              "Math.max(Math.min(rate, maximum), minimum)",
              "Math.max(Math.min(rate, maximum), 1.5 * minimum)"));
}
