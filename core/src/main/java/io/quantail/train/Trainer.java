package io.quantail.train;

import io.quantail.config.RunConfig;
import io.quantail.critic.HeadRescale;
import io.quantail.critic.ReturnScale;
import io.quantail.critic.ReturnStatistics;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.VectorEnvironment;
import io.quantail.metrics.MetricRow;
import io.quantail.metrics.Metrics;
import io.quantail.nn.Linear;
import io.quantail.ppo.Estimates;
import io.quantail.ppo.PpoUpdate;
import io.quantail.rollout.Agent;
import io.quantail.rollout.Collector;
import io.quantail.rollout.Rollout;
import io.quantail.state.StateMap;
import io.quantail.tensor.Workers;

/** Trains one agent; {@link #iterate()} is the algorithm. */
public final class Trainer implements AutoCloseable {
  private final RunConfig config;
  private final Workers workers;
  private final VectorEnvironment environments;
  private final Agent agent;
  private final Collector collector;
  private final PpoUpdate update;
  private final ReturnStatistics returnStatistics;
  private final long startNanos = System.nanoTime();
  private long steps;

  public Trainer(RunConfig config, EnvironmentFactory factory) {
    this.config = config;
    environments = new VectorEnvironment(factory, config.environment().count(), config.seed());
    workers = new Workers(config.training().threads());
    agent = new Agent(config, environments.observationSize(), environments.actionSpace());
    collector =
        new Collector(
            agent,
            environments,
            workers,
            new Collector.Options(
                config.seed(),
                config.rollout().steps(),
                config.ppo().sequenceLength(),
                config.rollout().lanes()));
    update = new PpoUpdate(config, agent, workers);
    returnStatistics = new ReturnStatistics(config.returns());
  }

  /** Collects a rollout, learns from it, and says what happened. */
  public MetricRow iterate() {
    Metrics metrics = new Metrics();
    ReturnScale scale = returnStatistics.scale();

    Rollout rollout = collector.collect(scale);
    steps += rollout.shape().transitions();
    Estimates estimates = Estimates.of(rollout, config.rollout(), scale);
    update.run(rollout, estimates, progress(), steps, metrics);
    double[] predictions = update.predict(rollout);
    commitReturnScale(estimates);

    Telemetry.rollout(metrics, rollout, environments.drainEpisodes());
    Telemetry.estimates(metrics, estimates);
    Telemetry.values(metrics, rollout, estimates, scale, predictions);
    Telemetry.memory(metrics, collector.hiddenStatistics());
    Telemetry.normalizer(metrics, agent.observe(rollout.rawObservations()));
    double seconds = (System.nanoTime() - startNanos) * 1e-9;
    metrics.put("time/seconds", seconds);
    metrics.put("time/steps_per_second", steps / seconds);
    return new MetricRow(update.updates(), steps, seconds, metrics.snapshot());
  }

  /** The next cycle's scale; the value heads are rescaled so that their raw values do not jump. */
  private void commitReturnScale(Estimates estimates) {
    ReturnScale before = returnStatistics.scale();
    ReturnScale after = returnStatistics.commit(estimates.returns());
    for (Linear head : agent.network().valueHeads()) {
      HeadRescale.apply(agent.inference(), head, before, after);
    }
  }

  private double progress() {
    return Math.min(1.0, (double) (steps - stepsPerRollout()) / config.training().steps());
  }

  private long stepsPerRollout() {
    return (long) config.rollout().steps() * config.environment().count();
  }

  /** Environment steps done. */
  public long steps() {
    return steps;
  }

  /** Whether the configured number of steps has been reached. */
  public boolean finished() {
    return steps >= config.training().steps();
  }

  public Agent agent() {
    return agent;
  }

  /** Hands over everything that moves. */
  public void save(StateMap state) {
    state.putLong("steps", steps);
    agent.save(state.child("agent"));
    update.save(state.child("update"));
    returnStatistics.save(state.child("returns"));
    collector.save(state.child("collector"));
  }

  /**
   * Takes back what {@link #save} handed over, all of it or nothing.
   *
   * @return whether the running episodes go on; if not, the environments have been reset
   */
  public boolean load(StateMap state) {
    agent.load(state.child("agent"));
    update.load(state.child("update"));
    returnStatistics.load(state.child("returns"));
    boolean episodesGoOn = collector.load(state.child("collector"));
    steps = state.longValue("steps");
    state.requireAllRead();
    return episodesGoOn;
  }

  @Override
  public void close() {
    collector.close();
    update.close();
    agent.close();
    environments.close();
    workers.close();
  }
}
