package io.quantail.app;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All seeded faults, and the classes without one. */
public final class Mutants {
  private Mutants() {}

  public static final List<Mutant> ALL =
      Stream.of(
              RolloutMutants.ALL,
              PolicyMutants.ALL,
              ExplorationMutants.ALL,
              MaskMutants.ALL,
              CriticMutants.ALL,
              CalibrationMutants.ALL,
              KernelMutants.ALL,
              OptimizerMutants.ALL,
              RobustMutants.ALL,
              MarketMutants.ALL)
          .flatMap(List::stream)
          .toList();

  /** Packages whose classes each have a seeded fault or a documented reason. */
  static final List<String> PACKAGES =
      List.of(
          "simd",
          "math",
          "kernel",
          "network",
          "value",
          "model",
          "rollout",
          "calibration",
          "optim",
          "risk",
          "robust",
          "loss",
          "ppo",
          "parallel");

  private static final String DECLARES = "an interface or a record without arithmetic";
  private static final String REPORTS = "its numbers are only reported";

  /** Classes without a seeded fault, with the reason. */
  static final Map<String, String> NONE_IN =
      Map.ofEntries(
          Map.entry("simd/VectorSupport", "detects whether the JVM supports vector instructions"),
          Map.entry(
              "simd/TanhCoefficients",
              "numbers that the compiler copies into VectorMath and TanhApproximation, which have faults"),
          Map.entry("kernel/PackedMatrix", DECLARES),
          Map.entry("kernel/FeedForward", DECLARES),
          Map.entry("kernel/ProductPeak", "used by the bench command only"),
          Map.entry("kernel/TileScratch", "manages scratch arrays"),
          Map.entry("kernel/VectorInstructions", "tells the JVM how to compile the loops"),
          Map.entry("kernel/Workspace", "manages scratch arrays"),
          Map.entry("network/PolicyDistribution", DECLARES),
          Map.entry("network/SequenceInput", DECLARES),
          Map.entry("loss/LossCoefficients", DECLARES),
          Map.entry("loss/LossResult", DECLARES),
          Map.entry("rollout/RolloutPredictions", DECLARES),
          Map.entry("calibration/CalibrationReport", DECLARES),
          Map.entry("calibration/CalibrationSummary", DECLARES),
          Map.entry("ppo/UpdateTelemetry", REPORTS),
          Map.entry("model/ObservationPerturbation", DECLARES),
          Map.entry("math/NonFiniteException", DECLARES),
          Map.entry("math/IncompleteBeta", REPORTS),
          Map.entry("math/ProportionInterval", REPORTS),
          Map.entry("math/ReturnSeriesStatistics", REPORTS),
          Map.entry("math/StudentT", "generates synthetic markets only"),
          Map.entry("robust/AttackSpec", "reads the name of an attack"));
}
