package io.quantail.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.checkpoint.Loaded;
import io.quantail.config.EvaluationConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.Environments;
import io.quantail.env.VectorEnvironment;
import io.quantail.rollout.Agent;
import io.quantail.train.Evaluator;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Plays episodes with a trained agent. */
@Command(
    name = "evaluate",
    description = "Plays episodes with a trained agent; the same numbers as at the end of train.",
    mixinStandardHelpOptions = true)
final class EvaluateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RUN", description = "Run directory made by train.")
  private Path runDirectory;

  @Option(
      names = "--episodes",
      paramLabel = "N",
      description = "Default: as the run is configured.")
  private Integer episodes;

  @Option(names = "--seed", paramLabel = "S", description = "Default: the run's seed.")
  private Long seed;

  @Option(names = "--sampled", description = "Draw actions instead of taking the most likely one.")
  private boolean sampled;

  @Option(names = "--json", description = "End with the result as one line of JSON.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    RunConfig config = RunDirectory.config(runDirectory);
    Loaded snapshot = RunDirectory.latestSnapshot(runDirectory);
    snapshot
        .problems()
        .forEach(problem -> spec.commandLine().getErr().println("quantail: " + problem));
    EvaluationConfig settings =
        new EvaluationConfig(
            episodes == null ? config.evaluation().episodes() : episodes,
            !sampled && config.evaluation().deterministic(),
            config.evaluation().maxEpisodeSteps());
    EnvironmentFactory factory = Environments.of(config);
    try (VectorEnvironment sample = new VectorEnvironment(factory, 1, config.seed());
        Agent agent = new Agent(config, sample.observationSize(), sample.actionSpace())) {
      agent.load(snapshot.state().child("agent"));
      Evaluator.Evaluation evaluation =
          Evaluator.evaluate(
              agent,
              factory,
              settings,
              config.environment().faults(),
              seed == null ? config.seed() : seed);
      if (json) {
        spec.commandLine().getOut().println(new ObjectMapper().writeValueAsString(evaluation));
      } else {
        spec.commandLine().getOut().print(Summary.evaluation(evaluation, settings.deterministic()));
        spec.commandLine().getOut().flush();
      }
      return ExitCode.OK;
    }
  }
}
