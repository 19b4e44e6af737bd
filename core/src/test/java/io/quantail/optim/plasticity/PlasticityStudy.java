package io.quantail.optim.plasticity;

import io.quantail.config.OptimizerConfig;
import io.quantail.config.RunConfig;
import io.quantail.testing.SmallRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * How well optimisers still learn after many changes of the task.
 *
 * <p>Measured is the accuracy on samples not seen before over the last fifth of every phase. Each
 * optimiser gets the same number of learning rates to choose from, judged on a seed that is not
 * used afterwards.
 *
 * @param change what a new phase changes
 * @param phases number of phases
 * @param steps optimiser steps in a phase
 */
record PlasticityStudy(ChangingTask.Change change, int phases, int steps) {
  private static final int BATCH = 8;
  private static final int WIDTH = 64;
  private static final int TUNING_SEED = 101;

  /** Not among those with which task and grids were chosen. */
  private static final int FIRST_SEED = 201;

  /** An optimiser and the learning rates it may choose from. */
  record Candidate(String name, List<Double> learningRates) {}

  /**
   * What an optimiser reached.
   *
   * @param late late accuracy, [seed][phase]
   */
  record Outcome(String name, double learningRate, double[][] late) {

    /** Mean and standard error over seeds in one phase. */
    double[] phase(int phase) {
      return meanAndError(seed -> late[seed][phase]);
    }

    /** Mean and standard error over seeds of the mean over phases. */
    double[] phases(int from, int to) {
      return meanAndError(
          seed ->
              DoubleStream.of(late[seed])
                  .skip(from)
                  .limit((long) to - from)
                  .average()
                  .orElseThrow());
    }

    private double[] meanAndError(IntToDoubleFunction value) {
      double[] values = IntStream.range(0, late.length).mapToDouble(value).toArray();
      double mean = DoubleStream.of(values).average().orElseThrow();
      double squares = DoubleStream.of(values).map(x -> (x - mean) * (x - mean)).sum();
      return new double[] {mean, Math.sqrt(squares / (values.length - 1) / values.length)};
    }
  }

  /** Chooses a learning rate for the candidate and measures it on fresh seeds. */
  Outcome run(Candidate candidate, int seeds) {
    double chosen = 0;
    double best = -1;
    for (double rate : candidate.learningRates()) {
      double accuracy =
          DoubleStream.of(run(config(candidate.name(), rate), TUNING_SEED)).average().orElseThrow();
      if (accuracy > best) {
        best = accuracy;
        chosen = rate;
      }
    }
    List<double[]> late = new ArrayList<>();
    for (long seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
      late.add(run(config(candidate.name(), chosen), seed));
    }
    return new Outcome(candidate.name(), chosen, late.toArray(double[][]::new));
  }

  /** The late accuracy of every phase. */
  double[] run(OptimizerConfig config, long seed) {
    ChangingTask task = new ChangingTask(seed, change);
    double[] late = new double[phases];
    int from = steps - steps / 5;
    ContinualLearner learner = new ContinualLearner(config, WIDTH, seed);
    for (int phase = 0; phase < phases; phase++) {
      ChangingTask.Phase samples = task.phase(phase);
      for (int step = 0; step < steps; step++) {
        double accuracy = learner.step(samples.batch(step, BATCH));
        late[phase] += step < from ? 0 : accuracy / (steps - from);
      }
    }
    return late;
  }

  static OptimizerConfig config(String name, double learningRate) {
    List<String> overrides =
        List.of("optimizer.name=" + name, "optimizer.learningRate=" + learningRate);
    return SmallRuns.override(RunConfig.defaults(), overrides).optimizer();
  }
}
