package io.quantail.study.sweep;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.run.RunLayout;
import io.quantail.run.evaluation.LimitResult;
import io.quantail.run.settings.YamlConfig;
import io.quantail.study.directory.StudyDirectory;
import io.quantail.study.directory.StudyTrainings;
import io.quantail.study.sweep.SweepTask.Outcome;
import io.quantail.study.task.TaskRunner;
import io.quantail.study.task.TaskSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Trains the agents of a sweep: all of them, or rung by rung with {@link Halving}.
 *
 * @param plan points and seeds
 * @param halving null to train all agents to the end
 * @param threads of each training; they do not change the result
 * @param environments in which the agents train; null for those that the settings name
 */
public record Sweep(
    SweepPlan plan,
    @Nullable Halving halving,
    int threads,
    @Nullable EnvironmentFactory environments) {
  /** Number of attempts before a training counts as failed. */
  private static final int ATTEMPTS = 2;

  /** Refuses rungs that are impossible. */
  public Sweep {
    if (halving != null) {
      halving.rungs(plan.points().size(), steps(plan));
      if (plan.grid().containsKey("training.steps")) {
        throw new ConfigException(
            "--halving decides how long agents train, so training.steps cannot vary; set it for"
                + " all agents with --set training.steps=N");
      }
    }
  }

  private static long steps(SweepPlan plan) {
    return plan.points().get(0).config().training().steps();
  }

  static String name(SweepPlan plan, SweepPlan.Point point, long seed, int rung) {
    return String.format(Locale.ROOT, "%s-rung-%d", plan.name(point, seed), rung);
  }

  /**
   * What must be the same when a sweep is resumed.
   *
   * @param config settings that do not vary
   * @param fingerprint of the data; null if there are none
   */
  public StudyDirectory.Beginning beginning(RunConfig config, @Nullable String fingerprint) {
    Set<String> free = new HashSet<>(plan.grid().keySet()); // these differ between agents
    free.addAll(List.of("seed", "training.threads"));
    List<String> data = fingerprint == null ? List.of() : List.of(fingerprint);
    Map<String, List<String>> grid = new TreeMap<>(plan.grid());
    if (halving != null) {
      grid.put("--halving", halving.written());
    }
    return new StudyDirectory.Beginning("sweep", RunLayout.SWEEP_RUNS, config, free, data, grid);
  }

  /**
   * Trains the agents that have no outcome in the directory yet.
   *
   * @param more tasks that belong to the sweep, but not to its points
   * @param place directory of the sweep
   * @param runners opens the runner of the tasks
   * @param listener follows the trainings
   * @return the agents, those in the directory included
   */
  public SweepTrainings train(
      List<SweepTask> more,
      StudyDirectory place,
      StudyTrainings.RunnerFactory runners,
      StudyTrainings.Listener<Outcome> listener) {
    if (halving == null) {
      List<SweepTask> tasks = new ArrayList<>(tasks(plan, place));
      tasks.addAll(more);
      return new SweepTrainings(StudyTrainings.run(tasks, place, runners, listener), Map.of());
    }
    List<Long> rungs = halving.rungs(plan.points().size(), steps(plan));
    Tasks tasks = new Tasks(plan, place);
    HalvingSource source =
        new HalvingSource(
            plan, halving, rungs.size(), agent -> tasks.task(agent, rungs), place, listener);
    try (TaskRunner runner = runners.open(place.attempts(), ATTEMPTS)) {
      runner.run(source);
    }
    return source.trainings();
  }

  /** The tasks of all points of a plan, which may have other settings than that of this sweep. */
  public List<SweepTask> tasks(SweepPlan all, StudyDirectory place) {
    Tasks tasks = new Tasks(all, place);
    List<SweepTask> list = new ArrayList<>();
    for (SweepPlan.Point point : all.points()) {
      for (long seed : all.seeds()) {
        list.add(tasks.task(point, seed, all.name(point, seed), null));
      }
    }
    return list;
  }

  /** Makes tasks, which have the settings of the first point in common. */
  private final class Tasks {
    private final SweepPlan all;
    private final StudyDirectory place;
    private final RunConfig common;
    private final String yaml;

    Tasks(SweepPlan all, StudyDirectory place) {
      this.all = all;
      this.place = place;
      common = all.points().get(0).config();
      yaml = YamlConfig.toYaml(common);
    }

    SweepTask task(HalvingSource.Agent agent, List<Long> rungs) {
      SweepPlan.Point point = all.points().get(agent.point());
      long seed = all.seeds().get(agent.seed());
      String parent =
          agent.rung() == 0
              ? null
              : place.run(name(all, point, seed, agent.rung())).toAbsolutePath().toString();
      return task(
          point,
          seed,
          name(all, point, seed, agent.rung() + 1),
          new SweepTask.Rung(rungs.get(agent.rung()), parent));
    }

    SweepTask task(SweepPlan.Point point, long seed, String name, SweepTask.@Nullable Rung rung) {
      return new SweepTask(
          name,
          TaskSettings.of(common, yaml, point.config().withSeed(seed)),
          threads,
          place.run(name).toString(),
          rung,
          environments);
    }
  }

  /**
   * The result of the sweep.
   *
   * @param trainings agents of all points
   * @param directory of the sweep
   * @param judged what a score measures, in words
   */
  public SweepResult result(SweepTrainings trainings, Path directory, String judged) {
    List<SweepResult.Point> points = new ArrayList<>();
    for (SweepPlan.Point point : plan.points()) {
      List<SweepResult.Training> ofPoint = new ArrayList<>();
      for (long seed : plan.seeds()) {
        ofPoint.add(
            training(trainings.trainings(), trainings.name(plan, point, seed), seed, directory));
      }
      points.add(
          SweepResult.Point.of(point.number(), point.settings(), ofPoint)
              .at(trainings.rungs().get(point.number())));
    }
    return SweepResult.of(
        directory,
        directory.resolve(RunLayout.REPORT),
        plan.points().get(0).config().environment().name(),
        judged,
        points);
  }

  private static SweepResult.Training training(
      StudyTrainings<Outcome> trainings, String name, long seed, Path directory) {
    Outcome outcome = trainings.done().get(name);
    return outcome == null
        ? SweepResult.Training.failed(
            seed, Objects.requireNonNullElse(trainings.failed().get(name), "not trained"))
        : new SweepResult.Training(
            seed,
            outcome.score(),
            outcome.steps(),
            RunLayout.SWEEP_RUNS + "/" + name,
            outcome.report(),
            null,
            LimitResult.read(directory.resolve(RunLayout.SWEEP_RUNS).resolve(name)).orElse(null));
  }
}
