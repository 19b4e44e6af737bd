package io.quantail.robust;

import io.quantail.config.RobustConfig;
import io.quantail.config.RunConfig;
import io.quantail.model.ActingModel;
import java.util.Optional;

/** The attack that each update trains against; a pure function of the number of the update. */
public final class AdversarySchedule {
  private final RobustConfig config;
  private final PerturbationBounds limits;
  private final EpsilonSchedule schedule;

  /** The attacks on an agent in the settings of a run. */
  public AdversarySchedule(RunConfig run, ActingModel agent) {
    this.config = run.robust();
    limits = PerturbationBounds.of(run.environment(), config, agent.observationSpace());
    long updates =
        EpsilonSchedule.updates(
            run.training().steps(), run.rollout().steps(), run.environment().count());
    schedule =
        new EpsilonSchedule(
            config.ramp(), 0, config.epsilon(), (long) (updates * config.rampShare()));
  }

  /** Whether the settings enable robust training. */
  public boolean enabled() {
    return config.mode() != RobustConfig.Mode.OFF;
  }

  /** Whether update number {@code t}, counted from 1, is past the warm-up. */
  static boolean active(long t, int warmupUpdates) {
    return t >= warmupUpdates;
  }

  /** The largest perturbation at an update, counted from 0. */
  public double epsilon(long update) {
    return enabled() && active(update + 1, config.warmupUpdates()) ? schedule.at(update + 1) : 0;
  }

  /** The search for perturbations at an update, counted from 0; empty when there are none. */
  Optional<ObservationAttack> attack(long update) {
    double epsilon = epsilon(update);
    if (epsilon == 0) {
      return Optional.empty();
    }
    return Optional.of(
        new ObservationAttack(
            config.attack(),
            config.norm(),
            epsilon,
            config.steps(),
            epsilon * config.stepSize(),
            limits));
  }
}
