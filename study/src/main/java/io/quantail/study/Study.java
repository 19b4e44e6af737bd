package io.quantail.study;

import io.quantail.Agent;
import io.quantail.Training;
import io.quantail.config.ConfigExtensions;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.io.AtomicFiles;
import io.quantail.run.RunLayout;
import io.quantail.run.RunStoppedException;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.settings.YamlConfig;
import io.quantail.study.directory.StudyDirectory;
import io.quantail.study.directory.StudyTrainings;
import io.quantail.study.population.HyperparameterConfig;
import io.quantail.study.population.Population;
import io.quantail.study.population.PopulationConfig;
import io.quantail.study.population.PopulationExtension;
import io.quantail.study.population.PopulationResult;
import io.quantail.study.sweep.Halving;
import io.quantail.study.sweep.Sweep;
import io.quantail.study.sweep.SweepAxis;
import io.quantail.study.sweep.SweepPlan;
import io.quantail.study.sweep.SweepResult;
import io.quantail.study.sweep.SweepTask;
import io.quantail.study.sweep.SweepTrainings;
import io.quantail.study.task.LocalTaskRunner;
import io.quantail.study.task.TaskResult;
import io.quantail.study.task.TaskRunner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Trains many agents with other settings and seeds, and ranks them. Immutable: every call returns
 * another study.
 *
 * <p>Agents train side by side in threads of this process, each with one thread. The same study
 * gives the same agents and scores with any number of threads, and the same as {@code quantail
 * sweep} and {@code quantail population}. On a market agents are scored on the validation bars.
 * What is refused is a {@link io.quantail.error.QuantailException} with one sentence.
 */
public final class Study {
  private static final int POPULATION_ATTEMPTS = 4;
  private static final int GENERATIONS = PopulationConfig.defaults().generations();

  /** What a study consists of besides the training; changed only before a study has it. */
  private static final class Parts implements Cloneable {
    Map<String, Range> ranges = Map.of();
    List<Long> seeds = List.of();
    @Nullable Integer trials;
    @Nullable Halving halving;
    int members; // 0 for no population
    int generations = GENERATIONS;
    int parallel; // 0 for all processors
    @Nullable Path directory;

    @Override
    public Parts clone() {
      try {
        return (Parts) super.clone();
      } catch (CloneNotSupportedException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  private final Training training;
  private final Parts parts;

  private Study(Training training, Parts parts) {
    this.training = training;
    this.parts = parts;
  }

  private Study with(Consumer<Parts> change) {
    Parts changed = parts.clone();
    change.accept(changed);
    return new Study(training, changed);
  }

  /**
   * Studies a training.
   *
   * @param training its settings hold for all agents but for those that vary; its directory and its
   *     listeners are not used
   * @return the study
   */
  public static Study of(Training training) {
    return new Study(training, new Parts());
  }

  /**
   * Varies a setting.
   *
   * @param path such as {@code optimizer.learningRate}
   * @param range its values
   * @return the study
   */
  public Study vary(String path, Range range) {
    Map<String, Range> ranges = new LinkedHashMap<>(parts.ranges);
    ranges.put(path, range);
    return with(changed -> changed.ranges = ranges);
  }

  /**
   * Trains every trial with several seeds; trials are ranked by the median.
   *
   * @param seeds at least one; the default is that of the training
   * @return the study
   */
  public Study seeds(long... seeds) {
    return with(changed -> changed.seeds = LongStream.of(seeds).boxed().toList());
  }

  /**
   * Draws the settings of trials at random; the default is all combinations of lists of values.
   *
   * @param count number of different trials, at least 1
   * @return the study
   */
  public Study trials(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
    return with(changed -> changed.trials = count);
  }

  /**
   * Trains only the best trials to the end: one of four continues to four times as many steps,
   * until the steps of the training.
   *
   * @return the study
   */
  public Study halving() {
    return halving(Halving.REDUCTION, 0);
  }

  /**
   * Trains only the best trials to the end.
   *
   * @param reduction one of so many trials continues to so many times as many steps; at least 2
   * @param minimumSteps environment steps before the first choice; 0 for as few as the number of
   *     trials allows
   * @return the study
   */
  public Study halving(int reduction, long minimumSteps) {
    return with(changed -> changed.halving = new Halving(reduction, minimumSteps, false));
  }

  /**
   * Trains a population in ten generations, after each of which low-scoring members copy
   * high-scoring ones and perturb the settings that vary.
   *
   * @param members at least 2
   * @return the study
   */
  public Study population(int members) {
    return population(members, GENERATIONS);
  }

  /**
   * Trains a population, after each generation of which low-scoring members copy high-scoring ones
   * and perturb the settings that vary.
   *
   * @param members at least 2
   * @param generations at least 1; each has as many of the steps of the training
   * @return the study
   */
  public Study population(int members, int generations) {
    return with(
        changed -> {
          changed.members = members;
          changed.generations = generations;
        });
  }

  /**
   * Sets how many agents train at a time, which never changes results.
   *
   * @param agents at least 1; the default is one per processor
   * @return the study
   */
  public Study parallel(int agents) {
    if (agents < 1) {
      throw new IllegalArgumentException("agents must be at least 1, was " + agents);
    }
    return with(changed -> changed.parallel = agents);
  }

  /**
   * Keeps the agents and the scores. A study that was interrupted goes on when it is run again with
   * the same directory. Without a directory nothing is kept.
   *
   * @param directory of the study
   * @return the study
   */
  public Study directory(Path directory) {
    return with(changed -> changed.directory = directory);
  }

  /**
   * Trains the agents. An interrupt of the thread ends it with a {@link
   * java.util.concurrent.CancellationException}.
   *
   * @return trials and the best agent
   * @throws RunStoppedException if no agent could be trained
   */
  public StudyResult run() {
    if (parts.directory != null) {
      return runIn(parts.directory);
    }
    Path place;
    try {
      place = Files.createTempDirectory("quantail-study");
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot make a temporary directory", failure);
    }
    try {
      return runIn(place.resolve("study"));
    } finally {
      AtomicFiles.deleteDirectory(place);
    }
  }

  private StudyResult runIn(Path directory) {
    return parts.members > 0 ? population(directory) : sweep(directory);
  }

  private int parallel() {
    return parts.parallel > 0 ? parts.parallel : Runtime.getRuntime().availableProcessors();
  }

  private StudyResult sweep(Path directory) {
    String yaml = training.completeSettings().toYaml();
    List<SweepAxis> axes =
        parts.ranges.entrySet().stream().map(one -> one.getValue().axis(one.getKey())).toList();
    SweepPlan plan = SweepPlan.of(settings(yaml), axes, parts.seeds, parts.trials);
    EnvironmentFactory environments = training.environmentFactory().orElse(null);
    Sweep sweep = new Sweep(plan, parts.halving, 1, environments);
    RunConfig first = plan.points().get(0).config();
    EnvironmentFactory factory =
        environments == null ? EnvironmentRegistry.of(first) : environments;
    String judged = EvaluationProtocol.of(first, factory, DataPart.VALIDATION).scoreDescription();
    StudyDirectory.Beginning beginning =
        sweep.beginning(YamlConfig.parse(yaml, "study", List.of()), factory.dataFingerprint());
    try (StudyDirectory place = StudyDirectory.open(directory, beginning)) {
      SweepTrainings trained =
          sweep.train(
              List.of(),
              place,
              (attempts, times) -> new LocalTaskRunner(parallel(), attempts, times),
              new Unheard());
      SweepResult result = sweep.result(trained, directory, judged);
      place.write(RunLayout.SWEEP_CSV, result.csv());
      SweepResult.Point best = result.ranked().get(0);
      if (!Double.isFinite(best.median())) {
        throw new RunStoppedException(result.verdict(), null);
      }
      String run = Objects.requireNonNull(best.medianTraining().run());
      return StudyResult.of(result, Agent.load(directory.resolve(run)));
    }
  }

  private static SweepPlan.Settings settings(String yaml) {
    return new SweepPlan.Settings() {
      @Override
      public boolean sets(String path) {
        return false;
      }

      @Override
      public RunConfig with(List<String> overrides) {
        return YamlConfig.parse(yaml, "study", overrides);
      }
    };
  }

  /** The console of a program belongs to the program. */
  private static final class Unheard implements StudyTrainings.Listener<SweepTask.Outcome> {
    @Override
    public void onStart(int total, int done) {}

    @Override
    public void onResult(TaskResult<SweepTask.Outcome> result) {}
  }

  private StudyResult population(Path directory) {
    if (parts.halving != null || parts.trials != null || parts.seeds.size() > 1) {
      throw new IllegalStateException(
          "a population has members instead of trials, halving and seeds; leave them out");
    }
    RunConfig base = YamlConfig.parse(training.completeSettings().toYaml(), "study", List.of());
    RunConfig config =
        withPopulation(parts.seeds.isEmpty() ? base : base.withSeed(parts.seeds.get(0)));
    try (Population population =
            new Population(config, directory, training.environmentFactory().orElse(null));
        TaskRunner runner =
            new LocalTaskRunner(
                parallel(), directory.resolve(RunLayout.ATTEMPTS), POPULATION_ATTEMPTS)) {
      PopulationResult result = population.run(runner, entry -> {});
      Path best = population.writeBest(Objects.requireNonNull(result.best()));
      return StudyResult.of(result, Agent.load(best));
    }
  }

  private RunConfig withPopulation(RunConfig base) {
    PopulationConfig defaults = PopulationConfig.defaults();
    Map<String, HyperparameterConfig> moved = new LinkedHashMap<>();
    parts.ranges.forEach((path, range) -> moved.put(path, range.hyperparameter()));
    Map<String, Record> sections = new LinkedHashMap<>(base.modules().byName());
    sections.put(
        PopulationExtension.NAME,
        new PopulationConfig(
            parts.members,
            parts.generations,
            Math.max(1, base.training().steps() / parts.generations),
            defaults.selection(),
            defaults.truncation(),
            defaults.optimizerStrategy(),
            defaults.start(),
            defaults.quorum(),
            defaults.asynchronous(),
            moved));
    return base.withModules(new ConfigExtensions(sections));
  }
}
