package io.quantail.robust;

import io.quantail.config.AttackMethod;
import io.quantail.config.AttackNorm;
import io.quantail.nn.ParameterReplica;
import io.quantail.nn.RecurrentState;
import io.quantail.random.RandomStream;
import io.quantail.rollout.Agent;
import io.quantail.rollout.Disturbance;

/**
 * Disturbs every observation of a playing agent, at each step so that its policy moves most from
 * what it would say of the true one, given what it remembers.
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
   * @param agent whom it plays against
   * @param kind how
   * @param norm how a disturbance is measured
   * @param epsilon its greatest length
   * @param limits what it leaves alone
   * @param seed of its random numbers
   */
  public Opponent(
      Agent agent, AttackKind kind, AttackNorm norm, double epsilon, Limits limits, long seed) {
    this.agent = agent;
    this.kind = kind;
    this.seed = seed;
    int steps = Math.max(1, kind.steps());
    AttackMethod method =
        kind.form() == AttackKind.Form.FGSM ? AttackMethod.FGSM : AttackMethod.PGD;
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
    return new StepSearch(agent.network(), parameters, attack).worst(observations, state, random);
  }
}
