package io.quantail.train;

import io.quantail.calibration.Calibration;
import io.quantail.calibration.CalibrationReport;
import io.quantail.config.RunConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.env.vector.EnvironmentFault;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.math.NonFiniteException;
import io.quantail.metrics.MetricRow;
import io.quantail.metrics.Metrics;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.network.ParameterLayout.Linear;
import io.quantail.parallel.WorkerPool;
import io.quantail.ppo.PpoUpdate;
import io.quantail.risk.CvarController;
import io.quantail.risk.CvarDecision;
import io.quantail.robust.AdversarialRollouts;
import io.quantail.rollout.Gae;
import io.quantail.rollout.ReturnTargets;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.RolloutCollector;
import io.quantail.rollout.RolloutPredictions;
import io.quantail.rollout.RolloutPredictor;
import io.quantail.rollout.TrainingTargets;
import io.quantail.state.StateMap;
import io.quantail.telemetry.CalibrationAlarm;
import io.quantail.telemetry.CalibrationTelemetry;
import io.quantail.telemetry.ExplainedVarianceAlarm;
import io.quantail.telemetry.RolloutTelemetry;
import io.quantail.telemetry.ValueTelemetry.ScaleChange;
import io.quantail.train.TrainingTelemetry.Collection;
import io.quantail.train.TrainingTelemetry.Iteration;
import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;
import io.quantail.value.ReturnScaleTracker;
import io.quantail.value.ValueHeadRescale;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Trains one agent; {@link #iterate()} is the algorithm. */
public final class Trainer implements AutoCloseable {
  private final RunConfig config;
  private final WorkerPool workers;
  private final VectorEnvironment environments;
  private final AgentModel model;
  private final RolloutCollector collector;
  private final AdversarialRollouts attackedRollouts;
  private final PpoUpdate update;
  private final RolloutPredictor predictor;
  private final CvarController riskControl;
  private final ReturnScaleTracker returnStatistics;
  private final ExplainedVarianceAlarm explainedVariance = new ExplainedVarianceAlarm();
  private final Calibration calibration;
  private final CalibrationAlarm calibrationAlarm;
  private final TrainingTelemetry telemetry;
  private final List<TrainingObserver> observers;
  private final Stopwatch stopwatch = new Stopwatch();
  private long steps;
  private final List<EnvironmentFault> faults = new ArrayList<>(); // not yet drained
  private boolean resumed;
  private long stepsBefore; // steps of an earlier process that this one resumes

  /**
   * Makes the environments and an untrained agent.
   *
   * @throws io.quantail.config.ConfigException if the settings cannot be trained with
   */
  public Trainer(RunConfig config, EnvironmentFactory factory) {
    config.requireTrainable();
    this.config = config;
    environments =
        new VectorEnvironment(
            factory, config.environment().count(), config.seed(), config.environment().faults());
    workers = new WorkerPool(config.training().threads());
    model = new AgentModel(config, environments.observationSpace(), environments.actionSpace());
    ActingModel agent = model.agent();
    observers = TrainingObserverProvider.load(config, factory);
    collector =
        new RolloutCollector(
            agent, environments, workers, RolloutCollector.Options.of(config, stepInfo()));
    attackedRollouts = new AdversarialRollouts(config, agent);
    update = new PpoUpdate(config, model, workers);
    predictor = new RolloutPredictor(config, agent, workers);
    riskControl = new CvarController(config.risk());
    returnStatistics = new ReturnScaleTracker(config.returns());
    calibration =
        new Calibration(
            agent.critic(), environments.count(), config.rollout().gamma(), config.risk());
    calibrationAlarm = new CalibrationAlarm(config.risk());
    telemetry = new TrainingTelemetry(config, environments, model, attackedRollouts, collector);
  }

  /** The names of the step information that rollouts record. */
  private List<String> stepInfo() {
    return Stream.concat(
            Stream.of(Step.REWARD_COSTS),
            observers.stream().flatMap(observer -> observer.stepInfo().stream()))
        .distinct()
        .toList();
  }

  /** Collects a rollout, improves the agent with it, and reports the measurements. */
  public MetricRow iterate() {
    requireProgress();
    Stopwatch parts = new Stopwatch();
    long number = update.updates();
    Critic critic = model.agent().critic();

    double[] running = environments.runningRewards();
    Rollout rollout = collector.collect(number, attackedRollouts.at(number));
    double collecting = parts.lap();
    steps += rollout.shape().transitions();
    ReturnScale scale = beginReturnScale(rollout);
    Gae.Input collected = rollout.gaeInput(config.rollout(), critic, scale);
    Gae.Result gae = Gae.compute(collected, config.targetLambda());
    ReturnTargets distribution =
        TrainingTargets.distribution(config, number, rollout, collected, gae, critic, scale);
    CvarDecision risk =
        riskControl.decide(collected, distribution.particles(), running, scale, progress());
    TrainingTargets estimates =
        TrainingTargets.of(
            risk.adjust(gae), distribution, collected.environments(), config.rollout(), scale);
    PpoUpdate.Result learnt = update.run(rollout, estimates, risk, progress(), steps);
    double learning = parts.lap();

    Metrics metrics = new Metrics();
    RolloutPredictions predictions =
        workers.run(
            () -> predictor.predict(rollout, update.updates()),
            () -> {
              telemetry.rollout(metrics, collection(rollout, gae, estimates, number));
              calibrate(metrics, rollout, scale);
              observers.forEach(observer -> observer.observe(rollout, number));
            });
    OptionalDouble explained =
        predictions.explainedVariance(
            estimates.targets(), rollout.values(), rollout.shape().window());
    update.observe(explained);
    riskControl.observe(explained);
    parts.lap();
    ScaleChange scaleChange = commitReturnScale(distribution.particles());
    learning += parts.lap();

    Iteration done =
        new Iteration(rollout, estimates, risk, learnt, predictions, explained, scaleChange);
    return report(metrics, done, collecting, learning);
  }

  /** Adds the rollout to the statistics of the observations, and lists what telemetry reports. */
  private Collection collection(
      Rollout rollout, Gae.Result gae, TrainingTargets estimates, long number) {
    return new Collection(
        rollout,
        gae,
        estimates,
        model.observe(attackedRollouts.scaleObservations(rollout, number)),
        environments.drainEpisodes(),
        drainNewFaults());
  }

  /** Compares the predictions made while acting with the returns that followed. */
  private void calibrate(Metrics metrics, Rollout rollout, ReturnScale scale) {
    CalibrationReport report = calibration.observe(rollout, scale);
    CalibrationTelemetry.report(metrics, report);
    calibrationAlarm.observe(metrics, report);
  }

  /** Reports the update and the predictions after it, with the time they took in seconds. */
  private MetricRow report(Metrics metrics, Iteration done, double collecting, double learning) {
    telemetry.update(metrics, done, update.updates());
    explainedVariance.observe(metrics, done.explained());
    double seconds = stopwatch.total();
    RolloutTelemetry.time(metrics, update.updates(), steps, seconds);
    metrics.put("time/rollout_seconds", collecting);
    metrics.put("time/update_seconds", learning);
    metrics.put("time/fps", (steps - stepsBefore) / seconds);
    return new MetricRow(update.updates(), steps, seconds, metrics.snapshot());
  }

  /** Lets the observers finish. Called once, when no update follows. */
  public void complete() {
    observers.forEach(observer -> observer.complete(agent()));
  }

  /** Whether more updates in a row changed nothing than {@code training.maxRefusedUpdates}. */
  public boolean stuck() {
    return update.refused() > config.training().maxRefusedUpdates();
  }

  /** Throws when training is stuck; a resumed run may try once more. */
  private void requireProgress() {
    if (stuck() && !resumed) {
      throw new NonFiniteException(
          String.format(
                  Locale.ROOT,
                  "every optimiser step of %d updates in a row was refused because its loss or gradient was",
                  update.refused())
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

  /** The failures of environments since the last call, also of an iteration that failed. */
  public List<EnvironmentFault> drainFaults() {
    drainNewFaults();
    List<EnvironmentFault> all = List.copyOf(faults);
    faults.clear();
    return all;
  }

  /** The scale of this cycle; the first rollout sets it before its targets are formed. */
  private ReturnScale beginReturnScale(Rollout rollout) {
    return returnStatistics.begin(
        rollout.rewards(),
        rollout.terminated(),
        rollout.truncated(),
        rollout.shape().environments(),
        config.rollout().gamma());
  }

  /**
   * Commits the scale of the next cycle and rescales the value heads, so that their raw values do
   * not jump. A categorical head, whose outputs are not returns, has to learn its new values.
   */
  ScaleChange commitReturnScale(double[] returns) {
    ReturnScale before = returnStatistics.scale();
    ReturnScale candidate = returnStatistics.candidate(returns);
    ReturnScale after = returnStatistics.commit(returns);
    if (model.agent().critic().outputsAreReturns()) {
      for (Linear head : model.network().rescaledHeads()) {
        ValueHeadRescale.apply(model.parameters(), head, before, after);
      }
    }
    return new ScaleChange(
        before,
        candidate,
        after,
        returnStatistics.commits(),
        returnStatistics.dispersion(returns),
        config.returns());
  }

  private double progress() {
    return Math.min(1.0, (double) (steps - stepsPerRollout()) / config.training().steps());
  }

  private long stepsPerRollout() {
    return (long) config.rollout().steps() * config.environment().count();
  }

  /** The learning rate of the next update. */
  public double learningRate() {
    return update.learningRate(Math.min(1.0, (double) steps / config.training().steps()));
  }

  /** The number of updates done. */
  public long updates() {
    return update.updates();
  }

  /** The number of environment steps done. */
  public long steps() {
    return steps;
  }

  /** Whether the configured number of steps has been reached. */
  public boolean finished() {
    return steps >= config.training().steps();
  }

  /** The agent that is being trained. */
  public ActingModel agent() {
    return model.agent();
  }

  /** The parameters and statistics that training changes. */
  public AgentModel model() {
    return model;
  }

  /** The numbers of an observation. */
  public ObservationSpace observationSpace() {
    return environments.observationSpace();
  }

  /** What the agent may do. */
  public ActionSpace actionSpace() {
    return environments.actionSpace();
  }

  /** Converts the critics' predictions into returns. */
  public ReturnScale returnScale() {
    return returnStatistics.scale();
  }

  /** The state of the observers alone, under the names that it has in snapshots. */
  public StateMap observed() {
    StateMap state = new StateMap();
    observers.forEach(observer -> observer.save(state.child(observer.name())));
    return state;
  }

  /** Writes the agent alone, under the names that it has in {@link #save}. */
  public void saveAgent(StateMap state) {
    model.save(state.child("agent"));
    returnStatistics.save(state.child("returns"));
  }

  /** Writes all mutable state. */
  public void save(StateMap state) {
    state.putLong("steps", steps);
    model.save(state.child("agent"));
    update.save(state.child("update"));
    riskControl.save(state.child("risk"));
    returnStatistics.save(state.child("returns"));
    explainedVariance.save(state.child("explainedVariance"));
    calibration.save(state.child("calibration"));
    calibrationAlarm.save(state.child("calibrationAlarm"));
    collector.save(state.child("collector"));
    observers.forEach(observer -> observer.save(state.child(observer.name())));
  }

  /**
   * Restores the state written by {@link #save}. A state that does not fit changes nothing.
   *
   * @return whether the running episodes are resumed; if not, the environments have been reset
   */
  public boolean load(StateMap state) {
    StateMap collected = state.child("collector");
    Runnable episodes = collector.restoring(collected);
    Runnable learnt = learnt(state, true);
    Runnable measured = calibration.restoring(state.child("calibration"));
    state.requireAllRead();
    episodes.run(); // first, because an environment may still refuse its state
    learnt.run();
    measured.run();
    boolean resumes = RolloutCollector.holdsEpisodes(collected);
    if (!resumes) {
      calibration.abandonEpisodes();
    }
    return resumes;
  }

  /**
   * Adopts the state of another agent, in new episodes and with this trainer's settings: weights,
   * observation and return statistics, the noise of gradients, KL, entropy and risk control, and
   * what observers learnt. Recurrent states start at zero. A state that does not fit changes
   * nothing.
   *
   * @param state written by the other trainer with {@link #save}
   * @param moments whether the moments of the optimiser are adopted too; otherwise they start at
   *     zero
   */
  public void adopt(StateMap state, boolean moments) {
    learnt(state, moments).run();
    calibration.reset();
  }

  /**
   * Starts a new training with what another one learnt: weights, observation statistics, the scale
   * of returns, and the state of observers that both have. Everything that steers a training is
   * that of a new one: optimiser, schedules, KL, entropy and risk control, counters and episodes. A
   * state that does not fit changes nothing.
   *
   * @param state written by the other trainer with {@link #save}
   */
  public void startFrom(StateMap state) {
    List<Runnable> parts =
        new ArrayList<>(
            List.of(
                model.restoring(state.child("agent")),
                returnStatistics.restoring(state.child("returns"))));
    for (TrainingObserver observer : observers) {
      StateMap saved = state.child(observer.name());
      if (!saved.names().isEmpty()) {
        parts.add(observer.restoring(saved));
      }
    }
    parts.forEach(Runnable::run);
  }

  /** Reads all state but that of the environments; the result assigns it. */
  private Runnable learnt(StateMap state, boolean moments) {
    List<Runnable> parts =
        new ArrayList<>(
            List.of(
                model.restoring(state.child("agent")),
                update.restoring(state.child("update"), moments),
                riskControl.restoring(state.child("risk")),
                returnStatistics.restoring(state.child("returns")),
                explainedVariance.restoring(state.child("explainedVariance")),
                calibrationAlarm.restoring(state.child("calibrationAlarm"))));
    observers.forEach(observer -> parts.add(observer.restoring(state.child(observer.name()))));
    long savedSteps = state.longValue("steps");
    return () -> {
      parts.forEach(Runnable::run);
      steps = savedSteps;
      stepsBefore = savedSteps;
      resumed = true;
    };
  }

  @Override
  public void close() {
    environments.close();
    workers.close();
  }
}
