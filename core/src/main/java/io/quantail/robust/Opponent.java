package io.quantail.robust;

import io.quantail.config.RobustConfig;
import io.quantail.nn.ParameterReplica;
import io.quantail.nn.RecurrentState;
import io.quantail.random.RandomStream;
import io.quantail.rollout.Agent;
import io.quantail.rollout.Disturbance;

/**
 * Perturbs every observation of an acting agent so that its policy differs most from that of the
 * true observation, given its recurrent state.
 *
 * <p>See: Zhang et al. 2020, arXiv:2003.08938, section 4 ("maximal action difference").
 */
public final class Opponent implements Disturbance {
  /** With steps of 2.5 ε / N the search can reach every point from any other. */
  private static final double REACH = 2.5;

  private final Agent agent;
  private final AttackKind kind;
  private final Attack attack;
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
  public Opponent(
      Agent agent, AttackKind kind, RobustConfig.AttackNorm norm, double epsilon, Limits limits, long seed) {
    this.agent = agent;
    this.kind = kind;
    this.seed = seed;
    int steps = Math.max(1, kind.steps());
    RobustConfig.AttackMethod method =
        kind.form() == AttackKind.Form.FGSM ? RobustConfig.AttackMethod.FGSM : RobustConfig.AttackMethod.PGD;
    attack = new Attack(method, norm, epsilon, steps, REACH * epsilon / steps, limits);
    parameters = agent.reader();
  }

  @Override
  public float[][] apply(float[][] observations, RecurrentState state) {
    RandomStream random = RandomStream.of(seed, "attack", step++);
    if (kind.form() == AttackKind.Form.NONE || attack.epsilon() == 0) {
      return observations;
    }
    if (kind.form() == AttackKind.Form.RANDOM) {
      return attack.noise(observations, random);
    }
    return PolicyShift.worst(agent.network(), parameters, attack, observations, state, random);
  }
}
