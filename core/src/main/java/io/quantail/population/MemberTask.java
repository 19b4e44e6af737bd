package io.quantail.population;

import io.quantail.checkpoint.Retention;
import io.quantail.checkpoint.Saved;
import io.quantail.checkpoint.SnapshotInfo;
import io.quantail.checkpoint.SnapshotStore;
import io.quantail.checkpoint.Versions;
import io.quantail.config.ConfigLoader;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.Environments;
import io.quantail.metrics.MetricRow;
import io.quantail.run.evaluation.EpisodeEvaluation;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.state.StateMap;
import io.quantail.task.Task;
import io.quantail.train.Trainer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * One member for one generation, a pure function of its components: it goes on from a snapshot or
 * begins, trains, is scored on held-out episodes that are the same for all, and leaves a snapshot.
 *
 * @param unit which member, of which generation, from whom, with which hyper-parameters
 * @param yaml settings of the population's members without the hyper-parameters
 * @param parent directory of the snapshot it goes on from; null to begin
 * @param moments whether the optimiser's memory of another member is taken over
 * @param steps environment steps that its line has done at the end
 * @param evaluationSeed of the held-out episodes
 */
public record MemberTask(
    Unit unit, String yaml, String parent, boolean moments, long steps, long evaluationSeed)
    implements Task<MemberResult> {

  @Override
  public String name() {
    return "generation-%03d-member-%03d".formatted(unit.generation(), unit.member());
  }

  @Override
  public Optional<Path> input() {
    return Optional.ofNullable(parent).map(Path::of);
  }

  @Override
  public MemberTask withInput(Path copy) {
    return new MemberTask(unit, yaml, copy.toString(), moments, steps, evaluationSeed);
  }

  /** The settings of the member, with one thread: members run side by side. */
  public RunConfig config() {
    List<String> overrides = new ArrayList<>();
    overrides.add("seed=" + unit.seed());
    overrides.add("training.threads=1");
    unit.hyperparameters().forEach((path, value) -> overrides.add(path + "=" + value));
    return ConfigLoader.parse(yaml, "member " + unit.member(), overrides);
  }

  @Override
  public MemberResult run(Path attempt) {
    RunConfig config = config();
    EnvironmentFactory factory = Environments.of(config);
    EvaluationProtocol evaluation = EpisodeEvaluation.heldOut(config, factory, evaluationSeed);
    try (Trainer trainer = new Trainer(config, factory)) {
      if (parent != null) {
        continueFrom(trainer, SnapshotStore.read(Path.of(parent)).state());
      }
      double trainingReturn = Double.NaN;
      while (trainer.steps() < steps) {
        if (Thread.currentThread().isInterrupted()) {
          throw new CancellationException(name() + " was interrupted");
        }
        MetricRow row = trainer.iterate();
        trainingReturn = row.values().getOrDefault("rollout/ep_rew_mean", trainingReturn);
      }
      StateMap state = new StateMap();
      trainer.save(state);
      Saved saved = write(attempt, state, trainer, factory);
      return new MemberResult(
          attempt.relativize(saved.snapshot()).toString(),
          SnapshotStore.read(saved.snapshot())
              .manifest()
              .files()
              .values()
              .iterator()
              .next()
              .sha256(),
          evaluation.evaluate(trainer.agent(), trainer.returnScale()).score(),
          trainer.updates(),
          trainer.steps(),
          trainer.learningRate(),
          trainingReturn);
    }
  }

  private void continueFrom(Trainer trainer, StateMap state) {
    if (unit.exploits()) {
      trainer.adopt(state, moments);
    } else {
      trainer.load(state);
    }
  }

  private Saved write(Path attempt, StateMap state, Trainer trainer, EnvironmentFactory factory) {
    return new SnapshotStore(attempt, Retention.DEFAULT)
        .write(
            state,
            new SnapshotInfo(
                trainer.updates(),
                trainer.steps(),
                null,
                "member",
                factory.dataFingerprint(),
                Versions.all()));
  }
}
