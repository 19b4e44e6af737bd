package io.quantail.market.walkforward;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.market.evaluation.MarketEvaluationResult;
import io.quantail.run.RunDirectory;
import io.quantail.run.RunListener;
import io.quantail.run.RunListenerProvider;
import io.quantail.run.RunResult;
import io.quantail.run.TrainingRun;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.study.task.AgentTask;
import io.quantail.study.task.OutcomeFile;
import io.quantail.study.task.TaskSettings;
import io.quantail.train.Trainer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Trains an agent on one fold and evaluates it on the bars that follow. The directory of the
 * attempt becomes the agent's run, which {@code evaluate} and {@code signal} accept; {@link
 * OutcomeFile} reads the result again.
 *
 * @param name of the agent, see {@link #name(int, long)}
 * @param fold number of the fold
 * @param seed of the agent
 * @param settings of its run, see {@link WalkForwardFold#run}
 * @param threads that train it; they do not change the result
 * @param destination run directory of the agent
 */
public record WalkForwardTask(
    String name, int fold, long seed, TaskSettings settings, int threads, String destination)
    implements AgentTask<FoldResult> {

  /** Name of the agent of a fold and seed. */
  public static String name(int fold, long seed) {
    return String.format(Locale.ROOT, "fold-%d-seed-%d", fold, seed);
  }

  @Override
  public WalkForwardTask withSettings(TaskSettings other) {
    return new WalkForwardTask(name, fold, seed, other, threads, destination);
  }

  @Override
  public Class<FoldResult> outcomeType() {
    return FoldResult.class;
  }

  @Override
  public FoldResult run(Path directory) {
    RunConfig config = config("training.threads=" + threads);
    EnvironmentFactory factory = EnvironmentRegistry.of(config);
    EvaluationProtocol evaluation = EvaluationProtocol.of(config, factory, DataPart.TEST);
    List<RunListener> listeners = new ArrayList<>(RunListenerProvider.load(config));
    listeners.add(RunListener.cancelOnInterrupt(name));
    try (Trainer trainer = new Trainer(config, factory)) {
      RunResult result =
          new TrainingRun(trainer, factory, evaluation, listeners)
              .run(() -> RunDirectory.ofAttempt(directory, Path.of(destination), config))
              .orElseThrow();
      MarketEvaluationResult evaluated =
          (MarketEvaluationResult) Objects.requireNonNull(result.evaluation());
      FoldResult outcome =
          new FoldResult(fold, seed, result.steps(), evaluated.symbols(), evaluated.tails());
      OutcomeFile.write(directory, this, outcome);
      return outcome;
    }
  }
}
