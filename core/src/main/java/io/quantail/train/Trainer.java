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
import io.quantail.ppo.Predictions;
import io.quantail.rollout.Agent;
import io.quantail.rollout.Collector;
import io.quantail.rollout.Rollout;
import io.quantail.state.StateMap;
import io.quantail.tensor.Workers;
import io.quantail.train.ValueTelemetry.ScaleChange;
import java.util.OptionalDouble;

/** Trains one agent; {@link #iterate()} is the algorithm. */
public final class Trainer implements AutoCloseable {
  private final RunConfig config;
  private final Workers workers;
  private final VectorEnvironment environments;
  private final Agent agent;
  private final Collector collector;
  private final PpoUpdate update;
  private final ReturnStatistics returnStatistics;
  private final ExplainedVarianceWatch explainedVariance = new ExplainedVarianceWatch();
  private final Stopwatch stopwatch = new Stopwatch();
  private long steps;
  private long stepsBefore; // done by an earlier process that this one resumes

  public Trainer(RunConfig config, EnvironmentFactory factory) {
    this.config = config;
    environments = new VectorEnvironment(factory, config.environment().count(), config.seed());
    workers = new Workers(config.training().threads());
    agent = new Agent(config, environments.observationSize(), environments.actionSpace());
    collector = new Collector(agent, environments, workers, Collector.Options.of(config));
    update = new PpoUpdate(config, agent, workers);
    returnStatistics = new ReturnStatistics(config.returns());
  }

  /** Collects a rollout, learns from it, and says what happened. */
  public MetricRow iterate() {
    Metrics metrics = new Metrics();
    ReturnScale scale = returnStatistics.scale();

    Stopwatch parts = new Stopwatch();
    Rollout rollout = collector.collect(scale);
    metrics.put("time/rollout_seconds", parts.lap());
    steps += rollout.shape().transitions();
    Estimates estimates = Estimates.of(rollout, config.rollout(), scale);
    update.run(rollout, estimates, progress(), steps, metrics);
    metrics.put("time/update_seconds", parts.lap());
    Predictions predictions = update.predict(rollout);
    commitReturnScale(estimates).report(metrics);

    Telemetry.rollout(metrics, rollout, environments.drainEpisodes());
    Telemetry.estimates(metrics, config.rollout(), estimates);
    ValueTelemetry.errors(metrics, estimates.targets(), predictions);
    OptionalDouble explained =
        ValueTelemetry.explained(metrics, rollout, estimates, predictions.values());
    explainedVariance.observe(metrics, explained);
    update.observe(explained);
    PolicyTelemetry.report(metrics, predictions);
    Telemetry.memory(metrics, collector.hiddenStatistics());
    Telemetry.normalizer(metrics, agent.observe(rollout.rawObservations()));
    double seconds = stopwatch.total();
    Telemetry.time(metrics, update.updates(), steps, seconds);
    metrics.put("time/fps", (steps - stepsBefore) / seconds);
    return new MetricRow(update.updates(), steps, seconds, metrics.snapshot());
  }

  /**
   * The next cycle's scale; value heads are rescaled so that their raw values do not jump. A
   * categorical head, whose outputs are not returns, learns anew on its fixed support.
   */
  private ScaleChange commitReturnScale(Estimates estimates) {
    ReturnScale before = returnStatistics.scale();
    ReturnScale candidate = returnStatistics.candidate(estimates.returns());
    ReturnScale after = returnStatistics.commit(estimates.returns());
    if (agent.critic().outputsAreReturns()) {
      for (Linear head : agent.network().valueHeads()) {
        HeadRescale.apply(agent.inference(), head, before, after);
      }
    }
    return new ScaleChange(before, candidate, after, returnStatistics.commits());
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
    explainedVariance.save(state.child("explainedVariance"));
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
    explainedVariance.load(state.child("explainedVariance"));
    boolean episodesGoOn = collector.load(state.child("collector"));
    steps = state.longValue("steps");
    stepsBefore = steps;
    state.requireAllRead();
    return episodesGoOn;
  }

  @Override
  public void close() {
    update.close();
    agent.close();
    environments.close();
    workers.close();
  }
}
