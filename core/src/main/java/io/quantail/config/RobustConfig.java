package io.quantail.config;

import java.util.List;

/**
 * Training against disturbed observations; section {@code robust}.
 *
 * @param mode whether it is done; default {@code off}
 * @param coefficient weight of the mean divergence in the loss; at least 0; default 0.3
 * @param epsilon largest disturbance in the end, in units of what the network sees: with {@code
 *     environment.normalizeObservations} standard deviations; at least 0; default 0.1
 * @param ramp the course on which the disturbance rises from 0; default {@code linear}
 * @param rampShare share of the run's updates over which it rises; in [0, 1]; default 0.5
 * @param warmupUpdates first update, counted from 1, that has the term; at least 0; default 0
 * @param ratio share of the windows of a batch that are disturbed; in [0, 1]; default 1
 * @param attackedShare share of the environments in which the agent acts on disturbed observations
 *     and learns from them; in [0, 1]; default 0
 * @param attack how the worst observation is searched; default {@code pgd}
 * @param norm how a disturbance is measured; default {@code linf}
 * @param steps steps of {@code pgd}; in [1, 1000]; default 3
 * @param stepSize length of a step of {@code pgd} as a share of the disturbance in force; positive;
 *     default 0.5
 * @param fixedFeatures places of features that cannot be disturbed, such as flags or the time;
 *     counted from 0; default none
 */
public record RobustConfig(
    RobustMode mode,
    double coefficient,
    double epsilon,
    EpsilonRamp ramp,
    double rampShare,
    int warmupUpdates,
    double ratio,
    double attackedShare,
    AttackMethod attack,
    AttackNorm norm,
    int steps,
    double stepSize,
    List<Integer> fixedFeatures) {
  public RobustConfig {
    Check.present("robust.mode", mode);
    Check.notNegative("robust.coefficient", coefficient);
    Check.notNegative("robust.epsilon", epsilon);
    Check.present("robust.ramp", ramp);
    Check.fraction("robust.rampShare", rampShare);
    Check.atLeast("robust.warmupUpdates", warmupUpdates, 0);
    Check.fraction("robust.ratio", ratio);
    Check.fraction("robust.attackedShare", attackedShare);
    Check.present("robust.attack", attack);
    Check.present("robust.norm", norm);
    Check.within("robust.steps", steps, 1, 1000);
    Check.positive("robust.stepSize", stepSize);
    fixedFeatures = List.copyOf(fixedFeatures);
    fixedFeatures.forEach(place -> Check.atLeast("robust.fixedFeatures", place, 0));
  }

  public static RobustConfig defaults() {
    return new RobustConfig(
        RobustMode.OFF,
        0.3,
        0.1,
        EpsilonRamp.LINEAR,
        0.5,
        0,
        1.0,
        0.0,
        AttackMethod.PGD,
        AttackNorm.LINF,
        3,
        0.5,
        List.of());
  }
}
