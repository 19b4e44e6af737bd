package io.quantail.rollout;

import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.model.ObservationPerturbation;
import io.quantail.parallel.WorkerPool;
import io.quantail.risk.CvarController;
import io.quantail.risk.CvarDecision;
import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;
import java.util.List;

/** An agent in its environments, ready to collect rollouts. */
public final class Experience implements AutoCloseable {
  /** Nothing is asked of the update. */
  public static final CvarDecision NO_RISK =
      new CvarController(RiskConfig.defaults())
          .decide(rewards(0), new double[] {0}, new double[1], ReturnScale.IDENTITY, 0);

  private final VectorEnvironment environments;
  private final WorkerPool workers;
  private final AgentModel model;
  private final RolloutCollector collector;

  public Experience(RunConfig config, EnvironmentFactory factory) {
    environments =
        new VectorEnvironment(
            factory, config.environment().count(), config.seed(), config.environment().faults());
    workers = new WorkerPool(1);
    model = new AgentModel(config, environments.observationSpace(), environments.actionSpace());
    collector =
        new RolloutCollector(
            model.agent(), environments, workers, RolloutCollector.Options.of(config));
  }

  /** A rollout of one environment with these rewards, whose last step ends an episode. */
  public static Gae.Input rewards(double... rewards) {
    boolean[] terminated = new boolean[rewards.length];
    terminated[rewards.length - 1] = true;
    return new Gae.Input(
        1,
        rewards,
        new double[rewards.length],
        terminated,
        new boolean[rewards.length],
        new double[rewards.length],
        new double[1],
        0.99,
        0.95);
  }

  /** Environments by a short name, whose episodes are cut after some steps. */
  public static EnvironmentFactory task(String name, int steps) {
    String registered =
        switch (name) {
          case "cartPole" -> "CartPole-v1";
          case "pendulum" -> "Pendulum-v1";
          case "masked" -> "MaskedRecall-v0";
          case "mixed" -> "RepeatMixed-v0";
          default -> throw new IllegalArgumentException(name);
        };
    EnvironmentFactory tasks = EnvironmentRegistry.byName(registered);
    return index -> new TimeLimitWrapper(tasks.create(index), steps);
  }

  public ActingModel agent() {
    return model.agent();
  }

  public AgentModel model() {
    return model;
  }

  public WorkerPool workers() {
    return workers;
  }

  public RolloutCollector collector() {
    return collector;
  }

  public Rollout collect() {
    return collector.collect();
  }

  /** The same with something between the environments and the agent. */
  public Rollout collect(ObservationPerturbation.Source interference) {
    return collector.collect(0, interference);
  }

  /** What the rollout teaches an agent that does not mind risk, in its first update. */
  public static TrainingTargets estimates(Rollout rollout, RunConfig config, ReturnScale scale) {
    Critic critic = Critic.of(config.critic());
    Gae.Input collected = rollout.gaeInput(config.rollout(), critic, scale);
    Gae.Result gae = Gae.compute(collected);
    return TrainingTargets.of(
        gae,
        TrainingTargets.distribution(config, 0, rollout, collected, gae, critic, scale),
        rollout.shape().environments(),
        config.rollout(),
        scale);
  }

  /** The same for the critics alone: every advantage is zero. */
  public static TrainingTargets withoutAdvantages(TrainingTargets estimates) {
    double[] zeros = new double[estimates.advantages().length];
    return new TrainingTargets(
        new AdvantageNormalizer.Normalized(zeros, 0, 0, 0, 0, 0, 0, 0, List.of()),
        estimates.returns(),
        estimates.targets(),
        estimates.distribution(),
        estimates.particles());
  }

  /** Makes the stored log-probability of one transition unusable. */
  public static void poison(Rollout rollout, int transition, float value) {
    rollout.logProbabilities[transition] = value;
  }

  @Override
  public void close() {
    environments.close();
    workers.close();
  }
}
