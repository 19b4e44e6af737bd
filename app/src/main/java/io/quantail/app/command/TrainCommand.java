package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.risk.CvarController;
import io.quantail.run.RunDirectory;
import io.quantail.run.TrainingRun;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.train.Trainer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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

  @Override
  public Integer call() throws JsonProcessingException {
    ConfigSource source = arguments.read(shortcuts());
    RunConfig config = source.config();
    arguments.refusePopulation("train", config);
    RunDirectory.requireFree(place.orNamed(source.name() + "-NNN"));
    EnvironmentFactory factory = EnvironmentRegistry.of(config);
    EvaluationProtocol evaluation = EvaluationProtocol.of(config, factory);
    CvarController.warnings(config.risk(), config.critic())
        .forEach(warning -> spec.commandLine().getErr().println("quantail: warning: " + warning));

    try (Trainer trainer = new Trainer(config, factory);
        InteractiveTraining run = new InteractiveTraining(spec, dashboard)) {
      TrainingRun training = run.of(trainer, factory, evaluation, config);
      return run.report(arguments.json(), training.run(() -> startRun(source)));
    }
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

  private RunDirectory startRun(ConfigSource source) {
    return place.directory() == null
        ? RunDirectory.createNext(RunDirectoryOption.RUNS, source.name(), source.config())
        : RunDirectory.create(place.directory(), source.config());
  }
}
