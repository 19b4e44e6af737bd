package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.report.LimitCost;
import io.quantail.app.runs.ReportWriter;
import io.quantail.config.RunConfig;
import io.quantail.market.AccountSize;
import io.quantail.risk.CvarController;
import io.quantail.run.FileSums;
import io.quantail.run.Inheritance;
import io.quantail.run.RunDirectory;
import io.quantail.run.RunResult;
import io.quantail.run.TrainingSession;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Trains an agent and evaluates it. */
@Command(
    name = "train",
    description =
        "Trains an agent and evaluates it. Without CONFIG: a demo on real BTC/USD bars that takes a"
            + " minute.",
    mixinStandardHelpOptions = true)
public final class TrainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private ConfigOptions arguments = new ConfigOptions();

  @Mixin private RunDirectoryOption place = new RunDirectoryOption();

  @Option(names = "--steps", paramLabel = "N", description = "Same as --set training.steps=N.")
  private String steps;

  @Option(names = "--seed", paramLabel = "S", description = "Same as --set seed=S.")
  private String seed;

  @Option(names = "--dashboard", description = "Show the run in a browser while it trains.")
  private boolean dashboard;

  @Option(
      names = "--from",
      paramLabel = "RUN",
      description =
          "Start with the agent of this run: its weights, observation statistics, scale of returns"
              + " and, on a market, scaling of features. The bars it learnt from count as seen.")
  private Path ancestor;

  @Mixin private WithoutLimitOption withoutLimit = new WithoutLimitOption();

  @Override
  public Integer call() throws JsonProcessingException {
    ConfigSource source = arguments.read(shortcuts());
    RunConfig config = source.config();
    arguments.refusePopulation("train", config);
    withoutLimit.require(config);
    if (withoutLimit.requested() && place.directory() != null) {
      RunDirectory.requireFree(LimitCost.free(place.directory()));
    }
    RunDirectory.requireFree(place.orNamed(source.name() + "-NNN"));
    if (place.directory() != null && RunDirectory.isAbandoned(place.directory())) {
      note(
          "the run %s ended before its first snapshot, so it starts anew"
              .formatted(place.directory()));
    }
    Inheritance start = inheritance(config);
    Stream.concat(
            CvarController.warnings(config.risk(), config.critic()).stream(),
            AccountSize.warnings(start.environments()).stream())
        .forEach(warning -> spec.commandLine().getErr().println("quantail: warning: " + warning));

    InteractiveTraining shown = new InteractiveTraining(spec, dashboard);
    Optional<RunResult> result = train(shown, config, start, () -> startRun(source, start));
    if (result.isEmpty()) {
      return ExitCode.INTERRUPTED;
    }
    return withoutLimit.requested()
        ? reportCost(shown, config, result.get())
        : shown.report(arguments.json(), result, null);
  }

  /** Trains to the end; empty if the training was interrupted, which has been reported then. */
  private Optional<RunResult> train(
      InteractiveTraining shown, RunConfig config, Inheritance start, Supplier<RunDirectory> open)
      throws JsonProcessingException {
    try (TrainingSession session = TrainingSession.start(config, start, open);
        shown) {
      Optional<RunResult> result = shown.run(session);
      if (result.isEmpty()) {
        shown.report(arguments.json(), result, null); // the process may end when this is closed
      }
      return result;
    }
  }

  /** Trains the same agent without the limit and reports both. */
  private int reportCost(InteractiveTraining shown, RunConfig config, RunResult limited)
      throws JsonProcessingException {
    Path directory = Path.of(limited.run());
    RunConfig free = WithoutLimitOption.free(config);
    Inheritance start = inheritance(free);
    InteractiveTraining second = new InteractiveTraining(spec, false);
    Optional<RunResult> result =
        train(
            second,
            free,
            start,
            () -> RunDirectory.create(LimitCost.free(directory), free, start.ancestors()));
    if (result.isEmpty()) {
      shown.report(arguments.json(), Optional.of(limited), null);
      return ExitCode.INTERRUPTED;
    }
    Instant written = Instant.now();
    LimitCost cost = LimitCost.of(directory, result.get().run());
    cost.write(directory, limited);
    ReportWriter.write(directory, config, Objects.requireNonNull(limited.evaluation()));
    FileSums.update(directory, written);
    return shown.report(arguments.json(), Optional.of(limited), cost);
  }

  private String[] shortcuts() {
    List<String> all = new ArrayList<>();
    if (steps != null) {
      all.add("training.steps=" + steps);
    }
    if (seed != null) {
      all.add("seed=" + seed);
    }
    return all.toArray(String[]::new);
  }

  private Inheritance inheritance(RunConfig config) {
    return Inheritance.of(config, ancestor, this::note);
  }

  private void note(String line) {
    spec.commandLine().getErr().println("quantail: " + line);
  }

  private RunDirectory startRun(ConfigSource source, Inheritance start) {
    return place.directory() == null
        ? RunDirectory.createNext(
            RunDirectoryOption.RUNS, source.name(), source.config(), start.ancestors())
        : RunDirectory.create(place.directory(), source.config(), start.ancestors());
  }
}
