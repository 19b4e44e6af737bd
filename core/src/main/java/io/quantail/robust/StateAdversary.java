package io.quantail.robust;

import io.quantail.config.RobustConfig;
import io.quantail.config.RobustMode;
import io.quantail.config.RunConfig;
import io.quantail.rollout.Agent;
import java.util.Optional;

/** Says what an update asks of the policy's robustness; a pure function of its number. */
public final class StateAdversary {
  private final RobustConfig config;
  private final Agent agent;
  private final Limits limits;
  private final EpsilonSchedule schedule;

  public StateAdversary(RunConfig run, Agent agent) {
    this.config = run.robust();
    this.agent = agent;
    limits = Limits.of(run.environment(), config, agent.observationSize());
    long updates =
        EpsilonSchedule.updates(
            run.training().steps(), run.rollout().steps(), run.environment().count());
    schedule =
        new EpsilonSchedule(
            config.ramp(), 0, config.epsilon(), (long) (updates * config.rampShare()));
  }

  /** Whether any update asks for anything. */
  public boolean enabled() {
    return config.mode() != RobustMode.OFF;
  }

  /** Whether update number {@code t}, counted from 1, is past the warm-up. */
  static boolean active(long t, int warmupUpdates) {
    return t >= warmupUpdates;
  }

  /** The largest disturbance at an update, counted from 0. */
  public double epsilon(long update) {
    return enabled() && active(update + 1, config.warmupUpdates()) ? schedule.at(update + 1) : 0;
  }

  /** How disturbances are searched at an update, counted from 0; empty when there are none. */
  Optional<Attack> attack(long update) {
    double epsilon = epsilon(update);
    if (epsilon == 0) {
      return Optional.empty();
    }
    return Optional.of(
        new Attack(
            config.attack(),
            config.norm(),
            epsilon,
            config.steps(),
            epsilon * config.stepSize(),
            limits));
  }

  /** The term of an update, counted from 0; empty when the clean loss is all there is. */
  public Optional<Regularizer> at(long update) {
    if (config.coefficient() == 0) {
      return Optional.empty();
    }
    return attack(update)
        .map(
            attack ->
                new Regularizer(agent.network(), attack, config.coefficient(), config.ratio()));
  }
}
