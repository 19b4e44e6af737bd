package io.quantail.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.Environments;
import io.quantail.metrics.MetricRow;
import io.quantail.state.StateMap;
import io.quantail.train.Evaluator;
import io.quantail.train.Trainer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Trains an agent and evaluates it. */
@Command(
    name = "train",
    description = "Trains an agent and evaluates it. Without CONFIG: a demo that takes a minute.",
    mixinStandardHelpOptions = true)
final class TrainCommand implements Callable<Integer> {
  private static final Path RUNS = Path.of("runs");

  @Spec private CommandSpec spec;

  @Parameters(index = "0", arity = "0..1", paramLabel = "CONFIG", description = "Settings (YAML).")
  private Path configFile;

  @Option(
      names = "--set",
      paramLabel = "a.b=c",
      description = "Override one setting; may be repeated.")
  private List<String> overrides = new ArrayList<>();

  @Option(
      names = "--run",
      paramLabel = "DIR",
      description = "Run directory (default runs/NAME-NNN).")
  private Path runDirectory;

  @Option(names = "--steps", paramLabel = "N", description = "Same as --set training.steps=N.")
  private String steps;

  @Option(names = "--seed", paramLabel = "S", description = "Same as --set seed=S.")
  private String seed;

  @Option(names = "--json", description = "End with the result as one line of JSON.")
  private boolean json;

  /**
   * @param run run directory
   * @param steps environment steps taken
   * @param seconds training time
   * @param stepsPerSecond training speed
   * @param evaluation the agent after training
   * @param alerts what was raised on the way
   */
  record Result(
      String run,
      long steps,
      double seconds,
      double stepsPerSecond,
      Evaluator.Evaluation evaluation,
      List<Alerts.Alert> alerts) {}

  @Override
  public Integer call() throws JsonProcessingException {
    ConfigSource source = ConfigSource.read(configFile, allOverrides());
    RunConfig config = source.config();
    RunDirectory.requireFree(
        runDirectory == null ? RUNS.resolve(source.name() + "-NNN") : runDirectory);
    EnvironmentFactory factory = Environments.byName(config.environment().name());

    List<Double> curve = new ArrayList<>();
    Result result;
    try (Trainer trainer = new Trainer(config, factory)) {
      result = train(trainer, source, factory, curve);
    }
    if (json) {
      spec.commandLine().getOut().println(new ObjectMapper().writeValueAsString(result));
    } else {
      spec.commandLine().getOut().print(Summary.of(config, result, curve));
      spec.commandLine().getOut().flush();
    }
    return ExitCode.OK;
  }

  private List<String> allOverrides() {
    List<String> all = new ArrayList<>(overrides);
    if (steps != null) {
      all.add("training.steps=" + steps);
    }
    if (seed != null) {
      all.add("seed=" + seed);
    }
    return all;
  }

  private Result train(
      Trainer trainer, ConfigSource source, EnvironmentFactory factory, List<Double> curve) {
    RunConfig config = source.config();
    Alerts alerts = new Alerts();
    // The first iteration comes before the directory: what fails at once leaves nothing behind.
    MetricRow row = trainer.iterate();
    try (RunDirectory run = startRun(source);
        Progress progress =
            new Progress(config.environment().name(), config.training().steps(), System.err)) {
      record(row, run, progress, alerts, curve);
      while (!trainer.finished()) {
        row = trainer.iterate();
        record(row, run, progress, alerts, curve);
      }
      StateMap state = new StateMap();
      trainer.save(state);
      run.snapshot(state, row.update(), row.steps());
      Evaluator.Evaluation evaluation =
          Evaluator.evaluate(trainer.agent(), factory, config.evaluation(), config.seed());
      Result result =
          new Result(
              run.path().toString(),
              row.steps(),
              row.seconds(),
              row.steps() / row.seconds(),
              evaluation,
              alerts.all());
      run.writeResult(result);
      return result;
    }
  }

  private RunDirectory startRun(ConfigSource source) {
    return runDirectory == null
        ? RunDirectory.createNext(RUNS, source.name(), source.config())
        : RunDirectory.create(runDirectory, source.config());
  }

  private static void record(
      MetricRow row, RunDirectory run, Progress progress, Alerts alerts, List<Double> curve) {
    run.write(row);
    alerts.inspect(row);
    progress.show(row);
    Double episodeReturn = row.values().get("rollout/ep_rew_mean");
    if (episodeReturn != null) {
      curve.add(episodeReturn);
    }
  }
}
