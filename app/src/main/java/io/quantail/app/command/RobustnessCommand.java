package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.RobustnessText;
import io.quantail.config.Check;
import io.quantail.config.EvaluationConfig;
import io.quantail.config.RobustConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.market.MarketProvider;
import io.quantail.market.split.SplitPart;
import io.quantail.model.ActingModel;
import io.quantail.robust.AttackSpec;
import io.quantail.run.FileSums;
import io.quantail.run.RunReader;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EvaluationProtocolProvider;
import io.quantail.run.io.Json;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.train.RobustnessEvaluator;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Evaluates a trained agent under perturbed observations. */
@Command(
    name = "robustness",
    description =
        "Evaluates a trained agent under perturbed observations: random noise, and attacks that use"
            + " gradients of its network.",
    mixinStandardHelpOptions = true)
public final class RobustnessCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RUN", description = "Run directory made by train.")
  private Path runDirectory;

  @Option(
      names = "--attack",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "none,random,fgsm,pgd-10",
      description = "Attacks: none, random, fgsm or pgd-N; default: ${DEFAULT-VALUE}.")
  private List<String> attacks;

  @Option(
      names = "--epsilon",
      paramLabel = "E",
      split = ",",
      description =
          "Largest perturbations, in units of the network's inputs; default: half, once and twice"
              + " the run's robust.epsilon.")
  private List<Double> epsilons;

  @Option(
      names = "--norm",
      paramLabel = "NORM",
      description =
          "Norm of perturbations: ${COMPLETION-CANDIDATES}; default: the run's robust.norm.")
  private RobustConfig.AttackNorm norm;

  @Option(
      names = "--episodes",
      paramLabel = "N",
      description =
          "Number of episodes; default: evaluation.episodes of the run, on a market one pass over"
              + " each symbol.")
  private Integer episodes;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Seed of the evaluation; default: the run's seed.")
  private Long seed;

  @Option(
      names = "--split",
      paramLabel = "PART",
      description = "Bars of a market: ${COMPLETION-CANDIDATES}; default: TEST.")
  private SplitPart split;

  @Option(names = "--json", description = "Print the result as one line of JSON.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    Instant start = Instant.now();
    RunConfig config = RunReader.config(runDirectory);
    RobustnessEvaluator.Plan plan = plan(config);
    Snapshot snapshot =
        RunReader.agentSnapshot(
            runDirectory, config, note -> spec.commandLine().getErr().println("quantail: " + note));
    EnvironmentFactory factory = environments(config);
    long episodeSeed = seed == null ? config.seed() : seed;
    ActingModel agent = RunReader.agent(config, snapshot, factory);
    List<RobustnessEvaluator.Row> rows =
        RobustnessEvaluator.measure(
            agent,
            config,
            factory,
            settings(config, factory),
            episodeSeed,
            plan,
            row -> spec.commandLine().getErr().println(RobustnessText.progress(row, plan)));
    RobustnessText table =
        new RobustnessText(
            runDirectory.toString(),
            config.environment().name(),
            plan.norm(),
            episodeSeed,
            rows,
            runDirectory.resolve(RobustnessText.PAGE).toString());
    table.write(runDirectory);
    FileSums.update(runDirectory, start);
    spec.commandLine().getOut().print(json ? Json.line(table) + "\n" : table.text());
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }

  private RobustnessEvaluator.Plan plan(RunConfig config) {
    double own = config.robust().epsilon();
    List<Double> strengths = epsilons == null ? List.of(own / 2, own, 2 * own) : epsilons;
    strengths.forEach(strength -> Check.notNegative("--epsilon", strength));
    return new RobustnessEvaluator.Plan(
        attacks.stream().map(AttackSpec::parse).distinct().toList(),
        strengths,
        norm == null ? config.robust().norm() : norm);
  }

  private EnvironmentFactory environments(RunConfig config) {
    EvaluationProtocolProvider provider = EvaluationProtocolProvider.find(config);
    if (split != null && !provider.hasDataParts()) {
      throw new UsageException(
          "--split is for runs on a market (%s); this run is on %s"
              .formatted(MarketProvider.NAME, config.environment().name()));
    }
    DataPart part = split == null ? DataPart.TEST : DataPart.valueOf(split.name());
    return provider.reopen(config, runDirectory, part, config.seed()).environments();
  }

  private EvaluationConfig settings(RunConfig config, EnvironmentFactory factory) {
    int count = episodes == null ? config.evaluation().episodes() : episodes;
    int different = factory.differentEpisodes().orElse(count);
    return new EvaluationConfig(
        Math.min(count, different),
        config.evaluation().deterministic(),
        different < count ? Integer.MAX_VALUE : config.evaluation().maxEpisodeSteps());
  }
}
