package io.quantail.rollout;

import io.quantail.config.RunConfig;
import io.quantail.critic.ReturnScale;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.VectorEnvironment;
import io.quantail.tensor.Workers;

/** An agent in its environments, ready to collect rollouts. */
public final class Experience implements AutoCloseable {
  private final VectorEnvironment environments;
  private final Workers workers;
  private final Agent agent;
  private final Collector collector;

  public Experience(RunConfig config, EnvironmentFactory factory) {
    environments = new VectorEnvironment(factory, config.environment().count(), config.seed());
    workers = new Workers(1);
    agent = new Agent(config, environments.observationSize(), environments.actionSpace());
    collector = new Collector(agent, environments, workers, Collector.Options.of(config));
  }

  public Agent agent() {
    return agent;
  }

  public Workers workers() {
    return workers;
  }

  Collector collector() {
    return collector;
  }

  public Rollout collect(ReturnScale scale) {
    return collector.collect(scale);
  }

  /** Makes the stored log-probability of one transition unusable. */
  public static void poison(Rollout rollout, int transition, float value) {
    rollout.logProbabilities[transition] = value;
  }

  @Override
  public void close() {
    agent.close();
    environments.close();
    workers.close();
  }
}
