package io.quantail;

import io.quantail.config.RunConfig;
import io.quantail.env.BatchedEnvironmentFactory;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.LimitedEnvironments;
import io.quantail.run.Inheritance;
import io.quantail.run.RunDirectory;
import io.quantail.run.TrainingSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Trains one agent. Immutable: every call returns another training, so that a base can be varied.
 *
 * <p>The same settings and the same seed give the same agent to the last bit, with any number of
 * threads, and the same as the command {@code quantail train}. What is refused is a {@link
 * io.quantail.error.QuantailException} with one sentence.
 */
public final class Training {
  /** What a training consists of besides its settings. */
  private record Parts(
      @Nullable EnvironmentFactory environments, // null: those that the settings name
      @Nullable Path ancestor, // null: new weights
      @Nullable Path directory,
      boolean resumed,
      long evaluationSteps, // 0 for no evaluations
      List<TrainingListener> listeners,
      List<Predicate<Progress>> stops) {

    Parts startingWith(Path run) {
      return new Parts(environments, run, directory, resumed, evaluationSteps, listeners, stops);
    }

    Parts in(Path run) {
      return new Parts(environments, ancestor, run, false, evaluationSteps, listeners, stops);
    }

    Parts evaluatedEvery(long steps) {
      return new Parts(environments, ancestor, directory, resumed, steps, listeners, stops);
    }

    Parts with(TrainingListener listener) {
      return new Parts(
          environments,
          ancestor,
          directory,
          resumed,
          evaluationSteps,
          plus(listeners, listener),
          stops);
    }

    Parts with(Predicate<Progress> stop) {
      return new Parts(
          environments,
          ancestor,
          directory,
          resumed,
          evaluationSteps,
          listeners,
          plus(stops, stop));
    }

    private static <T> List<T> plus(List<T> list, T more) {
      List<T> all = new ArrayList<>(list);
      all.add(more);
      return List.copyOf(all);
    }
  }

  private final Settings settings;
  private final Parts parts;

  private Training(Settings settings, Parts parts) {
    this.settings = settings;
    this.parts = parts;
  }

  private static Training in(@Nullable EnvironmentFactory environments) {
    return new Training(
        Settings.defaults(), new Parts(environments, null, null, false, 0, List.of(), List.of()));
  }

  /**
   * Trains in environments of one kind.
   *
   * @param environments makes a new environment on each call
   * @return the training
   */
  public static Training of(Supplier<? extends Environment> environments) {
    return in(index -> environments.get());
  }

  /**
   * Trains in environments that differ by their index.
   *
   * @param environments makes an environment for an index
   * @return the training
   */
  public static Training ofIndexed(EnvironmentFactory environments) {
    return in(environments);
  }

  /**
   * Trains in simulators that step many episodes in one call.
   *
   * @param simulators makes a simulator of a number of episodes
   * @return the training
   */
  public static Training ofBatch(BatchedEnvironmentFactory simulators) {
    return in(simulators);
  }

  /**
   * Trains in the environment that settings name, as the command does.
   *
   * @param settings with {@code environment.name}
   * @return the training
   */
  public static Training from(Settings settings) {
    return in(null).settings(settings);
  }

  /**
   * Continues a training from the last snapshot in its directory, with the same numbers as if it
   * had never stopped. Its settings are those of the directory.
   *
   * @param directory of the training
   * @param environments makes a new environment on each call
   * @return the training
   */
  public static Training resume(Path directory, Supplier<? extends Environment> environments) {
    return resumeIndexed(directory, index -> environments.get());
  }

  /**
   * Continues a training as {@link #resume} does, in environments that differ by their index or
   * that simulators make.
   *
   * @param directory of the training
   * @param environments makes an environment for an index
   * @return the training
   */
  public static Training resumeIndexed(Path directory, EnvironmentFactory environments) {
    return new Training(
        Settings.defaults(),
        new Parts(environments, null, directory, true, 0, List.of(), List.of()));
  }

  /**
   * Starts with the agent of another run instead of new weights, as the command {@code train
   * --from} does: with its weights, the statistics of its observations and the scale of its
   * returns. Optimiser, schedules and counters are new. Settings of the network and the critic,
   * observations and actions must be the same.
   *
   * @param run directory of the other run, see {@link #directory}
   * @return the training
   */
  public Training from(Path run) {
    if (parts.resumed) {
      throw new IllegalStateException(
          "a resumed training continues with its own agent; start a new one from " + run);
    }
    return new Training(settings, parts.startingWith(run));
  }

  /**
   * Sets the environment steps of all environments together ({@code training.steps}).
   *
   * @param total positive
   * @return the training
   */
  public Training steps(long total) {
    return set("training.steps", total);
  }

  /**
   * Sets the seed ({@code seed}).
   *
   * @param number any number
   * @return the training
   */
  public Training seed(long number) {
    return set("seed", number);
  }

  /**
   * Sets how many environments are stepped side by side ({@code environment.count}).
   *
   * @param count at least 1
   * @return the training
   */
  public Training environments(int count) {
    return set("environment.count", count);
  }

  /**
   * Sets the number of threads, which never changes results ({@code training.threads}).
   *
   * @param count at least 1, or 0 for all processors
   * @return the training
   */
  public Training threads(int count) {
    return set("training.threads", count);
  }

  /**
   * Truncates episodes, so that an endless task needs no counter ({@code
   * environment.episodeLimit}). The value of the last state still counts.
   *
   * @param steps at least 1
   * @return the training
   */
  public Training episodeLimit(int steps) {
    return set("environment.episodeLimit", steps);
  }

  /**
   * Sets how much the reward of each later step counts ({@code rollout.gamma}).
   *
   * @param gamma from 0 to 1
   * @return the training
   */
  public Training discount(double gamma) {
    return set("rollout.gamma", gamma);
  }

  /**
   * Gives the agent a memory, an LSTM ({@code network.hidden}); the default has 64 units.
   *
   * @param units at least 1
   * @return the training
   */
  public Training memory(int units) {
    return set("network.memory", "lstm").set("network.hidden", units);
  }

  /**
   * Trains without a memory: each decision depends on its own observation only.
   *
   * @return the training
   */
  public Training noMemory() {
    return set("network.memory", "none");
  }

  /**
   * Sets how many quantiles the critics predict ({@code critic.quantiles}).
   *
   * @param count at least 1
   * @return the training
   */
  public Training quantiles(int count) {
    return set("critic.type", "quantile").set("critic.quantiles", count);
  }

  /**
   * Limits the risk of whole episodes: the worst of them must average no less than a return.
   *
   * @param alpha fraction of the worst episodes, such as 0.05
   * @param atLeast lowest mean of their returns
   * @return the training
   */
  public Training risk(double alpha, double atLeast) {
    return risk("episodes", alpha, atLeast);
  }

  /**
   * Limits the risk of single steps: the worst rewards must average no less than a number.
   *
   * @param alpha fraction of the worst rewards, such as 0.05
   * @param atLeast lowest mean of these rewards
   * @return the training
   */
  public Training riskPerStep(double alpha, double atLeast) {
    return risk("rewards", alpha, atLeast);
  }

  private Training risk(String measure, double alpha, double atLeast) {
    return set("risk.mode", "policy")
        .set("risk.measure", measure)
        .set("risk.alpha", alpha)
        .set("risk.limit", atLeast);
  }

  /**
   * Sets the learning rate; a schedule must fall ({@code optimizer.learningRate}).
   *
   * @param rate over the course of the training
   * @return the training
   */
  public Training learningRate(Schedule rate) {
    return set("optimizer.learningRate", rate.course().from())
        .set("optimizer.schedule", rate.course().shape())
        .set("optimizer.minLearningRate", rate.course().isConstant() ? 0 : rate.course().to());
  }

  /**
   * Sets how far one update may move the policy ({@code ppo.clipRange}).
   *
   * @param range over the course of the training
   * @return the training
   */
  public Training clipRange(Schedule range) {
    return set("ppo.clipRange", range);
  }

  /**
   * Changes any setting, with the names of the YAML file and of {@code --set}.
   *
   * @param path such as {@code ppo.epochs}
   * @param value see {@link Settings#with}
   * @return the training
   */
  public Training set(String path, @Nullable Object value) {
    return settings(settings.with(path, value));
  }

  /**
   * Replaces all settings.
   *
   * @param all the new settings
   * @return the training
   */
  public Training settings(Settings all) {
    if (parts.resumed) {
      throw new IllegalStateException(
          "a resumed training has the settings of its directory; those that may change are changed"
              + " in its config.yaml");
    }
    return new Training(all, parts);
  }

  /** {@return the settings; of a resumed training those of its directory} */
  public Settings settings() {
    return parts.resumed ? Settings.stored(directory()) : resolved();
  }

  /**
   * {@return the settings with the name of the environment's class, by which runs remember it}
   * Studies train with them.
   */
  public Settings completeSettings() {
    return parts.resumed ? settings() : named(resolved());
  }

  /**
   * {@return what makes the environments, with the episode limit of the settings; empty if the
   * settings name them}
   */
  public Optional<EnvironmentFactory> environmentFactory() {
    return parts.environments == null
        ? Optional.empty()
        : Optional.of(limited(completeSettings().config()));
  }

  /** The settings with an interval of evaluations in updates. */
  private Settings resolved() {
    if (parts.evaluationSteps == 0) {
      return settings;
    }
    RunConfig config = settings.config();
    long update = (long) config.rollout().steps() * config.environment().count();
    return settings.with(
        "training.validationUpdates", (parts.evaluationSteps + update - 1) / update);
  }

  /**
   * Keeps snapshots and metrics, as the command does. A training without a directory keeps no
   * files.
   *
   * @param run a directory that does not exist yet
   * @return the training
   */
  public Training directory(Path run) {
    return new Training(settings, parts.in(run));
  }

  /**
   * Evaluates the agent while it trains, always in the same episodes. It changes nothing that the
   * agent learns.
   *
   * @param steps environment steps between evaluations, rounded up to whole updates
   * @param episodes number of episodes of each
   * @return the training
   */
  public Training evaluateEvery(long steps, int episodes) {
    if (steps < 1) {
      throw new IllegalArgumentException("steps must be at least 1, was " + steps);
    }
    Training changed = set("training.validationEpisodes", episodes);
    return new Training(changed.settings, parts.evaluatedEvery(steps));
  }

  /**
   * Keeps the agent of the best evaluation during the training ({@code training.keep}); needs
   * {@link #evaluateEvery}.
   *
   * @return the training
   */
  public Training keepBest() {
    return set("training.keep", "best-validation");
  }

  /**
   * Adds a function that is called after every update.
   *
   * @param listener for example {@code System.out::println}
   * @return the training
   */
  public Training onUpdate(Consumer<Progress> listener) {
    return listener(
        new TrainingListener() {
          @Override
          public void updated(Progress progress) {
            listener.accept(progress);
          }
        });
  }

  /**
   * Adds a listener.
   *
   * @param listener follows the training
   * @return the training
   */
  public Training listener(TrainingListener listener) {
    return new Training(settings, parts.with(listener));
  }

  /**
   * Ends the training after an update with which the agent is good enough; it is then evaluated.
   *
   * @param enough asked after every update
   * @return the training
   */
  public Training stopWhen(Predicate<Progress> enough) {
    return new Training(settings, parts.with(enough));
  }

  /**
   * Trains and evaluates the agent. An interrupt of the thread ends the training after the update;
   * with a directory it can be resumed.
   *
   * @return what the training came to
   */
  public TrainingResult run() {
    FullSpeed.prepare();
    try (TrainingSession session = parts.resumed ? resumed() : started()) {
      boolean leavesFiles = parts.directory != null;
      return new FollowedTraining(session, leavesFiles, parts.listeners, parts.stops).run();
    }
  }

  private TrainingSession started() {
    RunConfig config = completeSettings().config();
    if (parts.directory != null) {
      RunDirectory.requireFree(parts.directory);
    }
    List<String> notes = new ArrayList<>();
    Inheritance start =
        parts.environments == null
            ? Inheritance.of(config, parts.ancestor, notes::add)
            : Inheritance.of(config, limited(config), parts.ancestor, notes::add);
    warn(notes);
    return TrainingSession.start(
        config,
        start,
        () ->
            parts.directory == null
                ? RunDirectory.inMemory(config)
                : RunDirectory.create(directory(), config, start.ancestors()));
  }

  private TrainingSession resumed() {
    List<String> notes = new ArrayList<>();
    TrainingSession session = TrainingSession.resume(directory(), this::limited, notes::add);
    warn(notes);
    return session;
  }

  private static void warn(List<String> notes) {
    if (!notes.isEmpty()) {
      System.getLogger(Training.class.getName())
          .log(System.Logger.Level.WARNING, String.join("; ", notes));
    }
  }

  private Path directory() {
    return Objects.requireNonNull(parts.directory);
  }

  private EnvironmentFactory limited(RunConfig config) {
    return LimitedEnvironments.of(
        Objects.requireNonNull(parts.environments), config.environment().episodeLimit());
  }

  /** The settings with the name of the environment's class, by which the command finds it. */
  private Settings named(Settings all) {
    if (parts.environments == null) {
      return all;
    }
    if (parts.environments instanceof BatchedEnvironmentFactory) {
      return withName(all, parts.environments); // a simulator may be expensive to make
    }
    try (Environment sample = parts.environments.create(0)) {
      return withName(all, sample);
    } catch (RuntimeException refused) {
      return all; // the training creates it again and explains
    }
  }

  private static Settings withName(Settings all, Object task) {
    String name = task.getClass().getName().replaceFirst("\\$\\$Lambda.*", "");
    return all.with("environment.name", '"' + name + '"');
  }
}
