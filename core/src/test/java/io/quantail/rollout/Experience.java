package io.quantail.rollout;

import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.critic.ReturnScale;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.parallel.WorkerPool;
import io.quantail.ppo.Estimates;
import io.quantail.ppo.RiskControl;
import io.quantail.ppo.RiskDecision;

/** An agent in its environments, ready to collect rollouts. */
public final class Experience implements AutoCloseable {
  /** Nothing is asked of the update. */
  public static final RiskDecision NO_RISK =
      new RiskControl(RiskConfig.defaults())
          .decide(new double[] {0}, new double[] {0}, ReturnScale.IDENTITY);

  private final VectorEnvironment environments;
  private final WorkerPool workers;
  private final AgentModel model;
  private final Collector collector;

  public Experience(RunConfig config, EnvironmentFactory factory) {
    environments =
        new VectorEnvironment(
            factory, config.environment().count(), config.seed(), config.environment().faults());
    workers = new WorkerPool(1);
    model = new AgentModel(config, environments.observationSize(), environments.actionSpace());
    collector = new Collector(model.agent(), environments, workers, Collector.Options.of(config));
  }

  public Agent agent() {
    return model.agent();
  }

  public AgentModel model() {
    return model;
  }

  public WorkerPool workers() {
    return workers;
  }

  Collector collector() {
    return collector;
  }

  public Rollout collect(ReturnScale scale) {
    return collector.collect(scale);
  }

  /** The same with something between the environments and the agent. */
  public Rollout collect(ReturnScale scale, Interference interference) {
    return collector.collect(scale, interference);
  }

  /** What the rollout teaches an agent that does not mind risk. */
  public static Estimates estimates(Rollout rollout, RunConfig config, ReturnScale scale) {
    Gae.Result gae = Gae.compute(rollout.gaeInput(config.rollout()));
    return Estimates.of(gae, rollout.shape().environments(), config.rollout(), scale);
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
