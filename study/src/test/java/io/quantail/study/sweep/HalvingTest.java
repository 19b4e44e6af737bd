package io.quantail.study.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.io.Sha256;
import io.quantail.run.settings.YamlConfig;
import io.quantail.study.directory.StudyDirectory;
import io.quantail.study.directory.StudyTrainings;
import io.quantail.study.task.LocalTaskRunner;
import io.quantail.study.task.Task;
import io.quantail.study.task.TaskResult;
import io.quantail.study.task.TaskRunner;
import io.quantail.study.task.TaskSource;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Successive halving of tiny agents, undisturbed and stopped. */
@Requirement("SRCH-1")
class HalvingTest {
  private static final String YAML =
      """
      environment: {name: CartPole-v1, count: 4}
      network: {hidden: 8}
      critic: {quantiles: 5}
      rollout: {steps: 16}
      ppo: {batchSize: 32, sequenceLength: 8, epochs: 1}
      evaluation: {episodes: 3}
      training: {steps: 1024}
      """;

  @TempDir Path directory;

  private static final RunConfig CONFIG = YamlConfig.parse(YAML, "halving", List.of());

  private static final SweepPlan.Settings SETTINGS =
      new SweepPlan.Settings() {
        @Override
        public boolean sets(String path) {
          return false;
        }

        @Override
        public RunConfig with(List<String> overrides) {
          return YamlConfig.parse(YAML, "halving", overrides);
        }
      };

  private static SweepPlan plan() {
    return SweepPlan.of(
        SETTINGS,
        List.of(SweepAxis.parse("--vary", "optimizer.learningRate=log(1e-5,1e-1)")),
        List.of(1L, 2L),
        8);
  }

  private static Sweep sweep(boolean asynchronous) {
    return new Sweep(plan(), new Halving(2, 128, asynchronous), 1, null);
  }

  /** Runs tasks and stops everything after some results. */
  private record Stopping(TaskRunner runner, int results, List<String> trained)
      implements TaskRunner {
    @Override
    public <R extends Serializable> void run(TaskSource<R> source) {
      int[] left = {results};
      runner.run(
          new TaskSource<R>() {
            @Override
            public Optional<? extends Task<R>> next() {
              return source.next();
            }

            @Override
            public void done(TaskResult<R> result) {
              if (left[0]-- == 0) {
                throw new CancellationException("stopped");
              }
              trained.add(result.name());
              source.done(result);
            }
          });
    }

    @Override
    public void close() {
      runner.close();
    }
  }

  private static final class Quiet<R> implements StudyTrainings.Listener<R> {
    private int total;
    private int done;

    @Override
    public void onStart(int agents, int trained) {
      total = agents;
      done = trained;
    }

    @Override
    public void onResult(TaskResult<R> result) {
      done++;
    }
  }

  private static SweepResult run(Path place, Sweep sweep, int parallel) {
    return run(place, sweep, parallel, Integer.MAX_VALUE, new ArrayList<>());
  }

  private static SweepResult run(
      Path place, Sweep sweep, int parallel, int results, List<String> trained) {
    Quiet<SweepTask.Outcome> quiet = new Quiet<>();
    try (StudyDirectory study = StudyDirectory.open(place, sweep.beginning(CONFIG, null))) {
      SweepTrainings trainings =
          sweep.train(
              List.of(),
              study,
              (attempts, times) ->
                  new Stopping(new LocalTaskRunner(parallel, attempts, times), results, trained),
              quiet);
      if (!sweep.halving().asynchronous()) {
        assertThat(quiet.done).isEqualTo(quiet.total);
      }
      return sweep.result(trainings, Path.of("sweep"), "score");
    }
  }

  private static String journal(Path place) {
    try {
      return Files.readString(place.resolve("halving.jsonl"));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Test
  void shouldTrainOnlyTheBestPointsToTheEnd() {
    SweepResult result = run(directory.resolve("one"), sweep(false), 2);

    assertThat(result.points()).extracting(SweepResult.Point::rung).containsOnly(1, 2, 3, 4);
    assertThat(result.points().stream().filter(point -> point.rung() >= 2)).hasSize(4);
    assertThat(result.points().stream().filter(point -> point.rung() >= 3)).hasSize(2);
    SweepResult.Point best = result.bestPoint().orElseThrow();
    assertThat(best.rung()).isEqualTo(4);
    assertThat(SweepResult.steps(best)).isEqualTo(1024);
    assertThat(best.trainings().get(0).run()).endsWith("-seed-1-rung-4");
  }

  @Test
  void shouldDecideTheSameWhateverTheNumberOfThreads() {
    SweepResult one = run(directory.resolve("a"), sweep(false), 1);
    SweepResult three = run(directory.resolve("b"), sweep(false), 3);

    assertThat(three).isEqualTo(one);
    assertThat(journal(directory.resolve("b"))).isEqualTo(journal(directory.resolve("a")));
    assertThat(directory.resolve("b/halving.pending.jsonl")).doesNotExist();
  }

  /** Training that goes on rung by rung is, to the bit, one that never stopped. */
  @Test
  void shouldContinueFromTheRungBefore() throws IOException {
    SweepResult halved = run(directory.resolve("halved"), sweep(false), 2);
    String best = halved.bestPoint().orElseThrow().trainings().get(0).run();

    Sweep whole = new Sweep(plan(), null, 1, null);
    Path place = directory.resolve("whole");
    try (StudyDirectory study = StudyDirectory.open(place, whole.beginning(CONFIG, null))) {
      whole.train(
          List.of(),
          study,
          (attempts, times) -> new LocalTaskRunner(2, attempts, times),
          new Quiet<>());
    }
    Path other = place.resolve(best.replaceFirst("-rung-4$", ""));
    Path continued = directory.resolve("halved").resolve(best);
    assertThat(state(continued)).isEqualTo(state(other));
    assertThat(continued.resolve("metrics.csv"))
        .hasSameTextualContentAs(other.resolve("metrics.csv"));
  }

  private static String state(Path run) throws IOException {
    try (Stream<Path> files = Files.walk(run.resolve("snapshots"))) {
      Path last =
          files
              .filter(file -> file.endsWith("state.safetensors"))
              .sorted()
              .reduce((a, b) -> b)
              .orElseThrow();
      return last.getParent().getFileName() + " " + Sha256.hex(Files.readAllBytes(last));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldGoOnAfterAStopAndTrainNothingTwice(boolean asynchronous) {
    // One thread: then asynchronous promotion does not depend on who is faster either.
    SweepResult expected = run(directory.resolve("whole"), sweep(asynchronous), 1);
    Path place = directory.resolve("stopped");
    List<String> trained = new ArrayList<>();
    for (int results : new int[] {1, 5, 12}) {
      assertThatThrownBy(() -> run(place, sweep(asynchronous), 1, results, trained))
          .isInstanceOf(CancellationException.class);
    }
    assertThat(run(place, sweep(asynchronous), 1, Integer.MAX_VALUE, trained)).isEqualTo(expected);
    assertThat(trained).doesNotHaveDuplicates();
    assertThat(journal(place)).isEqualTo(journal(directory.resolve("whole")));
  }

  @Test
  void shouldPromoteBeforeARungIsComplete() {
    Path place = directory.resolve("asynchronous");
    SweepResult result = run(place, sweep(true), 1);

    List<String> lines = journal(place).lines().toList();
    int promoted = 0;
    while (!lines.get(promoted).contains("\"seed\":null")) {
      promoted++;
    }
    assertThat(promoted).as("after two points of eight").isEqualTo(1 + 4);
    assertThat(result.bestPoint().orElseThrow().rung()).isEqualTo(4);
    assertThat(result.points()).extracting(SweepResult.Point::rung).contains(1);
  }

  @Test
  void shouldRefuseToGoOnWithOtherRungs() {
    run(directory.resolve("rungs"), sweep(false), 2);
    Sweep other = new Sweep(plan(), new Halving(4, 128, false), 1, null);
    assertThatThrownBy(() -> run(directory.resolve("rungs"), other, 2))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("was started with another grid");
  }

  @Test
  void shouldChooseRungs() {
    assertThat(new Halving(4, 0, false).rungs(64, 65_536))
        .containsExactly(1024L, 4096L, 16_384L, 65_536L);
    assertThat(new Halving(4, 4096, false).rungs(64, 65_536))
        .containsExactly(4096L, 16_384L, 65_536L);
    assertThat(new Halving(3, 100, false).rungs(64, 1000)).containsExactly(100L, 300L, 900L, 1000L);
    assertThatThrownBy(() -> new Halving(4, 0, false).rungs(3, 1000))
        .hasMessageContaining("give more points with --trials or --grid");
    assertThatThrownBy(() -> new Halving(4, 1000, false).rungs(64, 1000))
        .hasMessageContaining("choose a smaller --min-steps");
    assertThatThrownBy(() -> new Halving(1, 0, false))
        .hasMessage("--reduction must be at least 2, was 1");
  }
}
