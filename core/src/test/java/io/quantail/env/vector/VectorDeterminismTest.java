package io.quantail.env.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.env.EnvironmentFactory;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Same seed, same numbers: whatever the threads, the order, or a stop in between. */
class VectorDeterminismTest {
  private static final int COUNT = 7;
  private static final int STEPS = 400;

  /** Ends the episodes of tasks that last longer than the test. */
  private static final int LIMIT = 300;

  static List<String> names() {
    return EnvironmentRegistry.names();
  }

  @Requirement("ENV-3")
  @ParameterizedTest
  @MethodSource("names")
  void shouldGiveTheSameNumbersWithOneAndWithTwoThreads(String name) throws Exception {
    try (VectorEnvironment alone = vector(name, 1);
        VectorEnvironment shared = vector(name, 1)) {
      alone.reset();
      shared.reset();
      List<Object> expected = run(alone, 0, (actions, count) -> alone.step(0, count, actions));
      ExecutorService threads = Executors.newFixedThreadPool(2);
      try {
        List<Object> actual = run(shared, 0, (actions, count) -> split(threads, shared, actions));
        assertThat(actual).isEqualTo(expected);
      } finally {
        threads.shutdown();
      }
    }
  }

  @Requirement("ENV-3")
  @Test
  void shouldGiveTheSameNumbersInEveryOrderOfEnvironments() throws Exception {
    try (VectorEnvironment forwards = vector("CartPole-v1", 1);
        VectorEnvironment backwards = vector("CartPole-v1", 1)) {
      forwards.reset();
      backwards.reset();
      List<Object> expected =
          run(forwards, 0, (actions, count) -> forwards.step(0, count, actions));
      List<Object> actual =
          run(
              backwards,
              0,
              (actions, count) -> {
                for (int i = count - 1; i >= 0; i--) {
                  backwards.step(i, i + 1, actions);
                }
              });
      assertThat(actual).isEqualTo(expected);
    }
  }

  @Requirement("ENV-3")
  @Test
  void shouldGiveOtherNumbersForAnotherSeed() {
    try (VectorEnvironment one = vector("CartPole-v1", 1);
        VectorEnvironment two = vector("CartPole-v1", 2)) {
      one.reset();
      two.reset();
      assertThat(one.observations()).isNotEqualTo(two.observations());
    }
  }

  @Requirement("ENV-1")
  @ParameterizedTest
  @MethodSource("names")
  void shouldContinueExactlyAfterSnapshotAndRestore(String name) throws Exception {
    try (VectorEnvironment original = vector(name, 1);
        VectorEnvironment restored = vector(name, 1)) {
      original.reset();
      run(original, 0, (actions, count) -> original.step(0, count, actions));
      restored.restore(original.snapshot().orElseThrow());
      assertThat(restored.observations()).containsExactly(original.observations());
      List<Object> expected =
          run(original, 1, (actions, count) -> original.step(0, count, actions));
      List<Object> actual = run(restored, 1, (actions, count) -> restored.step(0, count, actions));
      assertThat(actual).isEqualTo(expected);
    }
  }

  @Requirement("ENV-1")
  @Test
  void shouldForgetTheLastStepAndUnreportedEpisodesWhenRestored() {
    try (VectorEnvironment vector = vector("Bandit-v0", 1)) {
      vector.reset();
      List<double[]> snapshot = vector.snapshot().orElseThrow();
      vector.step(0, COUNT, new float[COUNT]);
      vector.restore(snapshot);
      assertThat(vector.terminated()).containsOnly(false);
      assertThat(vector.drainEpisodes()).isEmpty();
    }
  }

  @Requirement("ENV-1")
  @Test
  void shouldRefuseSnapshotsThatWouldLoseOrMixSomething() {
    try (VectorEnvironment vector = vector("Bandit-v0", 1)) {
      assertThatThrownBy(vector::snapshot)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("call reset");
      vector.reset();
      List<double[]> snapshot = vector.snapshot().orElseThrow();
      vector.step(0, COUNT, new float[COUNT]);
      assertThatThrownBy(vector::snapshot)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("environment 0 has 1 unreported episodes; call drainEpisodes");
      assertThatThrownBy(() -> vector.restore(snapshot.subList(0, 3)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("snapshot must be of 7 environments, was of 3");
      List<double[]> cut = new ArrayList<>(snapshot);
      cut.set(0, new double[2]);
      assertThatThrownBy(() -> vector.restore(cut))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("environment 0 must have at least 5 numbers, had 2");
    }
  }

  private interface Stepper {
    void step(float[] actions, int count) throws Exception;
  }

  private static VectorEnvironment vector(String name, long seed) {
    EnvironmentFactory factory = EnvironmentRegistry.byName(name);
    return new VectorEnvironment(
        index -> new TimeLimitWrapper(factory.create(index), LIMIT), COUNT, seed);
  }

  /** Every array after every step, and the episodes. */
  private static List<Object> run(VectorEnvironment vector, int part, Stepper stepper)
      throws Exception {
    RandomStream random = RandomStream.of(0, "action", part);
    List<Object> log = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      int size = vector.actionSpace().size();
      float[] actions = new float[COUNT * size];
      for (int i = 0; i < COUNT; i++) {
        int width = vector.maskSize();
        boolean[] mask = Arrays.copyOfRange(vector.masks(), i * width, (i + 1) * width);
        System.arraycopy(vector.actionSpace().sample(random, mask), 0, actions, i * size, size);
      }
      stepper.step(actions, COUNT);
      log.add(Arrays.toString(vector.observations()) + Arrays.toString(vector.masks()));
      log.add(Arrays.toString(vector.rewards()));
      log.add(Arrays.toString(vector.terminated()) + Arrays.toString(vector.truncated()));
      log.add(endedRows(vector));
      if (step % 10 == 9) {
        log.add(vector.drainEpisodes());
      }
    }
    assertThat(log.toString()).contains("EpisodeSummary[");
    return log;
  }

  private static List<String> endedRows(VectorEnvironment vector) {
    int size = vector.observationSize();
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      if (vector.terminated()[i] || vector.truncated()[i]) {
        rows.add(
            Arrays.toString(
                Arrays.copyOfRange(vector.terminalObservations(), i * size, (i + 1) * size)));
      }
    }
    return rows;
  }

  private static void split(ExecutorService threads, VectorEnvironment vector, float[] actions)
      throws InterruptedException, ExecutionException {
    Future<?> low = threads.submit(() -> vector.step(0, 3, actions));
    Future<?> high = threads.submit(() -> vector.step(3, COUNT, actions));
    low.get();
    high.get();
  }
}
