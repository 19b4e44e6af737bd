package io.quantail.robust;

import io.quantail.config.RobustConfig;
import io.quantail.model.ActingModel;
import io.quantail.model.ObservationPerturbation;
import io.quantail.network.ParameterReplica;
import io.quantail.network.SequenceInput;
import io.quantail.random.RandomStream;

/**
 * Perturbs every observation of an acting agent so that its policy differs most from that of the
 * true observation, given its recurrent state.
 *
 * <p>See: Zhang et al. 2020, arXiv:2003.08938, section 4 ("maximal action difference").
 */
public final class EvaluationAdversary implements ObservationPerturbation {
  /** With steps of 2.5 ε / N the search can reach every point from any other. */
  private static final double REACH = 2.5;

  private final ActingModel agent;
  private final AttackSpec kind;
  private final ObservationAttack attack;
  private final ParameterReplica parameters;
  private final long seed;
  private long step;

  /**
   * @param agent the agent under attack
   * @param kind how perturbations are found
   * @param norm how a perturbation is measured
   * @param epsilon largest length of a perturbation
   * @param limits bounds of perturbed observations
   * @param seed of the random numbers
   */
  public EvaluationAdversary(
      ActingModel agent,
      AttackSpec kind,
      RobustConfig.AttackNorm norm,
      double epsilon,
      PerturbationBounds limits,
      long seed) {
    this.agent = agent;
    this.kind = kind;
    this.seed = seed;
    int steps = Math.max(1, kind.steps());
    RobustConfig.AttackMethod method =
        kind.form() == AttackSpec.Form.FGSM
            ? RobustConfig.AttackMethod.FGSM
            : RobustConfig.AttackMethod.PGD;
    attack = new ObservationAttack(method, norm, epsilon, steps, REACH * epsilon / steps, limits);
    parameters = agent.reader();
  }

  @Override
  public float[][] apply(SequenceInput seen) {
    RandomStream random = RandomStream.of(seed, "attack", step++);
    if (kind.form() == AttackSpec.Form.NONE || attack.epsilon() == 0) {
      return seen.observations();
    }
    if (kind.form() == AttackSpec.Form.RANDOM) {
      return attack.noise(seen.observations(), random);
    }
    return PolicyDivergence.worst(agent.network(), parameters, attack, seen, random);
  }
}
