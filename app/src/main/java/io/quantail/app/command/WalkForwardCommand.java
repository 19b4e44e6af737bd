package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.LedgerText;
import io.quantail.app.console.StudyConsole;
import io.quantail.app.console.TrainingSummary;
import io.quantail.app.console.WalkForwardText;
import io.quantail.app.report.WalkForwardJson;
import io.quantail.app.report.WalkForwardReport;
import io.quantail.app.runs.ReportWriter;
import io.quantail.config.RunConfig;
import io.quantail.market.Market;
import io.quantail.market.MarketConfig;
import io.quantail.market.MarketEnvironments;
import io.quantail.market.MarketProvider;
import io.quantail.market.data.Bars;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.ledger.StudyEvidence;
import io.quantail.market.walkforward.ChainedAccountCsv;
import io.quantail.market.walkforward.FoldResult;
import io.quantail.market.walkforward.WalkForwardFold;
import io.quantail.market.walkforward.WalkForwardResult;
import io.quantail.market.walkforward.WalkForwardTask;
import io.quantail.run.RunLayout;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.io.Json;
import io.quantail.run.settings.YamlConfig;
import io.quantail.study.StudyDirectory;
import io.quantail.study.StudyTrainings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Trains agents on each fold and evaluates them on the bars that follow. */
@Command(
    name = "walkforward",
    description =
        "Trains several seeds on each fold of a market, evaluates each agent on the bars after its"
            + " fold, and chains these accounts. Repeat the command with the same --run to resume;"
            + " finished agents are not trained again.",
    mixinStandardHelpOptions = true)
public final class WalkForwardCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private ConfigOptions arguments = new ConfigOptions();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Same as --set market.walkforward.seeds=N.")
  private String seeds;

  @Mixin private RunDirectoryOption kept = new RunDirectoryOption();

  @Mixin private TaskRunnerOptions where = new TaskRunnerOptions();

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
    List<WalkForwardFold> folds = WalkForwardFold.of(market, bars);
    requireTrainable(config, bars, folds);
    return ResumableStudy.run(
        () -> kept.openStudy(source.name() + "-walkforward", beginning(config, bars)),
        place -> {
          List<WalkForwardTask> tasks = tasks(config, market.walkforward().seeds(), folds, place);
          WalkForwardResult result = WalkForwardResult.of(folds, outcomes(place, tasks));
          StudyEvidence evidence =
              LedgerAccess.walkForward(
                  spec,
                  config,
                  tasks.stream().map(task -> place.run(task.name())).toList(),
                  place.path());
          String page = WalkForwardReport.html(place.name(), config, bars, result, evidence);
          return report(place, page, result, evidence);
        },
        spec.commandLine().getErr(),
        place ->
            "resume with: quantail walkforward %s --run %s".formatted(arguments.file(), place));
  }

  private static void requireMarket(RunConfig config) {
    if (!MarketProvider.provides(config)) {
      throw new UsageException(
          "walkforward needs a market (environment.name %s); this configuration has %s"
              .formatted(MarketProvider.NAME, config.environment().name()));
    }
  }

  /** Refuses settings that cannot be trained or evaluated, before anything is written. */
  private static void requireTrainable(
      RunConfig config, List<Bars> bars, List<WalkForwardFold> folds) {
    for (WalkForwardFold fold : folds) {
      MarketConfig settings = MarketProvider.settings(fold.run(config, config.seed()));
      Market market = Market.load(settings, config.risk(), bars);
      EvaluationProtocol.of(config, MarketEnvironments.training(market));
    }
  }

  private static StudyDirectory.Beginning beginning(RunConfig config, List<Bars> bars) {
    return new StudyDirectory.Beginning(
        "walk forward",
        RunLayout.FOLDS,
        config,
        Set.of("training.threads", "market.walkforward.seeds"),
        bars.stream().map(Bars::fingerprint).toList(),
        Map.of());
  }

  private List<WalkForwardTask> tasks(
      RunConfig config, int count, List<WalkForwardFold> folds, StudyDirectory place) {
    int threads = where.threadsPerTask();
    List<WalkForwardTask> tasks = new ArrayList<>();
    for (WalkForwardFold fold : folds) {
      for (long seed = config.seed(); seed < config.seed() + count; seed++) {
        String settings = YamlConfig.toYaml(fold.run(config, seed));
        String run = place.run(WalkForwardTask.name(fold.number(), seed)).toString();
        tasks.add(new WalkForwardTask(fold.number(), seed, settings, threads, run));
      }
    }
    return tasks;
  }

  private List<FoldResult> outcomes(StudyDirectory place, List<WalkForwardTask> tasks) {
    StudyTrainings<FoldResult> trainings =
        StudyTrainings.run(
            tasks, place, where::open, new StudyConsole<>(WalkForwardCommand::returns, System.err));
    trainings.requireAll();
    return List.copyOf(trainings.done().values());
  }

  private static String returns(FoldResult outcome) {
    return String.format(
        Locale.ROOT,
        "%+.2f %% out of sample, buy-and-hold %+.2f %%",
        100 * outcome.totalReturn(BaselineComparison.AGENT),
        100 * outcome.totalReturn(BaselineComparison.BUY_AND_HOLD));
  }

  private int report(
      StudyDirectory place, String page, WalkForwardResult result, @Nullable StudyEvidence evidence)
      throws JsonProcessingException {
    Path report = ReportWriter.write(place.path().resolve(RunLayout.REPORT), page);
    WalkForwardJson numbers = WalkForwardJson.of(place.path(), report, result);
    ObjectNode tree = LedgerText.overfitting(Json.tree(numbers), evidence);
    place.write(RunLayout.WALK_FORWARD_RESULT, Json.text(tree));
    ChainedAccountCsv.write(place.path().resolve(RunLayout.CHAINED_ACCOUNT), result);
    if (arguments.json()) {
      spec.commandLine().getOut().println(Json.line(LedgerText.ledger(tree, evidence)));
    } else {
      spec.commandLine()
          .getOut()
          .print(
              WalkForwardText.of(place.path(), result)
                  + LedgerText.of(evidence)
                  + TrainingSummary.report(numbers.report()));
      spec.commandLine().getOut().flush();
    }
    return ExitCode.OK;
  }
}
