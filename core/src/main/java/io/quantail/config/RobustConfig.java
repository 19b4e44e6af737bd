package io.quantail.config;

import java.util.List;

/**
 * Training against perturbed observations; section {@code robust}.
 *
 * @param mode {@code off} or {@code state-adversarial}; default {@code off}
 * @param coefficient weight of the mean KL divergence in the loss; at least 0; default 0.3
 * @param epsilon final size of the perturbation, in units of the network input; with {@code
 *     environment.normalizeObservations} standard deviations; at least 0; default 0.1
 * @param ramp how the perturbation grows from 0: {@code linear} or {@code cosine}; default {@code
 *     linear}
 * @param rampShare fraction of the run's updates over which it grows; in [0, 1]; default 0.5
 * @param warmupUpdates first update, counted from 1, that has the term; at least 0; default 0
 * @param ratio fraction of the windows of a batch that are perturbed; in [0, 1]; default 1
 * @param attackedShare fraction of the environments in which the agent acts on perturbed
 *     observations and learns from them; in [0, 1]; default 0
 * @param attack search method for the worst observation: {@code fgsm} or {@code pgd}; default
 *     {@code pgd}
 * @param norm norm of a perturbation: {@code linf} or {@code l2}; default {@code linf}
 * @param steps steps of {@code pgd}; in [1, 1000]; default 3
 * @param stepSize length of a step of {@code pgd} as a fraction of the perturbation in force;
 *     positive; default 0.5
 * @param fixedFeatures indices of features that are never perturbed, such as flags or the time;
 *     counted from 0; default none
 */
public record RobustConfig(
    Mode mode,
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
        Mode.OFF,
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

  /**
   * Search methods for the observation that changes the policy most; setting {@code robust.attack}.
   */
  public enum AttackMethod {
    /** One gradient step to the boundary of the allowed set. */
    FGSM,
    /** Several gradient steps, each projected back into the allowed set. */
    PGD
  }

  /** How the distance from an observation is measured; setting {@code robust.norm}. */
  public enum AttackNorm {
    /** The largest change of a feature. */
    LINF,
    /** The Euclidean length of the change. */
    L2
  }

  /** How ε grows; setting {@code robust.ramp}. */
  public enum EpsilonRamp {
    /** A straight line. */
    LINEAR,
    /** Half a cosine. */
    COSINE
  }

  /** Whether a policy is trained to change little between observations that lie close together. */
  public enum Mode {
    /** Observations are taken as they are. */
    OFF,
    /** The loss contains the KL divergence to the policy at the worst observation nearby. */
    STATE_ADVERSARIAL
  }
}
