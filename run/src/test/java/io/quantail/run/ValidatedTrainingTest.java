package io.quantail.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.metrics.MetricRow;
import io.quantail.model.ActingModel;
import io.quantail.model.PolicyRunner;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.evaluation.EvaluationResult;
import io.quantail.run.evaluation.ValidationPass;
import io.quantail.run.evaluation.ValidationSchedule;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.run.snapshot.SnapshotStore;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.train.Trainer;
import io.quantail.value.ReturnScale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trainings that are validated with given scores: the kept agent, patience, kills and resumes. */
@Requirement("VALID-1")
class ValidatedTrainingTest {
  private static final String BEST = "training.keep=best-validation";

  /**
   * A pass every second update and after the last of nine: the second of the two 5 is no better.
   */
  private static final List<Double> SCORES = List.of(1.0, 5.0, 5.0, 2.0, 3.0);

  @TempDir private Path temporary;

  private static RunConfig config(String... settings) {
    List<String> all = new ArrayList<>(List.of("training.steps=576")); // nine updates
    all.addAll(List.of(settings));
    return SmallRuns.of(RunConfig.defaults(), all.toArray(String[]::new));
  }

  /** Gives the scores of updates 2, 4, 6, 8 and 9 in order. */
  private static final class Scores implements ValidationPass {
    private final List<Double> scores;
    private int passes;

    Scores(List<Double> scores, int passes) {
      this.scores = scores;
      this.passes = passes;
    }

    @Override
    public long decisions() {
      return 1;
    }

    @Override
    public Map<String, Double> run(ActingModel agent) {
      return Map.of(SCORE, scores.get(passes++));
    }
  }

  /** Tells agents apart by the bits of what they predict. */
  private static final class Fingerprint implements EvaluationProtocol {
    @Override
    public EnvironmentFactory environments() {
      return EnvironmentRegistry.of(config());
    }

    @Override
    public void prepare(Path directory) {
      // nothing is needed
    }

    @Override
    public EvaluationResult evaluate(ActingModel agent, ReturnScale scale) {
      float[] observation = new float[agent.observationSize()];
      Arrays.fill(observation, 0.01f);
      float[] predicted = new PolicyRunner(agent, 1).step(observation).values()[0];
      String text = Arrays.toString(predicted) + " " + scale;
      return new EvaluationResult() {
        @Override
        public Object numbers() {
          return Map.of("agent", text);
        }

        @Override
        public double score() {
          return 0;
        }

        @Override
        public void write(Path directory) {
          // the text is all
        }
      };
    }
  }

  /** Stands for a process that is killed when it has recorded an update. */
  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static RunListener killAt(long update) {
    return new RunListener() {
      @Override
      public void onUpdate(MetricRow row) {
        if (row.update() == update) {
          throw new Killed();
        }
      }
    };
  }

  private static Optional<RunResult> train(Path run, RunConfig config, RunListener... listeners) {
    EnvironmentFactory factory = EnvironmentRegistry.of(config);
    try (Trainer trainer = new Trainer(config, factory)) {
      return new TrainingRun(trainer, factory, new Fingerprint(), List.of(listeners))
          .validating(Optional.of(new ValidationSchedule(new Scores(SCORES, 0), 2)))
          .run(() -> RunDirectory.create(run, config));
    }
  }

  private static Optional<RunResult> resume(Path run, RunConfig config, RunListener... listeners) {
    EnvironmentFactory factory = EnvironmentRegistry.of(config);
    Snapshot snapshot = RunReader.snapshot(run);
    long update = snapshot.manifest().info().update();
    try (Trainer trainer = new Trainer(config, factory)) {
      trainer.load(snapshot.state());
      Scores scores = new Scores(SCORES, (int) update / 2);
      return new TrainingRun(trainer, factory, new Fingerprint(), List.of(listeners))
          .validating(Optional.of(new ValidationSchedule(scores, 2)))
          .run(() -> RunDirectory.reopen(run, config, snapshot));
    }
  }

  private static Object evaluated(Optional<RunResult> result) {
    return result.orElseThrow().evaluation().numbers();
  }

  private static long keptUpdate(Path run) {
    return new SnapshotStore(run.resolve(RunLayout.SNAPSHOTS))
        .kept()
        .orElseThrow()
        .manifest()
        .info()
        .update();
  }

  @Test
  void shouldEvaluateTheAgentOfTheBestPass() throws IOException {
    Path run = temporary.resolve("best");
    RunConfig config = config(BEST);
    RunResult result = train(run, config).orElseThrow();

    assertThat(result.agent().update()).isEqualTo(4);
    assertThat(result.agent().updates()).isEqualTo(9);
    assertThat(result.agent().ended()).isEqualTo(TrainedAgent.End.STEPS);
    assertThat(result.agent().validation()).isEqualTo(new ValidationHistory(5, 4, 5, 3));
    assertThat(keptUpdate(run)).isEqualTo(4);
    // The training of four updates ends with the same agent, unless a schedule depends on its end.
    Path four = temporary.resolve("four");
    RunConfig shorter = config("training.steps=256");
    assertThat(result.evaluation().numbers()).isEqualTo(evaluated(train(four, shorter)));
    assertThat(evaluated(train(temporary.resolve("last"), config())))
        .isNotEqualTo(result.evaluation().numbers());

    assertThat(run.resolve(RunLayout.RESULT))
        .content()
        .contains("\"keep\" : \"best-validation\"", "\"update\" : 4", "\"ended\" : \"steps\"");
    List<String> notes = new ArrayList<>();
    RunReader reader = RunReader.open(run, notes::add);
    assertThat(notes).containsExactly("agent of update 4, the best of 5 validation passes");
    assertThat(reader.snapshot().manifest().info().update()).isEqualTo(4);
    Files.delete(run.resolve(RunLayout.METRICS));
    notes.clear();
    RunReader.open(run, notes::add);
    assertThat(notes).containsExactly("agent of update 4, the best of the validation passes");
  }

  @Test
  void shouldEndLikeAnUndisturbedRunWhereverItWasKilled() throws IOException {
    RunConfig config = config(BEST, "training.snapshotUpdates=3");
    Path whole = temporary.resolve("whole");
    Object undisturbed = evaluated(train(whole, config, RunListener.snapshotEvery(3)));
    for (long kill = 2; kill <= 9; kill++) {
      Path run = temporary.resolve("killed-" + kill);
      RunListener killer = killAt(kill);
      assertThatThrownBy(() -> train(run, config, RunListener.snapshotEvery(3), killer))
          .isInstanceOf(Killed.class);
      assertThat(evaluated(resume(run, config, RunListener.snapshotEvery(3))))
          .as("killed at update %d", kill)
          .isEqualTo(undisturbed);
      assertThat(run.resolve(RunLayout.METRICS))
          .hasSameBinaryContentAs(whole.resolve(RunLayout.METRICS));
      for (String file : List.of("KEPT", "LATEST", "update-00000004/state.safetensors")) {
        assertThat(run.resolve("snapshots").resolve(file))
            .hasSameBinaryContentAs(whole.resolve("snapshots").resolve(file));
      }
      assertThat(names(run)).isEqualTo(names(whole));
    }
  }

  private static List<String> names(Path run) throws IOException {
    try (Stream<Path> files = Files.list(run.resolve(RunLayout.SNAPSHOTS))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** A process may be killed after it wrote the best snapshot and before it kept it. */
  @Test
  void shouldKeepTheBestSnapshotThatAKilledProcessDidNot() throws IOException {
    Path run = temporary.resolve("run");
    RunConfig config = config(BEST);
    assertThatThrownBy(() -> train(run, config, killAt(5))).isInstanceOf(Killed.class);
    assertThat(keptUpdate(run)).isEqualTo(4);
    Files.delete(run.resolve("snapshots").resolve("KEPT"));
    List<String> notes = new ArrayList<>();
    RunReader.open(run, notes::add);
    assertThat(notes)
        .containsExactly(
            "there was no validation pass yet, so this is the agent of update 4, the last");

    assertThat(resume(run, config).orElseThrow().agent().update()).isEqualTo(4);
    assertThat(keptUpdate(run)).isEqualTo(4);
  }

  @Test
  void shouldRefuseToContinueWithoutTheBestSnapshot() {
    Path run = temporary.resolve("run");
    train(run, config());
    assertThatThrownBy(() -> resume(run, config(BEST)))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "training.keep best-validation needs the agent of update 4, the best on the validation"
                + " bars so far, and %s has no good snapshot of it; set training.keep to last, or"
                    .formatted(run.resolve("snapshots"))
                + " start a new run");
  }

  @Test
  void shouldEndWhenPatienceIsExhaustedAndStayEnded() throws IOException {
    Path run = temporary.resolve("patient");
    RunConfig config = config("training.patience=2");
    RunResult result = train(run, config).orElseThrow();
    assertThat(result.agent().ended()).isEqualTo(TrainedAgent.End.PATIENCE);
    assertThat(result.agent().updates()).isEqualTo(8);
    assertThat(result.agent().update()).as("the last agent is kept").isEqualTo(8);
    assertThat(result.agent().earlyEnd())
        .contains("ended at update 8: 2 validation passes without a higher return");
    assertThat(RunStatus.read(run).orElseThrow().state()).isEqualTo(RunStatus.State.FINISHED);
    assertThat(run.resolve(RunLayout.RESULT)).content().contains("\"ended\" : \"patience\"");
    assertThat(RunReader.trained(run, config)).isEqualTo(result.agent());

    byte[] metrics = Files.readAllBytes(run.resolve(RunLayout.METRICS));
    RunResult again = resume(run, config).orElseThrow();
    assertThat(again.agent()).isEqualTo(result.agent());
    assertThat(again.evaluation().numbers()).isEqualTo(result.evaluation().numbers());
    assertThat(run.resolve(RunLayout.METRICS)).hasBinaryContent(metrics);

    RunResult more = resume(run, config("training.patience=3")).orElseThrow();
    assertThat(more.agent().updates()).isEqualTo(9);
    assertThat(more.agent().ended()).isEqualTo(TrainedAgent.End.STEPS);
  }

  @Test
  void shouldLearnTheSameBitsWithAndWithoutValidation() {
    Path run = temporary.resolve("with");
    train(run, config(BEST));
    RunConfig config = config();
    EnvironmentFactory factory = EnvironmentRegistry.of(config);
    try (Trainer trainer = new Trainer(config, factory)) {
      while (!trainer.finished()) {
        trainer.iterate();
      }
      StateMap state = new StateMap();
      trainer.save(state);
      assertThat(RunReader.snapshot(run).state().entries()).isEqualTo(state.entries());
    }
  }
}
