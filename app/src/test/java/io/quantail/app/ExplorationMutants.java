package io.quantail.app;

import static io.quantail.app.MutantSubject.EXPLORING;

import java.util.List;

/** Faults in generalised state-dependent exploration. */
final class ExplorationMutants {
  private ExplorationMutants() {}

  static final List<Mutant> ALL =
      List.of(
          Mutant.of(
              "a state-dependent deviation sums sizes of features instead of squares",
              EXPLORING,
              "log-probability",
              "network/StateDependentPolicy",
              "(double) newFeatures[i] * newFeatures[i]",
              "Math.abs((double) newFeatures[i])"),
          Mutant.of(
              "the gradient of a bounded deviation ignores the bound",
              EXPLORING,
              "policy-derivatives",
              "network/DeviationBounds",
              "return StrictMath.exp(-below / lowWidth);",
              "return 1;"),
          Mutant.of(
              "the entropy of a state-dependent policy has a wrong gradient by its deviation",
              EXPLORING,
              "policy-derivatives",
              "network/SquashedEntropyTable",
              "spacing * torques / weights - distance * meanSlope",
              "spacing * torques / weights"),
          Mutant.of(
              "an exploration matrix outlives its episode",
              EXPLORING,
              "state-dependent-exploration",
              "model/ExplorationMatrices",
              "outdated[environment] = true;",
              "outdated[environment] |= false;"),
          Mutant.of(
              "all environments draw the same exploration matrix",
              EXPLORING,
              "state-dependent-exploration",
              "model/ExplorationStreams",
              "(long) environment << Integer.SIZE | draw",
              "draw"));
}
