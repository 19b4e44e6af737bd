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
              "microbatches have equal weights, whatever their sizes",
              QUANTILE,
              "accumulation",
              "optim/MicrobatchWeights",
              "total > 0 ? count / total : 0",
              "total > 0 ? 1.0 / valid.length : 0"),
          Mutant.of(
              "the gradient of the last microbatch is left out",
              QUANTILE,
              "accumulation",
              "optim/OptimizerStep",
              "for (int i = 1; i < gradients.size(); i++) {",
              "for (int i = 1; i < gradients.size() - 1; i++) {"),
          Mutant.of(
              "gradient is clipped before it is scaled",
              QUANTILE,
              "order-of-scaling-and-clipping",
              "optim/OptimizerStep",
              "clip.coefficient(norm)",
              "clip.coefficient(whole)"),
          Mutant.of(
              "the norm limit is doubled",
              QUANTILE,
              "norm-limit",
              "optim/GradientNormClip",
              "Math.min(1, limit / (norm + EPSILON))",
              "Math.min(1, 2 * limit / (norm + EPSILON))"),
          Mutant.of(
              "Adam lacks the correction of its first moment",
              QUANTILE,
              "optimiser-steps",
              "optim/Adam",
              "(-learningRate / (1 - Math.pow(settings.beta1(), steps)))",
              "-learningRate"),
          Mutant.of(
              "Adam lacks the correction of its second moment",
              QUANTILE,
              "parameters-after-an-iteration",
              "optim/Adam",
              "(float) (1 / (1 - Math.pow(settings.beta2(), steps))),",
              "1f,"),
          Mutant.of(
              "a resumed optimiser restarts its step count",
              QUANTILE,
              "snapshot-round-trip",
              "optim/Adam",
              "      steps = savedSteps;",
              "      steps = 0;"),
          Mutant.of(
              "SGD ignores its momentum",
              FREE,
              "optimiser-steps",
              "optim/Sgd",
              "momentum * velocity[i] + gradient[i]",
              "0 * velocity[i] + gradient[i]"),
          Mutant.of(
              "another optimiser is created than configured",
              FREE,
              "optimiser-steps",
              "optim/Optimizer",
              "case SGD -> new Sgd(Sgd.Settings.of(config), parameters);",
              "case SGD -> new Adam(Adam.Settings.of(config), parameters);"),
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
              "optim/UpgdKernel",
              "utility[i] - share * (gradient[i] * weights[i] + utility[i])",
              "utility[i] - share * (utility[i] - gradient[i] * weights[i])"),
          Mutant.of(
              "the noise of UPGD does not scale with the gradient",
              ROBUST,
              "optimiser-steps",
              "optim/Upgd",
              "deviations[i] = settings.sigma() * rootMeanSquare;",
              "deviations[i] = settings.sigma();"),
          Mutant.of(
              "UPGD uses the decay rate of another moment",
              CATEGORICAL,
              "optimiser-steps",
              "optim/Upgd",
              "          config.beta1(),\n" + "          config.beta2(),",
              "          config.beta2(),\n" + "          config.beta1(),"),
          Mutant.of(
              "all parameters get the noise of the first",
              ROBUST,
              "optimiser-steps",
              "optim/ParameterNoise",
              "RandomStream.restore(keys[i], step, 0)",
              "RandomStream.restore(keys[0], step, 0)"),
          Mutant.of(
              "variance scaling ignores alpha",
              CATEGORICAL,
              "variance-gradient-scaling",
              "optim/VarianceGradientScaler",
              "1 / (1 + config.alpha() * Math.min",
              "1 / (1 + Math.min"),
          Mutant.of(
              "the noise of gradients is measured without its weight",
              CATEGORICAL,
              "variance-gradient-scaling",
              "optim/GradientNoise",
              "variance[i] = keep * variance[i] + both * delta * delta;",
              "variance[i] = keep * variance[i] + share * delta * delta;"),
          Mutant.of(
              "the noise of the gradient norm ignores earlier gradients",
              CATEGORICAL,
              "variance-gradient-scaling",
              "optim/GradientNoise",
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
              "the norm of a gradient omits every fourth element",
              QUANTILE,
              "metrics-of-an-iteration",
              "kernel/FloatVectors",
              "      fourth += (double) values[i + 3] * values[i + 3];",
              "      fourth += 0;"),
          Mutant.of(
              "a learning rate ends at zero",
              QUANTILE,
              "learning-rate-schedule",
              "optim/LearningRateSchedule",
              "Schedule.Shape.LINEAR.between(initial, last, limit(progress))",
              "Schedule.Shape.LINEAR.between(initial, 0, limit(progress))"),
          Mutant.of(
              "a cosine schedule runs backwards",
              CATEGORICAL,
              "learning-rate-schedule",
              "optim/LearningRateSchedule",
              "Schedule.Shape.COSINE.between(initial, last, limit(progress))",
              "Schedule.Shape.COSINE.between(last, initial, limit(progress))"),
          Mutant.of(
              "half a cosine period is a whole one",
              CATEGORICAL,
              "learning-rate-schedule",
              "config/CoefficientSchedule",
              "(1 + Math.cos(Math.PI * fraction))",
              "(1 + Math.cos(2 * Math.PI * fraction))"),
          Mutant.of(
              "one cycle peaks at half of the run",
              ROBUST,
              "learning-rate-schedule",
              "optim/LearningRateSchedule",
              "RISE_FRACTION = 0.3",
              "RISE_FRACTION = 0.5"),
          Mutant.of(
              "a constant rate falls",
              FREE,
              "learning-rate-schedule",
              "optim/LearningRateSchedule",
              "      limit(progress);\n" + "      return rate;",
              "      return rate * (1 - 0.5 * limit(progress));"),
          Mutant.of(
              "another schedule is created than configured",
              QUANTILE,
              "learning-rate-schedule",
              "optim/LearningRateSchedule",
              "case \"linear\" -> new Linear(rate, finalRate);",
              "case \"linear\" -> new Constant(rate);"),
          Mutant.of(
              "the lower bound of the learning rate is 1.5 times too high",
              CATEGORICAL,
              "learning-rate-schedule",
              "optim/LearningRateBounds",
              "Math.max(Math.min(rate, maximum), minimum)",
              "Math.max(Math.min(rate, maximum), 1.5 * minimum)"));
}
