package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.LedgerText;
import io.quantail.app.console.Messages;
import io.quantail.app.console.PurgedText;
import io.quantail.app.console.StudyConsole;
import io.quantail.app.console.TrainingSummary;
import io.quantail.app.console.WalkForwardText;
import io.quantail.app.report.LimitCost;
import io.quantail.app.report.PurgedJson;
import io.quantail.app.report.PurgedLimit;
import io.quantail.app.report.PurgedReport;
import io.quantail.app.report.WalkForwardEvidence;
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
import io.quantail.market.split.CombinatorialSplitter;
import io.quantail.market.split.WalkForwardSettings;
import io.quantail.market.walkforward.ChainedAccountCsv;
import io.quantail.market.walkforward.Fold;
import io.quantail.market.walkforward.FoldResult;
import io.quantail.market.walkforward.PathsCsv;
import io.quantail.market.walkforward.PurgedFold;
import io.quantail.market.walkforward.PurgedResult;
import io.quantail.market.walkforward.WalkForwardFold;
import io.quantail.market.walkforward.WalkForwardResult;
import io.quantail.market.walkforward.WalkForwardTask;
import io.quantail.run.RunLayout;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.io.Json;
import io.quantail.run.settings.YamlConfig;
import io.quantail.study.directory.StudyDirectory;
import io.quantail.study.directory.StudyTrainings;
import io.quantail.study.task.ClusterSettings;
import io.quantail.study.task.TaskSettings;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Trains agents on each fold and evaluates them on the bars that follow. */
@Command(
    name = "walkforward",
    description = {
      "Trains agents on folds of a market and tests them on the bars after.",
      "Trains several seeds on each fold, evaluates each agent on the bars after its "
          + "fold, and chains these accounts. With --scheme purged, combinatorial purged "
          + "cross-validation: every choice of --test of --groups groups of bars is tested "
          + "by agents trained on the others. Repeat the command with the same --run to "
          + "resume; finished agents are not trained again."
    },
    mixinStandardHelpOptions = true)
public final class WalkForwardCommand implements Callable<Integer> {
  /** A purged cross-validation of more agents is probably a mistake. */
  private static final int MOST_AGENTS = 300;

  @Spec private CommandSpec spec;

  @Mixin private ConfigOptions arguments = new ConfigOptions();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Same as --set market.walkforward.seeds=N.")
  private String seeds;

  @Option(
      names = "--scheme",
      paramLabel = "NAME",
      description = "forward (default) or purged; same as --set market.walkforward.scheme=NAME.")
  private String scheme;

  @Option(
      names = "--groups",
      paramLabel = "N",
      description = "Groups of bars of --scheme purged; same as --set market.walkforward.groups=N.")
  private String groups;

  @Option(
      names = "--test",
      paramLabel = "K",
      description =
          "Groups that each fold of --scheme purged tests; same as --set"
              + " market.walkforward.testGroups=K.")
  private String test;

  @Option(
      names = "--yes",
      description = "Train more than " + MOST_AGENTS + " agents with --scheme purged.")
  private boolean manyAgents;

  @Mixin private WithoutLimitOption withoutLimit = new WithoutLimitOption();

  @Mixin private RunDirectoryOption kept = new RunDirectoryOption();

  @Mixin private TaskRunnerOptions where = new TaskRunnerOptions();

  @Override
  public Integer call() throws JsonProcessingException {
    where.check();
    ConfigSource source = arguments.require("configs/market/walk-forward.yaml", shortcuts());
    RunConfig config = source.config();
    requireMarket(config);
    withoutLimit.require(config);
    MarketConfig market = MarketProvider.settings(config);
    List<Bars> bars = Market.read(market.data());
    boolean purged = market.walkforward().scheme() == WalkForwardSettings.Scheme.PURGED;
    requirePurgedOptions(purged);
    return purged ? purged(source, market, bars) : forward(source, market, bars);
  }

  private String[] shortcuts() {
    Map<String, String> given = new LinkedHashMap<>();
    given.put("scheme", scheme);
    given.put("groups", groups);
    given.put("testGroups", test);
    given.put("seeds", seeds);
    return given.entrySet().stream()
        .filter(option -> option.getValue() != null)
        .map(option -> "market.walkforward.%s=%s".formatted(option.getKey(), option.getValue()))
        .toArray(String[]::new);
  }

  private void requirePurgedOptions(boolean purged) {
    if (!purged && (groups != null || test != null)) {
      throw new UsageException(
          "%s needs --scheme purged".formatted(groups == null ? "--test" : "--groups"));
    }
  }

  private int forward(ConfigSource source, MarketConfig market, List<Bars> bars)
      throws JsonProcessingException {
    RunConfig config = source.config();
    List<WalkForwardFold> folds = WalkForwardFold.of(market, bars);
    requireTrainable(config, bars, folds);
    return study(
        source,
        bars,
        place -> {
          Agents agents = train(config, market, folds, place);
          WalkForwardResult result = WalkForwardResult.of(folds, agents.limited());
          StudyEvidence trials =
              LedgerAccess.walkForward(spec, config, agents.runs(), place.path());
          WalkForwardEvidence evidence =
              WalkForwardEvidence.of(
                  config,
                  result,
                  agent -> run(place, agent),
                  agents.free().isEmpty() ? null : WalkForwardResult.of(folds, agents.free()));
          Path report =
              write(
                  place,
                  WalkForwardReport.html(place.name(), config, bars, result, evidence, trials));
          ChainedAccountCsv.write(place.path().resolve(RunLayout.CHAINED_ACCOUNT), result);
          return print(
              place,
              LedgerText.overfitting(
                  Json.tree(WalkForwardJson.of(place.path(), report, result, evidence)), trials),
              tree -> LedgerText.ledger(tree, trials),
              WalkForwardText.of(place.path(), result, evidence)
                  + LedgerText.of(trials)
                  + TrainingSummary.report(report.toString()));
        });
  }

  private int purged(ConfigSource source, MarketConfig market, List<Bars> bars)
      throws JsonProcessingException {
    RunConfig config = source.config();
    requireFewAgents(market.walkforward());
    List<PurgedFold> folds = PurgedFold.of(market.walkforward());
    requireTrainable(config, bars, folds);
    return study(
        source,
        bars,
        place -> {
          Agents agents = train(config, market, folds, place);
          List<String> symbols = bars.stream().map(Bars::symbol).toList();
          double alpha = config.risk().alpha();
          PurgedResult result = PurgedResult.of(symbols, folds, alpha, agents.limited());
          Integer trials = LedgerAccess.folds(spec, config, agents.runs());
          PurgedLimit limit =
              PurgedLimit.of(
                  config,
                  result,
                  agent -> run(place, agent),
                  agents.free().isEmpty()
                      ? null
                      : PurgedResult.of(symbols, folds, alpha, agents.free()));
          Path report =
              write(place, PurgedReport.html(place.name(), config, bars, result, limit, trials));
          PathsCsv.write(place.path().resolve(RunLayout.PATHS), result);
          return print(
              place,
              Json.tree(PurgedJson.of(place.path(), report, result, limit)),
              tree -> LedgerText.ledger(tree, trials),
              PurgedText.of(place.path(), result, limit)
                  + LedgerText.of(trials)
                  + TrainingSummary.report(report.toString()));
        });
  }

  private int study(ConfigSource source, List<Bars> bars, ResumableStudy.Work work)
      throws JsonProcessingException {
    return ResumableStudy.run(
        () ->
            kept.openStudy(
                RunDirectoryOption.named(source.name(), "walkforward"),
                beginning(source.config(), bars)),
        work,
        spec);
  }

  private void requireFewAgents(WalkForwardSettings settings) {
    BigInteger splits = CombinatorialSplitter.count(settings.groups(), settings.testGroups());
    long each = settings.seeds() * (withoutLimit.requested() ? 2L : 1L);
    BigInteger agents = splits.multiply(BigInteger.valueOf(each));
    if (agents.compareTo(BigInteger.valueOf(MOST_AGENTS)) > 0 && !manyAgents) {
      throw new UsageException(
          String.format(
                  Locale.ROOT,
                  "%d of %d groups make %d splits, %d agents with %d seeds; use fewer groups or"
                      + " seeds, or add",
                  settings.testGroups(),
                  settings.groups(),
                  splits,
                  agents,
                  settings.seeds())
              + String.format(Locale.ROOT, " --yes to train more than %d agents", MOST_AGENTS));
    }
  }

  private static void requireMarket(RunConfig config) {
    if (!MarketProvider.provides(config)) {
      throw new UsageException(
          "walkforward needs a market (environment.name %s); this configuration has %s"
              .formatted(MarketProvider.NAME, config.environment().name()));
    }
  }

  /** Refuses settings that cannot be trained or evaluated, before anything is written. */
  private void requireTrainable(RunConfig config, List<Bars> bars, List<? extends Fold> folds) {
    config
        .training()
        .requireNoValidation("needs validation bars, and the folds of a walk-forward have none");
    long ranges = 0;
    long tooShort = 0;
    for (Fold fold : folds) {
      MarketConfig settings = MarketProvider.settings(fold.run(config, config.seed()));
      Market market = Market.load(settings, config.risk(), bars);
      EvaluationProtocol.of(config, MarketEnvironments.training(market));
      ranges += market.training().size();
      tooShort +=
          market.training().stream().filter(range -> range.starts(market.rules()) < 1).count();
    }
    if (tooShort > 0) {
      Messages.of(spec)
          .note(
              String.format(
                  Locale.ROOT,
                  "%d of %d training ranges are shorter than warm-up and episode and are not used",
                  tooShort,
                  ranges));
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

  /**
   * The trained agents.
   *
   * @param limited result of each agent
   * @param runs their directories
   * @param free results of the same agents without the limit; empty if they were not requested
   */
  private record Agents(List<FoldResult> limited, List<Path> runs, List<FoldResult> free) {}

  /** Trains all agents, and records those without the limit in the ledger. */
  private Agents train(
      RunConfig config, MarketConfig market, List<? extends Fold> folds, StudyDirectory place) {
    List<WalkForwardTask> limited = tasks(config, "", market, folds, place);
    List<WalkForwardTask> free = new ArrayList<>();
    if (withoutLimit.requested()) {
      RunConfig settings = WithoutLimitOption.free(config);
      free.addAll(tasks(settings, LimitCost.SUFFIX, market, folds, place));
    }
    List<WalkForwardTask> all = new ArrayList<>(limited);
    all.addAll(free);
    int symbols = market.data().files().size();
    StudyTrainings<FoldResult> trainings =
        StudyTrainings.run(
            all,
            place,
            (attempts, times) ->
                where.open(EnumSet.allOf(ClusterSettings.Need.class), attempts, times),
            new StudyConsole<>(outcome -> returns(outcome, symbols), Messages.of(spec)));
    trainings.requireAll();
    if (!free.isEmpty()) {
      LedgerAccess.folds(spec, WithoutLimitOption.free(config), runs(place, free));
    }
    return new Agents(
        outcomes(trainings, limited), runs(place, limited), outcomes(trainings, free));
  }

  private static List<FoldResult> outcomes(
      StudyTrainings<FoldResult> trainings, List<WalkForwardTask> tasks) {
    return tasks.stream()
        .map(task -> Objects.requireNonNull(trainings.done().get(task.name())))
        .toList();
  }

  private static Path run(StudyDirectory place, FoldResult agent) {
    return place.run(WalkForwardTask.name(agent.fold(), agent.seed()));
  }

  private List<WalkForwardTask> tasks(
      RunConfig config,
      String suffix,
      MarketConfig market,
      List<? extends Fold> folds,
      StudyDirectory place) {
    int threads = where.threadsPerTask();
    int count = market.walkforward().seeds();
    List<WalkForwardTask> tasks = new ArrayList<>();
    for (Fold fold : folds) {
      RunConfig first = fold.run(config, config.seed());
      String yaml = YamlConfig.toYaml(first);
      for (long seed = config.seed(); seed < config.seed() + count; seed++) {
        TaskSettings settings = TaskSettings.of(first, yaml, fold.run(config, seed));
        String name = WalkForwardTask.name(fold.number(), seed) + suffix;
        String run = place.run(name).toString();
        tasks.add(new WalkForwardTask(name, fold.number(), seed, settings, threads, run));
      }
    }
    return tasks;
  }

  private static String returns(FoldResult outcome, int symbols) {
    int groups = outcome.symbols().size() / symbols; // more than one in a purged split
    return String.format(
        Locale.ROOT,
        "%+.2f %% out of sample, buy-and-hold %+.2f %%",
        100 * outcome.totalReturn(BaselineComparison.AGENT, groups),
        100 * outcome.totalReturn(BaselineComparison.BUY_AND_HOLD, groups));
  }

  private static Path write(StudyDirectory place, String page) {
    return ReportWriter.write(place.path().resolve(RunLayout.REPORT), page);
  }

  private static List<Path> runs(StudyDirectory place, List<WalkForwardTask> tasks) {
    return tasks.stream().map(task -> place.run(task.name())).toList();
  }

  /**
   * Writes and prints the result.
   *
   * @param withLedger adds the numbers of the ledger, which the file does not have
   */
  private int print(
      StudyDirectory place, ObjectNode tree, UnaryOperator<ObjectNode> withLedger, String text)
      throws JsonProcessingException {
    place.write(RunLayout.WALK_FORWARD_RESULT, Json.text(tree));
    if (arguments.json()) {
      spec.commandLine().getOut().println(Json.line(withLedger.apply(tree)));
    } else {
      spec.commandLine().getOut().print(text);
      spec.commandLine().getOut().flush();
    }
    return ExitCode.OK;
  }
}
