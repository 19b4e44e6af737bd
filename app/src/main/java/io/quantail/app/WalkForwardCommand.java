package io.quantail.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.config.ConfigLoader;
import io.quantail.config.RunConfig;
import io.quantail.market.data.Bars;
import io.quantail.market.setup.Market;
import io.quantail.market.setup.MarketConfig;
import io.quantail.market.setup.MarketProvider;
import io.quantail.market.walk.FoldOutcome;
import io.quantail.market.walk.FoldSpan;
import io.quantail.market.walk.FoldTask;
import io.quantail.market.walk.WalkForwardResult;
import io.quantail.task.TaskResult;
import io.quantail.task.TaskRunner;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Trains agents fold after fold and judges each on the bars that follow. */
@Command(
    name = "walkforward",
    description =
        "Trains several seeds on each fold of a market, judges each agent on the bars after its"
            + " fold, and chains what they earned there. Repeat the command with the same --run to"
            + " go on: what is done is not done again.",
    mixinStandardHelpOptions = true)
final class WalkForwardCommand implements Callable<Integer> {
  private static final int ATTEMPTS = 2;

  @Spec private CommandSpec spec;

  @Mixin private ConfigArguments arguments = new ConfigArguments();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Same as --set market.walkforward.seeds=N.")
  private String seeds;

  @Mixin private RunPlace kept = new RunPlace();

  @Mixin private WhereToRun where = new WhereToRun();

  @Override
  public Integer call() throws JsonProcessingException {
    where.check();
    String[] shortcuts =
        seeds == null ? new String[0] : new String[] {"market.walkforward.seeds=" + seeds};
    ConfigSource source = arguments.require("configs/market/walk-forward.yaml", shortcuts);
    RunConfig config = source.config();
    requireMarket(config);
    MarketConfig market = MarketProvider.settings(config);
    List<Bars> bars = Market.read(market.data());
    List<FoldSpan> folds = FoldSpan.of(market, bars);
    requireTrainable(config, bars, folds);
    // Closed last: the process may end only when the directory is in order.
    try (Interruption interruption = new Interruption(Thread.currentThread()::interrupt);
        WalkForwardDirectory place = open(source, bars)) {
      try {
        List<FoldTask> tasks = tasks(config, market.walkforward().seeds(), folds);
        WalkForwardResult result = WalkForwardResult.of(folds, outcomes(place, tasks));
        String page = WalkForwardReport.html(place.name(), config, bars, result);
        return report(place, page, result);
      } catch (CancellationException | UncheckedIOException stopped) {
        // Writing in an interrupted thread fails; what was being written is done again.
        if (!interruption.getAsBoolean()) {
          throw stopped;
        }
        spec.commandLine()
            .getErr()
            .println(
                "quantail: interrupted; go on with: quantail walkforward %s --run %s"
                    .formatted(arguments.file(), place.path()));
        return ExitCode.INTERRUPTED;
      }
    }
  }

  private static void requireMarket(RunConfig config) {
    if (!config.environment().name().equals(MarketProvider.NAME)) {
      throw new UsageException(
          "walkforward needs a market (environment.name %s); this configuration is on %s"
              .formatted(MarketProvider.NAME, config.environment().name()));
    }
  }

  /** What does not fit is refused before anything is trained or written. */
  private static void requireTrainable(RunConfig config, List<Bars> bars, List<FoldSpan> folds) {
    for (FoldSpan fold : folds) {
      MarketConfig settings = MarketProvider.settings(fold.run(config, config.seed()));
      Market market = Market.of(settings, bars);
      Assessment.of(config, market.training());
    }
  }

  private WalkForwardDirectory open(ConfigSource source, List<Bars> bars) {
    return kept.directory() == null
        ? WalkForwardDirectory.next(RunPlace.RUNS, source, bars)
        : WalkForwardDirectory.open(kept.directory(), source.config(), bars);
  }

  private List<FoldTask> tasks(RunConfig config, int count, List<FoldSpan> folds) {
    int threads = where.threadsPerTask();
    List<FoldTask> tasks = new ArrayList<>();
    for (FoldSpan fold : folds) {
      for (long seed = config.seed(); seed < config.seed() + count; seed++) {
        String settings = ConfigLoader.toYaml(fold.run(config, seed));
        tasks.add(new FoldTask(fold.number(), seed, settings, threads));
      }
    }
    return tasks;
  }

  private List<FoldOutcome> outcomes(WalkForwardDirectory place, List<FoldTask> tasks) {
    List<FoldOutcome> outcomes = new ArrayList<>();
    List<FoldTask> left = new ArrayList<>();
    for (FoldTask task : tasks) {
      place.find(task).ifPresentOrElse(outcomes::add, () -> left.add(task));
    }
    FoldProgress progress = new FoldProgress(tasks.size(), outcomes.size(), System.err);
    try (TaskRunner runner = where.open(place.attempts(), ATTEMPTS)) {
      List<TaskResult<FoldOutcome>> results =
          runner.run(
              left,
              result -> {
                if (result.succeeded()) {
                  place.commit(result);
                }
                progress.show(result);
              });
      requireSuccess(results);
      results.forEach(result -> outcomes.add(result.value()));
    }
    return outcomes;
  }

  private void requireSuccess(List<TaskResult<FoldOutcome>> results) {
    List<TaskResult<FoldOutcome>> failed =
        results.stream().filter(result -> !result.succeeded()).toList();
    if (!failed.isEmpty()) {
      throw new RunStoppedException(
          "%d of %d agents could not be trained; %s said: %s; the others are kept, repeat the"
                  .formatted(
                      failed.size(), results.size(), failed.get(0).name(), failed.get(0).failure())
              + " command to try these again",
          null);
    }
  }

  private int report(WalkForwardDirectory place, String page, WalkForwardResult result)
      throws JsonProcessingException {
    Path report = RunReport.write(place.report(), page);
    WalkForwardNumbers numbers = WalkForwardNumbers.of(place.path(), report, result);
    place.write(numbers, result);
    if (arguments.json()) {
      spec.commandLine().getOut().println(Json.line(numbers));
    } else {
      spec.commandLine()
          .getOut()
          .print(WalkForwardTable.of(place.path(), result) + Summary.report(numbers.report()));
      spec.commandLine().getOut().flush();
    }
    return ExitCode.OK;
  }
}
