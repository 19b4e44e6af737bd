package io.quantail;

import io.quantail.config.RunConfig;
import io.quantail.config.TrainingConfig;
import io.quantail.metrics.MetricRow;
import io.quantail.run.RunDirectory;
import io.quantail.run.RunListener;
import io.quantail.run.RunListenerProvider;
import io.quantail.run.RunResult;
import io.quantail.run.SpaceFile;
import io.quantail.run.TrainedAgent;
import io.quantail.run.TrainingRun;
import io.quantail.run.TrainingSession;
import io.quantail.run.Versions;
import io.quantail.run.evaluation.EpisodeEvaluationResult;
import io.quantail.run.evaluation.EpisodeValidationPass;
import io.quantail.run.evaluation.ValidationPass;
import io.quantail.run.evaluation.ValidationSchedule;
import io.quantail.run.health.AlertEvent;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.run.snapshot.SnapshotInfo;
import io.quantail.state.StateMap;
import io.quantail.train.EvaluationEpisodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Runs a training session and tells public listeners of it. */
final class FollowedTraining implements RunListener {
  private final TrainingSession session;
  private final boolean leavesFiles;
  private final List<TrainingListener> listeners;
  private final List<Predicate<Progress>> stops;
  private final SpaceFile spaces;
  private @Nullable RunDirectory directory; // null before the start
  private @Nullable Progress latest; // null before the first update
  private double seconds;
  private boolean interrupted;

  FollowedTraining(
      TrainingSession session,
      boolean leavesFiles,
      List<TrainingListener> listeners,
      List<Predicate<Progress>> stops) {
    this.session = session;
    this.leavesFiles = leavesFiles;
    this.listeners = listeners;
    this.stops = stops;
    spaces = new SpaceFile(session.trainer().observationSpace(), session.trainer().actionSpace());
  }

  TrainingResult run() {
    RunConfig config = session.config();
    List<RunListener> all = new ArrayList<>();
    if (leavesFiles) {
      all.addAll(RunListenerProvider.load(config));
    }
    all.add(RunListener.snapshotEvery(config.training().snapshotUpdates()));
    all.add(this);
    Optional<RunResult> result;
    try {
      result = session.run(all);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    TrainingResult ended = result(result);
    listeners.forEach(listener -> listener.ended(ended));
    return ended;
  }

  @Override
  public void onStart(TrainingRun run) {
    directory = run.directory();
    Settings settings = Settings.of(session.config());
    listeners.forEach(listener -> listener.started(settings));
  }

  @Override
  public void onAlerts(List<AlertEvent> events) {
    for (AlertEvent event : events) {
      if (event.state() == AlertEvent.State.RAISED) {
        Alert alert = Alert.of(event);
        listeners.forEach(listener -> listener.alerted(alert));
      }
    }
  }

  @Override
  public void onUpdate(MetricRow row) {
    seconds = row.seconds();
    Progress progress = new Progress(row, session.config().training().steps(), this::current);
    latest = progress;
    listeners.forEach(listener -> listener.updated(progress));
    if (row.values().containsKey(ValidationPass.SCORE)) {
      validated()
          .ifPresent(
              played ->
                  listeners.forEach(
                      listener -> listener.evaluated(progress, Evaluation.of(played.episodes()))));
    }
  }

  private Optional<EvaluationEpisodes> validated() {
    return session
        .validation()
        .map(ValidationSchedule::pass)
        .filter(EpisodeValidationPass.class::isInstance)
        .map(pass -> ((EpisodeValidationPass) pass).latest());
  }

  @Override
  public boolean enough() {
    Progress progress = Objects.requireNonNull(latest);
    return stops.stream().anyMatch(stop -> stop.test(progress));
  }

  @Override
  public boolean stopRequested() {
    interrupted |= Thread.interrupted(); // an interrupted thread cannot write the snapshot
    return interrupted;
  }

  /** The agent as it is now. */
  private Agent current() {
    StateMap state = new StateMap();
    session.trainer().saveAgent(state);
    RunConfig config = session.config();
    SnapshotInfo info =
        new SnapshotInfo(
            session.trainer().updates(),
            session.trainer().steps(),
            ConfigDiff.resumeHash(config),
            session.environments().dataFingerprint(),
            Versions.all());
    return Agent.of(config, spaces, state, info);
  }

  private TrainingResult result(Optional<RunResult> result) {
    Agent agent = current();
    return new TrainingResult(
        agent,
        best(result).orElse(agent),
        result
            .map(RunResult::evaluation)
            .filter(EpisodeEvaluationResult.class::isInstance)
            .map(measured -> Evaluation.of(((EpisodeEvaluationResult) measured).episodes())),
        result.map(RunResult::alerts).orElse(List.of()).stream().map(Alert::of).toList(),
        result.map(finished -> stop(finished.agent())).orElse(TrainingResult.Stop.INTERRUPTED),
        Duration.ofNanos((long) (seconds * 1e9)));
  }

  private Optional<Agent> best(Optional<RunResult> result) {
    boolean kept =
        session.config().training().keep() == TrainingConfig.Keep.BEST_VALIDATION
            && result.map(finished -> finished.agent().validation()).isPresent();
    if (!kept) {
      return Optional.empty();
    }
    Snapshot best = Objects.requireNonNull(directory).kept();
    return Optional.of(Agent.of(session.config(), spaces, best.state(), best.manifest().info()));
  }

  private static TrainingResult.Stop stop(TrainedAgent trained) {
    return trained.ended() == null
        ? TrainingResult.Stop.STEPS
        : switch (trained.ended()) {
          case STEPS -> TrainingResult.Stop.STEPS;
          case PATIENCE -> TrainingResult.Stop.PATIENCE;
          case ENOUGH -> TrainingResult.Stop.ENOUGH;
        };
  }
}
