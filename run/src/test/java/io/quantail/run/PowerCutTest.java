package io.quantail.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.io.AtomicFiles;
import io.quantail.metrics.MetricRow;
import io.quantail.random.RandomStream;
import io.quantail.run.ForgettingDisk.Dead;
import io.quantail.run.ForgettingDisk.Fault;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Trainings on a disk that forgets, fills up or fails at a random step, again and again until they
 * end: they lose nothing that a snapshot has, and end with the bytes of an undisturbed run.
 *
 * <p>{@code -Dquantail.cuts=1000} repeats each kind of fault that often, {@code -Dquantail.seed=S}
 * with other random numbers.
 */
@Requirement("CKPT-4")
class PowerCutTest {
  private static final RunConfig CONFIG =
      SmallRuns.of(
          RunConfig.defaults(), "training.steps=320", "evaluation.episodes=1"); // five updates

  private static final Function<RunConfig, EnvironmentFactory> ENVIRONMENTS =
      EnvironmentRegistry::of;
  private static final int CUTS = Integer.getInteger("quantail.cuts", 25);
  private static final long SEED = Long.getLong("quantail.seed", 20261119);

  @TempDir private static Path directory;
  private static Path whole;
  private static long steps;

  /** Follows which snapshots were reported as written. */
  private static final class Follower implements RunListener {
    private long acknowledged;
    private TrainingRun run;

    @Override
    public void onStart(TrainingRun training) {
      run = training;
    }

    @Override
    public boolean snapshotDue(MetricRow row) {
      return row.update() % 2 == 1;
    }

    @Override
    public void onUpdate(MetricRow row) {
      // A second writer at any time is refused.
      assertThatThrownBy(
              () -> TrainingSession.resume(run.directory().path(), ENVIRONMENTS, n -> {}))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("is in use by this process");
    }

    @Override
    public void onSnapshot(Snapshot snapshot) {
      acknowledged = Math.max(acknowledged, snapshot.manifest().info().update());
    }
  }

  @BeforeAll
  static void trainUndisturbed() {
    whole = directory.resolve("whole");
    ForgettingDisk sound = disk(whole, Fault.ERROR, Long.MAX_VALUE, 0);
    start(whole, sound, new Follower());
    steps = sound.steps();
    assertThat(steps).isGreaterThan(100);
  }

  private static ForgettingDisk disk(Path run, Fault fault, long step, int number) {
    return new ForgettingDisk(run, fault, step, RandomStream.of(SEED, "disk/" + fault, number));
  }

  private static void start(Path run, ForgettingDisk disk, Follower follower) {
    try (TrainingSession session =
        TrainingSession.start(
            CONFIG,
            ENVIRONMENTS.apply(CONFIG),
            () -> RunDirectory.create(run, CONFIG, List.of(), disk))) {
      session.run(List.of(follower));
    }
  }

  private static void resume(Path run, ForgettingDisk disk, Follower follower, List<String> notes) {
    try (TrainingSession session = TrainingSession.resume(run, ENVIRONMENTS, notes::add, disk)) {
      session.run(List.of(follower));
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldLoseNothingThatASnapshotHas(Fault fault) throws IOException {
    RandomStream random = RandomStream.of(SEED, "faults/" + fault, 0);
    int recovered = 0;
    for (int number = 0; number < CUTS; number++) {
      Path run = directory.resolve(fault + "-" + number);
      try {
        disturb(run, fault, number, random);
        recovered++;
      } catch (RuntimeException | AssertionError failure) {
        throw new AssertionError(
            "seed %d, %s, number %d: %s".formatted(SEED, fault, number, failure), failure);
      }
      AtomicFiles.deleteDirectory(run);
    }
    System.out.printf("PowerCutTest: %s, recovered %d of %d%n", fault, recovered, CUTS);
    assertThat(recovered).isEqualTo(CUTS);
  }

  /** One fault at a random step, sometimes a second one while the run resumes. */
  private static void disturb(Path run, Fault fault, int number, RandomStream random)
      throws IOException {
    Follower follower = new Follower();
    boolean ended = false;
    for (int attempt = 0; !ended; attempt++) {
      boolean again = attempt == 0 || (attempt < 4 && random.nextInt(3) == 0);
      long step = again ? 1 + random.nextInt((int) steps) : Long.MAX_VALUE;
      ForgettingDisk disk = disk(run, fault, step, 10 * number + attempt);
      ended = attempt(run, disk, follower);
    }
    requireSame(run);
  }

  private static boolean attempt(Path run, ForgettingDisk disk, Follower follower)
      throws IOException {
    try {
      if (RunLayout.isFree(run) || RunDirectory.isAbandoned(run)) {
        assertThat(follower.acknowledged).as("a written snapshot is lost").isZero();
        start(run, disk, follower);
      } else {
        long update = RunReader.snapshot(run).manifest().info().update();
        assertThat(update).isGreaterThanOrEqualTo(follower.acknowledged);
        resume(run, disk, follower, new ArrayList<>());
      }
      return true;
    } catch (Dead end) {
      return false;
    } catch (RunStoppedException | UncheckedIOException stopped) {
      assertThat(RunStoppedException.describe(stopped))
          .containsAnyOf("No space left on device", "Input/output error");
      return false;
    }
  }

  private static void requireSame(Path run) throws IOException {
    for (String name : List.of(RunLayout.METRICS, RunLayout.ALERTS, RunLayout.RUN)) {
      assertThat(run.resolve(name)).hasSameBinaryContentAs(whole.resolve(name));
    }
    assertThat(state(run)).hasSameBinaryContentAs(state(whole));
    assertThat(RunVerification.of(run).findings()).isEmpty();
  }

  private static Path state(Path run) {
    return RunReader.snapshot(run).directory().resolve("state.safetensors");
  }

  /** Deleted files and others that no power cut can explain are still named. */
  @Test
  void shouldNotResumeWithoutMetrics() throws IOException {
    Path run = directory.resolve("without");
    try (Stream<Path> files = Files.walk(whole)) {
      for (Path file : files.toList()) {
        Files.copy(file, run.resolve(whole.relativize(file)));
      }
    }
    Files.delete(run.resolve(RunLayout.METRICS));
    assertThatThrownBy(() -> TrainingSession.resume(run, ENVIRONMENTS, note -> {}))
        .hasMessageContaining("metrics.csv is missing");
  }
}
