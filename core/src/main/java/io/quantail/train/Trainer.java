package io.quantail.train;

import io.quantail.config.RunConfig;
import io.quantail.critic.HeadRescale;
import io.quantail.critic.ReturnScale;
import io.quantail.critic.ReturnStatistics;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.ObservationNormalizer;
import io.quantail.env.vector.EnvironmentFault;
import io.quantail.env.vector.Episode;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.metrics.MetricRow;
import io.quantail.metrics.Metrics;
import io.quantail.nn.ParameterLayout.Linear;
import io.quantail.parallel.WorkerPool;
import io.quantail.ppo.Estimates;
import io.quantail.ppo.PpoUpdate;
import io.quantail.ppo.Predictions;
import io.quantail.ppo.RiskControl;
import io.quantail.ppo.RiskDecision;
import io.quantail.robust.AttackedRollouts;
import io.quantail.rollout.Agent;
import io.quantail.rollout.AgentModel;
import io.quantail.rollout.Collector;
import io.quantail.rollout.Gae;
import io.quantail.rollout.GaeInput;
import io.quantail.rollout.NonFiniteException;
import io.quantail.rollout.Rollout;
import io.quantail.state.StateMap;
import io.quantail.train.ValueTelemetry.ScaleChange;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;

/** Trains one agent; {@link #iterate()} is the algorithm. */
public final class Trainer implements AutoCloseable {
  private final RunConfig config;
  private final WorkerPool workers;
  private final VectorEnvironment environments;
  private final AgentModel model;
  private final Collector collector;
  private final AttackedRollouts attackedRollouts;
  private final PpoUpdate update;
  private final RiskControl riskControl;
  private final ReturnStatistics returnStatistics;
  private final ExplainedVarianceWatch explainedVariance = new ExplainedVarianceWatch();
  private final Stopwatch stopwatch = new Stopwatch();
  private long steps;
  private final List<EnvironmentFault> faults = new ArrayList<>(); // not yet asked for
  private boolean resumed;
  private long stepsBefore; // done by an earlier process that this one resumes

  public Trainer(RunConfig config, EnvironmentFactory factory) {
    this.config = config;
    environments =
        new VectorEnvironment(
            factory, config.environment().count(), config.seed(), config.environment().faults());
    workers = new WorkerPool(config.training().threads());
    model = new AgentModel(config, environments.observationSize(), environments.actionSpace());
    Agent agent = model.agent();
    collector = new Collector(agent, environments, workers, Collector.Options.of(config));
    attackedRollouts = new AttackedRollouts(config, agent);
    update = new PpoUpdate(config, model, workers);
    riskControl = new RiskControl(config.risk());
    returnStatistics = new ReturnStatistics(config.returns());
  }

  /** Collects a rollout, learns from it, and says what happened. */
  public MetricRow iterate() {
    requireProgress();
    Metrics metrics = new Metrics();
    ReturnScale scale = returnStatistics.scale();
    long number = update.updates();

    Stopwatch parts = new Stopwatch();
    Rollout rollout = collector.collect(scale, attackedRollouts.at(number));
    metrics.put("time/rollout_seconds", parts.lap());
    steps += rollout.shape().transitions();
    GaeInput collected = rollout.gaeInput(config.rollout());
    Gae.Result gae = Gae.compute(collected);
    RiskDecision risk = riskControl.decide(collected.rewards(), gae.returns(), scale);
    Estimates estimates =
        Estimates.of(
            risk.adjust(gae, collected), collected.environments(), config.rollout(), scale);
    update.run(rollout, estimates, risk, progress(), steps, metrics);
    double learning = parts.lap();
    AtomicReference<ObservationNormalizer.Drift> drift = new AtomicReference<>();
    Predictions predictions =
        update.predict(
            rollout,
            List.of(
                () -> describe(metrics, rollout, estimates),
                () -> drift.set(observe(rollout, number))));
    Telemetry.normalizer(metrics, drift.get());
    parts.lap();
    ScaleChange scaleChange = commitReturnScale(estimates.returns());
    metrics.put("time/update_seconds", learning + parts.lap());

    scaleChange.report(metrics);
    ValueTelemetry.errors(metrics, estimates.targets(), predictions);
    ValueTelemetry.support(metrics, estimates.targets(), model.agent().critic());
    OptionalDouble explained = ValueTelemetry.explained(metrics, rollout, estimates, predictions);
    explainedVariance.observe(metrics, explained);
    update.observe(explained);
    risk.report(metrics);
    riskControl.observe(metrics, predictions.cvars(), explained, scale);
    PolicyTelemetry.report(metrics, predictions);
    double seconds = stopwatch.total();
    Telemetry.time(metrics, update.updates(), steps, seconds);
    metrics.put("time/fps", (steps - stepsBefore) / seconds);
    return new MetricRow(update.updates(), steps, seconds, metrics.snapshot());
  }

  private ObservationNormalizer.Drift observe(Rollout rollout, long number) {
    return model.observe(attackedRollouts.scaleObservations(rollout, number));
  }

  /** What was collected, and what was made of it. */
  private void describe(Metrics metrics, Rollout rollout, Estimates estimates) {
    List<Episode> episodes = environments.drainEpisodes();
    Telemetry.rollout(metrics, rollout, episodes);
    attackedRollouts.report(metrics, episodes);
    ActionTelemetry.report(
        metrics,
        environments.actionSpace(),
        model.network().environmentActions(rollout.rawActions()));
    Telemetry.rewardCosts(metrics, rollout.rewardCosts());
    FaultTelemetry.report(metrics, config.environment().faults(), environments, drainNewFaults());
    Telemetry.estimates(metrics, config.rollout(), estimates);
    Telemetry.memory(metrics, collector.hiddenStatistics());
  }

  /** Whether so many updates in a row changed nothing that the next iteration refuses to begin. */
  public boolean stuck() {
    return update.refused() > config.training().maxRefusedUpdates();
  }

  /** The state from before the refusal is not lost: a run that is resumed gets another try. */
  private void requireProgress() {
    if (stuck() && !resumed) {
      throw new NonFiniteException(
          "every optimiser step of %d updates in a row was refused because its loss or gradient was"
                  .formatted(update.refused())
              + " not finite (training.maxRefusedUpdates allows "
              + config.training().maxRefusedUpdates()
              + "); lower optimizer.learningRate or look at the rewards");
    }
    resumed = false;
  }

  private List<EnvironmentFault> drainNewFaults() {
    List<EnvironmentFault> latest = environments.drainFaults();
    faults.addAll(latest);
    return latest;
  }

  /** The failures of environments since the last call, also of an iteration that did not end. */
  public List<EnvironmentFault> drainFaults() {
    drainNewFaults();
    List<EnvironmentFault> all = List.copyOf(faults);
    faults.clear();
    return all;
  }

  /**
   * The next cycle's scale; value heads are rescaled so that their raw values do not jump. A
   * categorical head, whose outputs are not returns, learns anew on its fixed support.
   */
  ScaleChange commitReturnScale(double[] returns) {
    ReturnScale before = returnStatistics.scale();
    ReturnScale candidate = returnStatistics.candidate(returns);
    ReturnScale after = returnStatistics.commit(returns);
    if (model.agent().critic().outputsAreReturns()) {
      for (Linear head : model.network().valueHeads()) {
        HeadRescale.apply(model.parameters(), head, before, after);
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

  /** The learning rate that the next update uses. */
  public double learningRate() {
    return update.learningRate(Math.min(1.0, (double) steps / config.training().steps()));
  }

  /** Updates done. */
  public long updates() {
    return update.updates();
  }

  /** Environment steps done. */
  public long steps() {
    return steps;
  }

  /** Whether the configured number of steps has been reached. */
  public boolean finished() {
    return steps >= config.training().steps();
  }

  /** The agent that is being trained. */
  public Agent agent() {
    return model.agent();
  }

  /** Its parameters and statistics, which training changes. */
  public AgentModel model() {
    return model;
  }

  /** Turns what the agent's critics say into returns. */
  public ReturnScale returnScale() {
    return returnStatistics.scale();
  }

  /** Hands over everything that moves. */
  public void save(StateMap state) {
    state.putLong("steps", steps);
    model.save(state.child("agent"));
    update.save(state.child("update"));
    riskControl.save(state.child("risk"));
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
    model.load(state.child("agent"));
    update.load(state.child("update"));
    riskControl.load(state.child("risk"));
    returnStatistics.load(state.child("returns"));
    explainedVariance.load(state.child("explainedVariance"));
    boolean episodesGoOn = collector.load(state.child("collector"));
    steps = state.longValue("steps");
    stepsBefore = steps;
    resumed = true;
    state.requireAllRead();
    return episodesGoOn;
  }

  /**
   * Takes over what another agent has learnt, in new episodes and with this trainer's settings:
   * weights, observation and return statistics, the noise of gradients, KL, entropy and risk
   * control. Every recurrent state is that of a beginning.
   *
   * @param state what the other's trainer handed over with {@link #save}
   * @param moments whether the optimiser's memory comes along; otherwise it begins anew
   */
  public void adopt(StateMap state, boolean moments) {
    model.load(state.child("agent"));
    update.adopt(state.child("update"), moments);
    riskControl.load(state.child("risk"));
    returnStatistics.load(state.child("returns"));
    explainedVariance.load(state.child("explainedVariance"));
    steps = state.longValue("steps");
    stepsBefore = steps;
    resumed = true;
  }

  @Override
  public void close() {
    environments.close();
    workers.close();
  }
}
