package io.quantail.env.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.EnvironmentConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.BatchedEnvironment;
import io.quantail.env.BatchedEnvironmentFactory;
import io.quantail.env.BatchedStep;
import io.quantail.env.CountingSimulator;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.ObservationSpace;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Simulators in a vector: the same numbers as separate environments, and faults of a whole. */
@Requirement("SIM-1")
@Timeout(120)
class SimulatorVectorTest {
  private static final long SEED = 5;
  private static final int COUNT = 6;
  private static final EnvironmentConfig.Faults WATCHED =
      new EnvironmentConfig.Faults(EnvironmentConfig.FaultPolicy.RESTART, 0.5, 100, 1000);
  private static final EnvironmentConfig.Faults RESTART =
      new EnvironmentConfig.Faults(EnvironmentConfig.FaultPolicy.RESTART, null, 100, 1000);

  /** What a factory makes and in how many simulators. */
  private record Divided(BatchedEnvironmentFactory made, int parts)
      implements BatchedEnvironmentFactory {
    @Override
    public BatchedEnvironment createBatch(int count) {
      return made.createBatch(count);
    }

    @Override
    public int simulators(int count) {
      return parts;
    }
  }

  private static BatchedEnvironmentFactory divided(int parts) {
    return new Divided(CountingSimulator::new, parts);
  }

  /** Where in a simulator's life a fault comes. */
  private enum When {
    STEP,
    RESET_AFTER_STEP
  }

  /**
   * The second of two simulators fails once: at its second step, or at the first reset after it.
   */
  private static BatchedEnvironmentFactory failingOnce(EnvironmentException.Kind kind, When when) {
    AtomicInteger made = new AtomicInteger();
    return new Divided(
        count -> {
          boolean faulty = made.getAndIncrement() == 1;
          return new CountingSimulator(count) {
            private int steps;

            @Override
            public void step(float[] actions, BatchedStep rows) {
              steps++;
              super.step(actions, rows);
              if (faulty && when == When.STEP && steps == 2) {
                fail(1, rows);
              }
            }

            @Override
            public void reset(int row, long seed, BatchedStep rows) {
              super.reset(row, seed, rows);
              if (faulty && when == When.RESET_AFTER_STEP && steps > 0) {
                fail(row, rows);
              }
            }

            private void fail(int row, BatchedStep rows) {
              switch (kind) {
                case EXCEPTION -> throw new StackOverflowError("as a test");
                case TIMEOUT -> hang();
                case OUTPUT -> rows.observations()[2 * row] = Float.NaN;
              }
            }
          };
        },
        2);
  }

  /** An allowed action for every environment. */
  private static float[] actions(VectorEnvironment vector) {
    float[] actions = new float[vector.count()];
    for (int i = 0; i < actions.length; i++) {
      while (!vector.masks()[3 * i + (int) actions[i]]) {
        actions[i]++;
      }
    }
    return actions;
  }

  private static String shown(VectorEnvironment vector) {
    return Arrays.toString(vector.observations())
        + Arrays.toString(vector.rewards())
        + Arrays.toString(vector.terminated())
        + Arrays.toString(vector.truncated())
        + Arrays.toString(vector.faulted())
        + Arrays.toString(vector.masks())
        + Arrays.toString(vector.runningRewards());
  }

  @ParameterizedTest
  @CsvSource({"1, false", "2, false", "4, true", "6, true"})
  void shouldGiveTheNumbersOfSeparateEnvironments(int parts, boolean watched) {
    EnvironmentFactory separate = index -> divided(1).create(index);
    EnvironmentConfig.Faults faults = watched ? WATCHED : RESTART;
    try (VectorEnvironment simulators = new VectorEnvironment(divided(parts), COUNT, SEED, faults);
        VectorEnvironment environments = new VectorEnvironment(separate, COUNT, SEED)) {
      assertThat(simulators.maskSize()).isEqualTo(3);
      simulators.reset();
      environments.reset();
      for (int step = 0; step < 50; step++) {
        assertThat(shown(simulators)).isEqualTo(shown(environments));
        float[] actions = actions(environments);
        simulators.step(0, COUNT, actions);
        environments.step(0, COUNT, actions);
        for (int i = 0; i < COUNT; i++) {
          if (simulators.terminated()[i] || simulators.truncated()[i]) {
            assertThat(Arrays.copyOfRange(simulators.terminalObservations(), 2 * i, 2 * i + 2))
                .isEqualTo(
                    Arrays.copyOfRange(environments.terminalObservations(), 2 * i, 2 * i + 2));
          }
        }
      }
      List<EpisodeSummary> episodes = simulators.drainEpisodes();
      assertThat(episodes).hasSizeGreaterThan(40).isEqualTo(environments.drainEpisodes());
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldReplaceASimulatorThatFailsInAStep(EnvironmentException.Kind kind) {
    try (VectorEnvironment vector =
        new VectorEnvironment(failingOnce(kind, When.STEP), COUNT, SEED, WATCHED)) {
      vector.reset();
      vector.step(0, COUNT, actions(vector));
      float[] before = vector.observations().clone();
      vector.step(0, COUNT, actions(vector));

      assertThat(vector.faulted()).containsExactly(false, false, false, true, true, true);
      assertThat(vector.truncated()).containsExactly(false, false, false, true, true, true);
      assertThat(vector.terminated()).containsOnly(false);
      assertThat(vector.rewards()[2]).isGreaterThan(20 - 1);
      assertThat(Arrays.copyOfRange(vector.rewards(), 3, 6)).containsOnly(0);
      assertThat(Arrays.copyOfRange(vector.terminalObservations(), 6, 12))
          .isEqualTo(Arrays.copyOfRange(before, 6, 12));
      List<EnvironmentFault> faults = vector.drainFaults();
      assertThat(faults).hasSize(1);
      EnvironmentFault fault = faults.get(0);
      assertThat(fault.kind()).isEqualTo(kind);
      int row = kind == EnvironmentException.Kind.OUTPUT ? 4 : 3;
      assertThat(fault.environment()).isEqualTo(row);
      assertThat(fault.recording().length()).isEqualTo(2);
      assertThat(fault.message())
          .startsWith(
              switch (kind) {
                case OUTPUT -> "environment 4, episode 0, step 2: draw was NaN, must be finite";
                case EXCEPTION ->
                    "environments 3 to 5, episode 0, step 2: step threw"
                        + " java.lang.StackOverflowError: as a test; correct the simulator";
                case TIMEOUT -> "environments 3 to 5, episode 0, step 2: step took longer than";
              });
      // The row that failed draws from a stream of its own, the others from their next episodes.
      for (int i = 3; i < COUNT; i++) {
        long seed = EpisodeSeeds.stream(SEED, i == row ? 1 : 0, COUNT, i, 1).nextLong();
        assertThat(vector.observations()[2 * i]).isEqualTo(CountingSimulator.draw(seed));
      }
      for (int step = 0; step < 20; step++) {
        vector.step(0, COUNT, actions(vector));
        assertThat(vector.faulted()).containsOnly(false);
      }
      assertThat(vector.faults(kind)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepEpisodesThatEndedBeforeAResetFailed(EnvironmentException.Kind kind) {
    try (VectorEnvironment vector =
        new VectorEnvironment(failingOnce(kind, When.RESET_AFTER_STEP), COUNT, SEED, WATCHED)) {
      vector.reset();
      boolean[] ended = new boolean[COUNT];
      while (!(ended[3] || ended[4] || ended[5])) {
        vector.drainEpisodes();
        vector.step(0, COUNT, actions(vector));
        for (int i = 0; i < COUNT; i++) {
          ended[i] = (vector.terminated()[i] || vector.truncated()[i]) && !vector.faulted()[i];
        }
      }
      assertThat(vector.faults(kind)).isEqualTo(1);
      List<Integer> reported = new ArrayList<>();
      vector.drainEpisodes().forEach(episode -> reported.add(episode.environment()));
      for (int i = 3; i < COUNT; i++) {
        assertThat(vector.faulted()[i]).isEqualTo(!ended[i]);
        assertThat(reported.contains(i)).isEqualTo(ended[i]);
        assertThat(vector.rewards()[i] > 0).isEqualTo(ended[i]);
        assertThat(vector.observations()[2 * i + 1]).isZero();
      }
      assertThat(vector.drainFaults().get(0).recording().length()).isZero();
    }
  }

  @Test
  void shouldCloseASimulatorThatHangs() throws Exception {
    List<CountingSimulator> made = new ArrayList<>();
    BatchedEnvironmentFactory factory = failingOnce(EnvironmentException.Kind.TIMEOUT, When.STEP);
    BatchedEnvironmentFactory kept =
        new Divided(
            count -> {
              made.add((CountingSimulator) factory.createBatch(count));
              return made.get(made.size() - 1);
            },
            2);
    try (VectorEnvironment vector = new VectorEnvironment(kept, COUNT, SEED, WATCHED)) {
      vector.reset();
      vector.step(0, COUNT, actions(vector));
      vector.step(0, COUNT, actions(vector));
      assertThat(made).hasSize(3);
      for (int wait = 0; wait < 1000 && !made.get(1).closed(); wait++) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      assertThat(made.get(1).closed()).isTrue();
      assertThat(made.get(0).closed() || made.get(2).closed()).isFalse();
    }
    assertThat(made).allMatch(CountingSimulator::closed);
  }

  @Test
  void shouldRespectTheBudgetOfFaults() {
    BatchedEnvironmentFactory always =
        count ->
            new CountingSimulator(count) {
              @Override
              public void step(float[] actions, BatchedStep rows) {
                throw new IllegalStateException("again");
              }
            };
    EnvironmentConfig.Faults twice =
        new EnvironmentConfig.Faults(EnvironmentConfig.FaultPolicy.RESTART, null, 2, 1000);
    try (VectorEnvironment vector = new VectorEnvironment(always, 3, SEED, twice)) {
      vector.reset();
      vector.step(0, 3, actions(vector));
      vector.step(0, 3, actions(vector));
      assertThatThrownBy(() -> vector.step(0, 3, actions(vector)))
          .isInstanceOf(EnvironmentException.class)
          .hasMessageContaining("environments 0 to 2")
          .hasMessageContaining("maxRestartsPerEnvironment, 2");
      assertThatThrownBy(() -> vector.step(0, 3, actions(vector)))
          .isInstanceOf(IllegalStateException.class);
    }
    try (VectorEnvironment vector = new VectorEnvironment(always, 3, SEED)) {
      vector.reset();
      assertThatThrownBy(() -> vector.step(0, 3, actions(vector)))
          .isInstanceOf(EnvironmentException.class)
          .hasMessage(
              "environments 0 to 2, episode 0, step 1: step threw java.lang.IllegalStateException: again;"
                  + " correct the simulator");
    }
  }

  @Test
  void shouldStepWholeSimulatorsOnly() {
    try (VectorEnvironment vector = new VectorEnvironment(divided(2), COUNT, SEED)) {
      assertThat(vector.groupBounds(4)).containsExactly(0, 3, 6);
      vector.reset();
      vector.step(3, 6, actions(vector));
      assertThat(vector.observations()[1]).isZero();
      assertThat(vector.observations()[7]).isEqualTo(1);
      assertThatThrownBy(() -> vector.step(0, 2, actions(vector)))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("0..2 divides a simulator");
    }
    EnvironmentFactory separate = index -> divided(1).create(index);
    try (VectorEnvironment vector = new VectorEnvironment(separate, COUNT, SEED)) {
      assertThat(vector.groupBounds(4)).containsExactly(0, 1, 3, 4, 6);
    }
  }

  @Test
  void shouldRefuseSimulatorsThatAreNotWhatWasAskedFor() {
    assertThatThrownBy(() -> new VectorEnvironment(fixed(4), COUNT, SEED))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("a simulator of 4 episodes when asked for one of 6");
    AtomicInteger made = new AtomicInteger();
    BatchedEnvironmentFactory changing =
        new Divided(
            count ->
                new CountingSimulator(count) {
                  private final int size = 1 + made.getAndIncrement();

                  @Override
                  public ObservationSpace observationSpace() {
                    return ObservationSpace.of(size);
                  }
                },
            2);
    assertThatThrownBy(() -> new VectorEnvironment(changing, COUNT, SEED))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("the simulator of environments 3 to 5 has")
        .hasMessageContaining("all must agree");
  }

  private static BatchedEnvironmentFactory fixed(int count) {
    return asked -> new CountingSimulator(count);
  }

  @Test
  void shouldRefuseAMaskWithoutAChoice() {
    BatchedEnvironmentFactory forbidding =
        count ->
            new CountingSimulator(count) {
              @Override
              public ActionSpace actionSpace() {
                return ActionSpace.multiDiscrete(3);
              }

              @Override
              public void reset(int row, long seed, BatchedStep rows) {
                super.reset(row, seed, rows);
                if (row == 1) {
                  Arrays.fill(rows.masks(), 3, 6, false);
                }
              }
            };
    try (VectorEnvironment vector = new VectorEnvironment(forbidding, 2, SEED)) {
      assertThatThrownBy(vector::reset)
          .isInstanceOf(EnvironmentException.class)
          .hasMessageContaining("environment 1, episode 0, step 0: the mask forbade every choice");
    }
  }

  @Test
  void shouldCountEpisodesAcrossARestoreButNotSaveThem() {
    StateMap state = new StateMap();
    try (VectorEnvironment vector = new VectorEnvironment(divided(2), COUNT, SEED)) {
      vector.reset();
      assertThat(vector.snapshot()).isEmpty();
      vector.save(state);
    }
    try (VectorEnvironment vector = new VectorEnvironment(divided(2), COUNT, SEED)) {
      vector.load(state);
      vector.reset();
      for (int i = 0; i < COUNT; i++) {
        long seed = EpisodeSeeds.stream(SEED, 0, COUNT, i, 1).nextLong();
        assertThat(vector.observations()[2 * i]).isEqualTo(CountingSimulator.draw(seed));
      }
    }
  }
}
