package io.quantail.app;

import static io.quantail.app.MutantSubject.CATEGORICAL;
import static io.quantail.app.MutantSubject.QUANTILE;

import java.util.List;

/** Faults in the comparison of predicted and realised returns. */
final class CalibrationMutants {
  private static final String CHECK = "calibration";

  private CalibrationMutants() {}

  static final List<Mutant> ALL =
      List.of(
          Mutant.of(
              "realised returns are not discounted",
              QUANTILE,
              CHECK,
              "calibration/RealisedReturns",
              "rewards[i] + gamma * sums[next]",
              "rewards[i] + sums[next]"),
          Mutant.of(
              "a truncated episode counts as terminated",
              CATEGORICAL,
              CHECK,
              "calibration/RealisedReturns",
              "truncated ? End.TRUNCATED",
              "truncated ? End.TERMINATED"),
          Mutant.of(
              "the horizon is one reward too short",
              QUANTILE,
              CHECK,
              "calibration/RealisedReturns",
              "(long) Math.ceil(",
              "(long) Math.floor("),
          Mutant.of(
              "a waiting return adds later rewards without their discount",
              QUANTILE,
              CHECK,
              "calibration/Calibration",
              "StrictMath.pow(gamma, before) * realised.sum(first)",
              "realised.sum(first)"),
          Mutant.of(
              "calibration reads the first critic, not the lower one",
              QUANTILE,
              CHECK,
              "calibration/Calibration",
              "int offset = critic.lower(row);",
              "int offset = 0;"),
          Mutant.of(
              "a waiting prediction loses its return scale",
              QUANTILE,
              CHECK,
              "calibration/WaitingPredictions",
              "numbers[row + STD] = scale.std();",
              "numbers[row + STD] = 1;"),
          Mutant.of(
              "levels are compared with their lower bounds instead of mid-points",
              CATEGORICAL,
              CHECK,
              "calibration/CalibrationSample",
              "sorted[i] - (i + 0.5) / size",
              "sorted[i] - (double) i / size"),
          Mutant.of(
              "the realised tail has the returns above its level",
              QUANTILE,
              CHECK,
              "calibration/CalibrationSample",
              "if (level <= alpha) {",
              "if (level > alpha) {"),
          Mutant.of(
              "overlapping returns count as independent",
              QUANTILE,
              CHECK,
              "calibration/CalibrationSample",
              "return steps * (1 - correlation) / (1 + correlation);",
              "return steps * (1 - 0 * correlation);"));
}
