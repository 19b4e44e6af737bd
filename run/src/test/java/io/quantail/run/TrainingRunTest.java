package io.quantail.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.RunConfig;
import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.metrics.MetricRow;
import io.quantail.model.ActingModel;
import io.quantail.random.RandomStream;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.evaluation.EvaluationResult;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.testing.SmallRuns;
import io.quantail.train.Trainer;
import io.quantail.value.ReturnScale;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The one training loop: order of its steps, status of the run, and files. */
class TrainingRunTest {
  private static final RunConfig CONFIG =
      SmallRuns.of(RunConfig.defaults(), "training.steps=192"); // three updates

  @TempDir private Path temporary;
  private Path directory;

  @BeforeEach
  void chooseDirectory() {
    directory = temporary.resolve("run");
  }

  /** Writes down every call; stops after an update, or fails in one. */
  private static final class Recorder implements RunListener {
    private final List<String> calls = new ArrayList<>();
    private final List<RunStatus.State> states = new ArrayList<>();
    private long stopAfter = Long.MAX_VALUE;
    private long failAt = Long.MAX_VALUE;
    private long update;
    private TrainingRun run;

    @Override
    public void onStart(TrainingRun training) {
      run = training;
      calls.add("start");
      states.add(state());
    }

    private RunStatus.State state() {
      return RunStatus.read(run.directory().path()).orElseThrow().state();
    }

    @Override
    public void onUpdate(MetricRow row) {
      update = row.update();
      calls.add("update " + update);
      if (update == failAt) {
        throw new UncheckedIOException("cannot write", new IOException("disk full"));
      }
    }

    @Override
    public boolean stopRequested() {
      return update >= stopAfter;
    }

    @Override
    public void onSnapshot(Snapshot snapshot) {
      calls.add("snapshot " + snapshot.manifest().info().update());
    }

    @Override
    public RunResult onFinish(RunResult result) {
      calls.add("finish");
      assertThat(result.evaluation().score()).isEqualTo(7);
      assertThat(run.directory().path().resolve(RunLayout.RESULT)).doesNotExist();
      return result.withReport("page.html");
    }

    @Override
    public void onEnd(RunStatus.State state) {
      calls.add("end " + state);
      states.add(state());
    }
  }

  private static final class Protocol implements EvaluationProtocol {
    @Override
    public EnvironmentFactory environments() {
      return EnvironmentRegistry.of(CONFIG);
    }

    @Override
    public void prepare(Path run) {
      write(run.resolve("prepared"));
    }

    @Override
    public EvaluationResult evaluate(ActingModel agent, ReturnScale scale) {
      return new EvaluationResult() {
        @Override
        public Object numbers() {
          return Map.of("seven", 7);
        }

        @Override
        public double score() {
          return 7;
        }

        @Override
        public void write(Path run) {
          Protocol.write(run.resolve("series"));
        }
      };
    }

    private static void write(Path file) {
      try {
        Files.createFile(file);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  private Optional<RunResult> train(RunListener... listeners) {
    EnvironmentFactory factory = EnvironmentRegistry.of(CONFIG);
    try (Trainer trainer = new Trainer(CONFIG, factory)) {
      return new TrainingRun(trainer, factory, new Protocol(), List.of(listeners))
          .run(() -> RunDirectory.create(directory, CONFIG));
    }
  }

  private Optional<RunResult> resume(RunListener listener) {
    EnvironmentFactory factory = EnvironmentRegistry.of(CONFIG);
    Snapshot snapshot = RunReader.snapshot(directory);
    try (Trainer trainer = new Trainer(CONFIG, factory)) {
      trainer.load(snapshot.state());
      return new TrainingRun(trainer, factory, null, List.of(listener))
          .run(() -> RunDirectory.reopen(directory, CONFIG, snapshot));
    }
  }

  @Test
  void shouldCallListenersInOrder() {
    Recorder recorder = new Recorder();

    RunResult result = train(recorder, RunListener.snapshotEvery(10)).orElseThrow();

    assertThat(recorder.calls)
        .containsExactly(
            "start",
            "update 1",
            "snapshot 1",
            "update 2",
            "update 3",
            "snapshot 3",
            "finish",
            "end FINISHED");
    assertThat(recorder.states).containsExactly(RunStatus.State.RUNNING, RunStatus.State.FINISHED);
    assertThat(result.report()).isEqualTo("page.html");
    assertThat(directory.resolve("prepared")).exists();
    assertThat(directory.resolve("series")).exists();
    assertThat(directory.resolve(RunLayout.RESULT))
        .content()
        .contains("\"seven\" : 7", "\"report\" : \"page.html\"");
  }

  @Test
  void shouldWriteASnapshotAtTheEndOnlyUnlessOneIsDue() {
    Recorder recorder = new Recorder();
    train(recorder);
    assertThat(recorder.calls).filteredOn(call -> call.startsWith("snap")).hasSize(1);
  }

  @Test
  void shouldStopWithASnapshotAndResumeToTheSameBytes() throws IOException {
    Recorder recorder = new Recorder();
    recorder.stopAfter = 2;
    assertThat(train(recorder)).isEmpty();
    assertThat(recorder.calls)
        .containsExactly("start", "update 1", "update 2", "snapshot 2", "end INTERRUPTED");
    assertThat(recorder.states).endsWith(RunStatus.State.INTERRUPTED);
    assertThat(RunStatus.read(directory).orElseThrow().update()).isEqualTo(2);
    assertThat(directory.resolve(RunLayout.RESULT)).doesNotExist();

    assertThat(resume(RunListener.snapshotEvery(10))).isPresent();
    assertThat(RunStatus.read(directory).orElseThrow().state()).isEqualTo(RunStatus.State.FINISHED);
    String metrics = Files.readString(directory.resolve(RunLayout.METRICS));
    directory = temporary.resolve("undisturbed");
    train();
    assertThat(directory.resolve(RunLayout.METRICS)).hasContent(metrics);
  }

  @Test
  void shouldTellWhatIsLeftAfterAFailure() {
    Recorder recorder = new Recorder();
    recorder.failAt = 2;
    RunListener broken =
        new RunListener() {
          @Override
          public void onEnd(RunStatus.State state) {
            throw new UnsatisfiedLinkError("native code cannot be loaded");
          }
        };
    assertThatThrownBy(() -> train(RunListener.snapshotEvery(10), broken, recorder))
        .isInstanceOf(RunStoppedException.class)
        .hasMessage(
            "after update 2: cannot write: disk full; the last good snapshot is that of update 1;"
                + " resume with: quantail resume "
                + directory);
    assertThat(recorder.calls).endsWith("update 2", "end FAILED");
    assertThat(recorder.states).endsWith(RunStatus.State.FAILED);
  }

  /** The failure of a task has no advice to resume, because its directory cannot be resumed. */
  @Test
  void shouldLeaveTheFailureOfATaskAsItIs() throws IOException {
    Files.createDirectory(directory);
    Recorder recorder = new Recorder();
    recorder.failAt = 1;
    EnvironmentFactory factory = EnvironmentRegistry.of(CONFIG);
    try (Trainer trainer = new Trainer(CONFIG, factory)) {
      TrainingRun run = new TrainingRun(trainer, factory, null, List.of(recorder));
      assertThatThrownBy(() -> run.run(() -> RunDirectory.ofAttempt(directory, temporary, CONFIG)))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessage("cannot write");
    }
    assertThat(recorder.states).endsWith(RunStatus.State.FAILED);
  }

  @Test
  void shouldLeaveNothingBehindWhenTheFirstIterationFails() {
    EnvironmentFactory broken = index -> new Broken();
    assertThatThrownBy(
            () -> {
              try (Trainer trainer = new Trainer(CONFIG, broken)) {
                new TrainingRun(trainer, broken, null, List.of())
                    .run(() -> RunDirectory.create(directory, CONFIG));
              }
            })
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("out of order");
    assertThat(directory).doesNotExist();
  }

  /** An environment that fails in its first step. */
  private static final class Broken implements Environment {
    @Override
    public ObservationSpace observationSpace() {
      return ObservationSpace.of(1);
    }

    @Override
    public ActionSpace actionSpace() {
      return new ActionSpace.Discrete(2);
    }

    @Override
    public float[] reset(RandomStream random) {
      return new float[1];
    }

    @Override
    public Step step(Action action) {
      throw new IllegalStateException("out of order");
    }

    @Override
    public void close() {
      // nothing to release
    }
  }

  @Test
  void shouldLeaveMetricsAndSnapshotOfAMemberOnly() throws IOException {
    train();
    String metrics = Files.readString(directory.resolve(RunLayout.METRICS));
    Path member = Files.createDirectory(temporary.resolve("member"));
    EnvironmentFactory factory = EnvironmentRegistry.of(CONFIG);
    try (Trainer trainer = new Trainer(CONFIG, factory)) {
      new TrainingRun(trainer, factory, null, List.of())
          .until(128)
          .run(() -> RunDirectory.ofMember(member, CONFIG));
      assertThat(trainer.updates()).isEqualTo(2);
    }
    assertThat(member.toFile().list())
        .containsExactlyInAnyOrder(RunLayout.METRICS, RunLayout.SNAPSHOTS);
    assertThat(metrics).startsWith(Files.readString(member.resolve(RunLayout.METRICS)));
    assertThat(RunReader.snapshot(member).manifest().info().configHash())
        .isEqualTo(ConfigDiff.resumeHash(CONFIG));
  }
}
