package io.quantail.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.config.EvaluationConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.tasks.Environments;
import io.quantail.market.desk.Bundle;
import io.quantail.market.setup.MarketConfig;
import io.quantail.market.setup.MarketProvider;
import io.quantail.market.split.Split;
import io.quantail.rollout.Agent;
import io.quantail.run.RunReader;
import io.quantail.run.io.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Judges a trained agent again. */
@Command(
    name = "evaluate",
    description =
        "Judges a trained agent, by episodes or on a market; the same numbers as at the end of"
            + " train.",
    mixinStandardHelpOptions = true)
final class EvaluateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RUN", description = "Run directory made by train.")
  private Path runDirectory;

  @Option(
      names = "--episodes",
      paramLabel = "N",
      description = "Default: as the run is configured. Not for markets.")
  private Integer episodes;

  @Option(names = "--seed", paramLabel = "S", description = "Default: the run's seed.")
  private Long seed;

  @Option(
      names = "--sampled",
      description = "Draw actions instead of taking the most likely one. Not for markets.")
  private boolean sampled;

  @Option(
      names = "--split",
      paramLabel = "PART",
      description = "Bars of a market: ${COMPLETION-CANDIDATES}; default test.")
  private Split split;

  @Option(
      names = "--data",
      paramLabel = "FILE",
      description = "Other bars than those of the run, all of them; may be repeated.")
  private List<String> data = new ArrayList<>();

  @Option(names = "--allow-gaps", description = "Bars of --data may be missing, as at night.")
  private boolean gapsAllowed;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Where to write the report (default report.html in the run directory).")
  private Path report;

  @Option(names = "--json", description = "End with the result as one line of JSON.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    if (report != null) {
      UsageException.requireAbsent(report);
    }
    RunReader run =
        RunReader.open(
            runDirectory, note -> spec.commandLine().getErr().println("quantail: " + note));
    RunConfig config = run.config();
    Assessment assessment =
        config.environment().name().equals(MarketProvider.NAME) ? market(config) : episodes(config);
    Agent agent = run.agent(assessment.environments());
    Verdict verdict = assessment.judge(agent, run.scale());
    verdict.write(runDirectory);
    Path page = report == null ? runDirectory.resolve(verdict.reportName()) : report;
    say(verdict, RunReport.write(runDirectory, config, verdict, page));
    return ExitCode.OK;
  }

  private void say(Verdict verdict, Path page) throws JsonProcessingException {
    PrintWriter output = spec.commandLine().getOut();
    if (json) {
      output.println(Json.line(Json.tree(verdict).put("report", page.toString())));
    } else {
      output.print(verdict.line() + verdict.details() + Summary.report(page.toString()));
      output.flush();
    }
  }

  private Assessment episodes(RunConfig config) {
    if (split != null || !data.isEmpty()) {
      throw new UsageException(
          "--split and --data are for runs on a market (%s); this one is on %s"
              .formatted(MarketProvider.NAME, config.environment().name()));
    }
    EvaluationConfig settings =
        new EvaluationConfig(
            episodes == null ? config.evaluation().episodes() : episodes,
            !sampled && config.evaluation().deterministic(),
            config.evaluation().maxEpisodeSteps());
    return new EpisodeAssessment(config, Environments.of(config), settings, seed(config));
  }

  private Assessment market(RunConfig config) {
    if (episodes != null || sampled) {
      throw new UsageException(
          "--episodes and --sampled do not go with a market: it is one pass with the most likely"
              + " actions; choose its bars with --split or --data");
    }
    if (split != null && !data.isEmpty()) {
      throw new UsageException(
          "--split divides the run's own bars, --data brings others and takes all; use one of them");
    }
    MarketConfig market = MarketProvider.settings(config);
    Bundle bundle = Bundle.read(runDirectory);
    return data.isEmpty()
        ? new MarketAssessment(
            config,
            bundle.ownMarket(market),
            split == null ? MarketPart.TEST : MarketPart.of(split),
            seed(config))
        : new MarketAssessment(
            config, bundle.otherMarket(market, data, gapsAllowed), MarketPart.DATA, seed(config));
  }

  private long seed(RunConfig config) {
    return seed == null ? config.seed() : seed;
  }
}
