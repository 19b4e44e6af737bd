package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.EvaluationText;
import io.quantail.app.console.LedgerText;
import io.quantail.app.console.TrainingSummary;
import io.quantail.app.runs.ReportWriter;
import io.quantail.config.EvaluationConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.market.Market;
import io.quantail.market.MarketManifest;
import io.quantail.market.MarketProvider;
import io.quantail.market.evaluation.MarketEvaluation;
import io.quantail.market.split.SplitPart;
import io.quantail.model.ActingModel;
import io.quantail.run.FileSums;
import io.quantail.run.RunReader;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EpisodeEvaluation;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.evaluation.EvaluationProtocolProvider;
import io.quantail.run.evaluation.EvaluationResult;
import io.quantail.run.io.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Evaluates a trained agent. */
@Command(
    name = "evaluate",
    description =
        "Evaluates a trained agent on episodes or on market bars, as train does at its end.",
    mixinStandardHelpOptions = true)
public final class EvaluateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RUN", description = "Run directory made by train.")
  private Path runDirectory;

  @Option(
      names = "--episodes",
      paramLabel = "N",
      description = "Number of episodes; default: evaluation.episodes of the run. Not for markets.")
  private Integer episodes;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Seed of the evaluation; default: the run's seed.")
  private Long seed;

  @Option(
      names = "--sampled",
      description = "Sample actions instead of taking the most likely one. Not for markets.")
  private boolean sampled;

  @Option(
      names = "--environment",
      paramLabel = "NAME",
      description =
          "Another environment with the same observations and actions, for example one with a"
              + " longer time limit; default: the run's. Not for markets.")
  private String environment;

  @Option(
      names = "--split",
      paramLabel = "PART",
      description = "Bars of a market: ${COMPLETION-CANDIDATES}; default: TEST.")
  private SplitPart split;

  @Option(
      names = "--data",
      paramLabel = "FILE",
      description = "File of other bars, which are all traded; may be repeated.")
  private List<String> data = new ArrayList<>();

  @Option(
      names = "--allow-gaps",
      description = "Accept missing bars in --data, for example outside trading hours.")
  private boolean gapsAllowed;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "File of the report; default: report.html in the run directory.")
  private Path report;

  @Option(names = "--json", description = "Print the result as one line of JSON.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    if (report != null) {
      UsageException.requireAbsent(report);
    }
    Instant start = Instant.now();
    RunReader run =
        RunReader.open(
            runDirectory, note -> spec.commandLine().getErr().println("quantail: " + note));
    RunConfig config = run.config();
    EvaluationProtocol evaluation = protocol(config).with(run.snapshot().state());
    ActingModel agent = run.agent(evaluation.environments());
    EvaluationResult result = evaluation.evaluate(agent, run.scale());
    result.write(runDirectory);
    LedgerAccess.record(spec, runDirectory, result);
    Path page = report == null ? runDirectory.resolve(ReportWriter.fileName(result)) : report;
    print(result, ReportWriter.write(runDirectory, config, result, page));
    FileSums.update(runDirectory, start);
    return ExitCode.OK;
  }

  private void print(EvaluationResult result, Path page) throws JsonProcessingException {
    PrintWriter output = spec.commandLine().getOut();
    if (json) {
      ObjectNode tree = LedgerText.json(Json.tree(result), runDirectory, result);
      tree.putPOJO("limit", result.limit());
      output.println(Json.line(tree.put("report", page.toString())));
    } else {
      output.print(
          EvaluationText.line(result)
              + EvaluationText.details(result)
              + LedgerText.of(runDirectory, result)
              + EvaluationText.closing(result)
              + TrainingSummary.report(page.toString()));
      output.flush();
    }
  }

  private EvaluationProtocol protocol(RunConfig config) {
    EvaluationProtocolProvider provider = EvaluationProtocolProvider.find(config);
    requireOptions(config, provider.hasDataParts());
    if (!provider.hasDataParts()) {
      EvaluationConfig settings =
          new EvaluationConfig(
              episodes == null ? config.evaluation().episodes() : episodes,
              !sampled && config.evaluation().deterministic(),
              config.evaluation().maxEpisodeSteps());
      return EpisodeEvaluation.of(config, environments(config), settings, seed(config));
    }
    if (data.isEmpty()) {
      DataPart part = split == null ? DataPart.TEST : DataPart.valueOf(split.name());
      return provider.reopen(config, runDirectory, part, seed(config));
    }
    Market market =
        MarketManifest.read(runDirectory)
            .otherMarket(MarketProvider.settings(config), config.risk(), data, gapsAllowed);
    return new MarketEvaluation(config, market, DataPart.DATA, seed(config));
  }

  private EnvironmentFactory environments(RunConfig config) {
    EnvironmentFactory trained = EnvironmentRegistry.of(config);
    if (environment == null) {
      return trained;
    }
    EnvironmentFactory other = EnvironmentRegistry.byName(environment);
    try (Environment first = trained.create(0);
        Environment second = other.create(0)) {
      if (first.observationSpace().size() != second.observationSpace().size()
          || !first.actionSpace().equals(second.actionSpace())) {
        throw new UsageException(
            String.format(
                Locale.ROOT,
                "%s has %d observations and the actions %s, but the run's %s has %d and %s; name an"
                    + " environment with the same ones",
                environment,
                second.observationSpace().size(),
                second.actionSpace(),
                config.environment().name(),
                first.observationSpace().size(),
                first.actionSpace()));
      }
    }
    return other;
  }

  private void requireOptions(RunConfig config, boolean market) {
    if (!market && (split != null || !data.isEmpty())) {
      throw new UsageException(
          "--split and --data are for runs on a market (%s); this run is on %s"
              .formatted(MarketProvider.NAME, config.environment().name()));
    }
    if (market && (episodes != null || sampled || environment != null)) {
      throw new UsageException(
          "--episodes, --sampled and --environment cannot be used on a market, where the evaluation"
              + " is one pass with the most likely actions; choose its bars with --split or"
              + " --data");
    }
    if (split != null && !data.isEmpty()) {
      throw new UsageException(
          "--split selects bars of the run and --data other bars; use only one of them");
    }
  }

  private long seed(RunConfig config) {
    return seed == null ? config.seed() : seed;
  }
}
