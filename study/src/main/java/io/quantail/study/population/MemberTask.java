package io.quantail.study.population;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.metrics.MetricRow;
import io.quantail.run.RunDirectory;
import io.quantail.run.RunListener;
import io.quantail.run.TrainingRun;
import io.quantail.run.evaluation.EpisodeEvaluation;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.settings.YamlConfig;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.run.snapshot.SnapshotStore;
import io.quantail.state.StateMap;
import io.quantail.study.task.Task;
import io.quantail.train.Trainer;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Trains one member for one generation. The result is a pure function of the components: the member
 * continues from a snapshot or starts with new parameters, trains, is scored on held-out episodes
 * that are the same for all members, and leaves its metrics and a snapshot.
 *
 * @param unit member, generation, source and hyper-parameters
 * @param yaml settings of the population's members without the hyper-parameters; null while the
 *     task is on its way to another process
 * @param parent directory of the snapshot it continues from; null to start with new parameters
 * @param moments whether a copying member takes over the moments of the optimiser
 * @param steps environment steps of its lineage at the end of the generation
 * @param evaluationSeed of the held-out episodes
 * @param environments in which it trains, which no other process can have; null for those that the
 *     settings name
 */
public record MemberTask(
    MemberAssignment unit,
    @Nullable String yaml,
    @Nullable String parent,
    boolean moments,
    long steps,
    long evaluationSeed,
    @Nullable EnvironmentFactory environments)
    implements Task<MemberResult> {

  @Override
  public String name() {
    return String.format(
        Locale.ROOT, "generation-%03d-member-%03d", unit.generation(), unit.member());
  }

  @Override
  public Optional<Path> input() {
    return Optional.ofNullable(parent).map(Path::of);
  }

  @Override
  public MemberTask withInput(Path copy) {
    return new MemberTask(
        unit, yaml, copy.toString(), moments, steps, evaluationSeed, environments);
  }

  @Override
  public @Nullable Serializable common() {
    return yaml;
  }

  @Override
  public MemberTask withCommon(@Nullable Serializable common) {
    return new MemberTask(
        unit, (String) common, parent, moments, steps, evaluationSeed, environments);
  }

  /** The settings of the member, with one thread: members run side by side. */
  public RunConfig config() {
    List<String> overrides = new ArrayList<>();
    overrides.add("seed=" + unit.seed());
    overrides.add("training.threads=1");
    unit.hyperparameters().forEach((path, value) -> overrides.add(path + "=" + value));
    return YamlConfig.parse(Objects.requireNonNull(yaml), "member " + unit.member(), overrides);
  }

  @Override
  public MemberResult run(Path attempt) {
    RunConfig config = config();
    EnvironmentFactory factory =
        environments == null ? EnvironmentRegistry.of(config) : environments;
    EvaluationProtocol evaluation = EpisodeEvaluation.heldOut(config, factory, evaluationSeed);
    try (Trainer trainer = new Trainer(config, factory)) {
      if (parent != null) {
        continueFrom(trainer, SnapshotStore.read(Path.of(parent)).state());
      }
      LastValues last = new LastValues();
      new TrainingRun(trainer, factory, null, List.of(RunListener.cancelOnInterrupt(name()), last))
          .until(steps)
          .run(() -> RunDirectory.ofMember(attempt, config));
      return new MemberResult(
          attempt.relativize(Objects.requireNonNull(last.saved).directory()).toString(),
          last.saved.manifest().files().values().iterator().next().sha256(),
          evaluation.evaluate(trainer.agent(), trainer.returnScale()).score(),
          trainer.updates(),
          trainer.steps(),
          trainer.learningRate(),
          last.trainingReturn);
    }
  }

  /** Records the last snapshot and the last mean return of training episodes. */
  private static final class LastValues implements RunListener {
    private @Nullable Snapshot saved;
    private double trainingReturn = Double.NaN;

    @Override
    public void onUpdate(MetricRow row) {
      trainingReturn = row.values().getOrDefault("rollout/ep_rew_mean", trainingReturn);
    }

    @Override
    public void onSnapshot(Snapshot snapshot) {
      saved = snapshot;
    }
  }

  private void continueFrom(Trainer trainer, StateMap state) {
    if (unit.exploits()) {
      trainer.adopt(state, moments);
    } else {
      trainer.load(state);
    }
  }
}
