package io.quantail.env.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.EnvironmentConfig;
import io.quantail.env.Action;
import io.quantail.env.CountingEnvironment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.FaultyEnvironment;
import io.quantail.env.FaultyEnvironment.Odds;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An environment that fails is replaced alone, and its step never looks like the end of a task. */
@Requirement("ENV-2")
@Timeout(120)
class VectorFaultTest {
  private static final long SEED = 5;
  private static final int COUNT = 3;
  private static final double DEADLINE = 0.25;
  private static final EnvironmentConfig.Faults RESTART =
      new EnvironmentConfig.Faults(EnvironmentConfig.FaultPolicy.RESTART, null, 100, 1000);
  private static final EnvironmentConfig.Faults WATCHED =
      new EnvironmentConfig.Faults(EnvironmentConfig.FaultPolicy.RESTART, DEADLINE, 100, 1000);

  /** Environment 1 fails at its fourth step, in its first life only. */
  private static EnvironmentFactory failingOnce(EnvironmentException.Kind kind) {
    AtomicInteger lives = new AtomicInteger();
    return index ->
        new CountingEnvironment(9) {
          private final boolean faulty = index == 1 && lives.getAndIncrement() == 0;

          @Override
          public Step step(Action action) {
            Step step = super.step(action);
            return faulty && count == 4 ? fail(kind, step) : step;
          }
        };
  }

  private static Step fail(EnvironmentException.Kind kind, Step step) {
    return switch (kind) {
      case EXCEPTION -> throw new StackOverflowError("as a test");
      case TIMEOUT -> {
        FaultyEnvironment.hang();
        yield null;
      }
      case OUTPUT -> Step.of(1, Float.NaN).reward(3).terminated();
    };
  }

  @ParameterizedTest
  @EnumSource
  void shouldReplaceTheFailedEnvironmentAndCutItsStep(EnvironmentException.Kind kind) {
    float[] actions = {1, 2, 1};
    try (VectorEnvironment vector =
        new VectorEnvironment(failingOnce(kind), COUNT, SEED, WATCHED)) {
      vector.reset();
      steps(vector, actions, 3);
      float[] lastGood = row(vector.observations(), 1);
      vector.step(0, COUNT, actions);

      assertThat(vector.faulted()).containsExactly(false, true, false);
      assertThat(vector.truncated()).containsExactly(false, true, false);
      assertThat(vector.terminated()).containsOnly(false);
      assertThat(vector.rewards()).containsExactly(41, 0, 41);
      assertThat(vector.info(1)).isEmpty();
      assertThat(row(vector.terminalObservations(), 1)).isEqualTo(lastGood);
      assertThat(row(vector.observations(), 1)).containsExactly(restartedDraw(1, 1, 1), 0);
      assertThat(vector.faults(kind)).isEqualTo(1);

      vector.step(0, COUNT, actions);
      assertThat(vector.faulted()).containsOnly(false);
      assertThat(vector.rewards()).containsExactly(51, 12, 51);
      steps(vector, actions, 4);
      assertThat(vector.drainEpisodes())
          .as("the cut episode is no episode")
          .extracting(EpisodeSummary::environment)
          .containsExactly(0, 2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldRecordHowToSeeTheFailureAgain(EnvironmentException.Kind kind) {
    EnvironmentFault fault;
    try (VectorEnvironment vector =
        new VectorEnvironment(failingOnce(kind), COUNT, SEED, WATCHED)) {
      vector.reset();
      steps(vector, new float[] {0, 1, 2}, 2);
      steps(vector, new float[] {1, 2, 0}, 3);
      List<EnvironmentFault> faults = vector.drainFaults();
      assertThat(faults).hasSize(1);
      fault = faults.get(0);
      assertThat(vector.drainFaults()).isEmpty();
    }
    assertThat(fault.kind()).isEqualTo(kind);
    assertThat(fault.environment()).isEqualTo(1);
    assertThat(fault.restart()).isZero();
    assertThat(fault.message()).startsWith("environment 1, episode 0, step 4: ");
    assertThat(fault.recording().actions()).containsExactly(1, 1, 2, 2);
    assertThat(fault.recording().complete()).isTrue();
    assertThat(FaultReplay.play(fault.recording(), failingOnce(kind), DEADLINE))
        .isPresent()
        .get()
        .matches(
            message ->
                kind == EnvironmentException.Kind.TIMEOUT || message.equals(fault.message()));
    assertThat(FaultReplay.play(fault.recording(), index -> new CountingEnvironment(9), DEADLINE))
        .as("a repaired environment")
        .isEmpty();
  }

  /** Random faults of every kind: whatever happens in one environment, the others never notice. */
  @Test
  void shouldLeaveTheOthersAloneAndRepeatItselfBitForBit() {
    Odds odds = new Odds(0.02, 0.002, 0.02);
    List<List<String>> first = play(odds, 1, WATCHED);
    List<List<String>> again = play(odds, 1, WATCHED);
    List<List<String>> healthy = play(odds, -1, RESTART);

    assertThat(again).isEqualTo(first);
    assertThat(first.get(0)).isEqualTo(healthy.get(0));
    assertThat(first.get(2)).isEqualTo(healthy.get(2));
    assertThat(first.get(1)).isNotEqualTo(healthy.get(1)).anyMatch(line -> line.contains("fault"));
  }

  /** What each of three environments shows over 400 steps when one of them is faulty. */
  private static List<List<String>> play(Odds odds, int faulty, EnvironmentConfig.Faults config) {
    EnvironmentFactory factory =
        index -> new FaultyEnvironment(7, index == faulty ? odds : Odds.NONE);
    RandomStream random = RandomStream.of(SEED, "actions", 0);
    List<List<String>> lines = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    try (VectorEnvironment vector = new VectorEnvironment(factory, COUNT, SEED, config)) {
      vector.reset();
      for (int step = 0; step < 400; step++) {
        float[] actions = {random.nextInt(3), random.nextInt(3), random.nextInt(3)};
        vector.step(0, COUNT, actions);
        for (int e = 0; e < COUNT; e++) {
          lines
              .get(e)
              .add(
                  "%s %s %s %s %s"
                      .formatted(
                          Arrays.toString(row(vector.observations(), e)),
                          vector.rewards()[e],
                          vector.terminated()[e],
                          vector.truncated()[e],
                          vector.faulted()[e] ? "fault" : ""));
        }
      }
    }
    return lines;
  }

  @Test
  void shouldKeepAFinishedEpisodeWhenTheNextCannotStart() {
    AtomicInteger resets = new AtomicInteger();
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(2) {
              @Override
              public float[] reset(RandomStream random) {
                if (resets.incrementAndGet() == 2) {
                  throw new IllegalStateException("no data");
                }
                return super.reset(random);
              }
            };
    try (VectorEnvironment vector = new VectorEnvironment(factory, 1, SEED, RESTART)) {
      vector.reset();
      steps(vector, new float[] {0}, 2);
      assertThat(vector.terminated()).containsExactly(true);
      assertThat(vector.truncated()).containsExactly(false);
      assertThat(vector.faulted()).containsExactly(false);
      assertThat(vector.drainEpisodes()).containsExactly(new EpisodeSummary(0, 30, 2, false));
      assertThat(vector.drainFaults().get(0).message())
          .startsWith("environment 0, episode 1, step 0: reset threw");
      vector.step(0, 1, new float[] {0});
      assertThat(vector.rewards()).containsExactly(10);
    }
  }

  @Test
  void shouldTryAgainWhenTheNewEnvironmentFailsToo() {
    AtomicInteger made = new AtomicInteger();
    EnvironmentFactory factory =
        index -> {
          int number = made.getAndIncrement();
          if (number == 1) {
            throw new IllegalStateException("no connection");
          }
          return new FaultyEnvironment(9, number == 0 ? new Odds(1, 0, 0) : Odds.NONE);
        };
    try (VectorEnvironment vector = new VectorEnvironment(factory, 1, SEED, RESTART)) {
      vector.reset();
      vector.step(0, 1, new float[1]);
      assertThat(vector.drainFaults())
          .extracting(EnvironmentFault::restart)
          .containsExactly(0L, 1L);
      assertThat(vector.faults(EnvironmentException.Kind.EXCEPTION)).isEqualTo(2);
      vector.step(0, 1, new float[1]);
      assertThat(vector.rewards()).containsExactly(10);
    }
  }

  @Test
  void shouldStopAtTheLimitsAndSayWhich() {
    EnvironmentFactory factory = index -> new FaultyEnvironment(9, new Odds(1, 0, 0));
    assertThatThrownBy(
            () ->
                stepUntilItStops(
                    factory,
                    new EnvironmentConfig.Faults(
                        EnvironmentConfig.FaultPolicy.RESTART, null, 2, 9)))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("environment 0, episode 2, step 1: step threw")
        .hasMessageEndingWith(
            "the restarts of this environment have reached"
                + " environment.faults.maxRestartsPerEnvironment, 2");
    assertThatThrownBy(
            () ->
                stepUntilItStops(
                    factory,
                    new EnvironmentConfig.Faults(
                        EnvironmentConfig.FaultPolicy.RESTART, null, 9, 4)))
        .hasMessageEndingWith(
            "the restarts of all environments have reached environment.faults.maxRestarts, 4");
  }

  private static void stepUntilItStops(
      EnvironmentFactory factory, EnvironmentConfig.Faults config) {
    try (VectorEnvironment vector = new VectorEnvironment(factory, COUNT, SEED, config)) {
      vector.reset();
      steps(vector, new float[COUNT], 10);
    }
  }

  @Test
  void shouldStopWithoutClosingWhatHangsWhenThePolicyIsToFail() {
    EnvironmentConfig.Faults fail =
        new EnvironmentConfig.Faults(EnvironmentConfig.FaultPolicy.FAIL, DEADLINE, 0, 0);
    AtomicInteger closes = new AtomicInteger();
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(9) {
              @Override
              public Step step(Action action) {
                FaultyEnvironment.hang();
                return null;
              }

              @Override
              public void close() {
                closes.incrementAndGet();
              }
            };
    try (VectorEnvironment vector = new VectorEnvironment(factory, 1, SEED, fail)) {
      vector.reset();
      assertThatThrownBy(() -> vector.step(0, 1, new float[1]))
          .isInstanceOf(EnvironmentException.class)
          .hasMessage(
              "environment 0, episode 0, step 1: step took longer than the 0.25 seconds of"
                  + " environment.faults.stepDeadlineSeconds; correct the environment or allow"
                  + " more");
      assertThat(vector.drainFaults()).hasSize(1);
    }
    assertThat(closes).hasValue(0);
  }

  @Test
  void shouldGoOnFromSavedCountsAndEpisodes() {
    Odds odds = new Odds(0.05, 0, 0.05);
    EnvironmentFactory factory = index -> new FaultyEnvironment(7, odds);
    RandomStream random = RandomStream.of(SEED, "actions", 0);
    try (VectorEnvironment whole = new VectorEnvironment(factory, COUNT, SEED, RESTART);
        VectorEnvironment resumed = new VectorEnvironment(factory, COUNT, SEED, RESTART)) {
      whole.reset();
      move(whole, random, 100);
      StateMap state = new StateMap();
      whole.save(state);
      List<double[]> episodes = whole.snapshot().orElseThrow();
      resumed.load(state);
      resumed.restore(episodes);
      for (int i = 0; i < 100; i++) {
        float[] actions = {random.nextInt(3), random.nextInt(3), random.nextInt(3)};
        whole.step(0, COUNT, actions);
        resumed.step(0, COUNT, actions);
        assertThat(resumed.observations()).isEqualTo(whole.observations());
        assertThat(resumed.faulted()).isEqualTo(whole.faulted());
      }
      assertThat(resumed.faults(EnvironmentException.Kind.OUTPUT))
          .isEqualTo(whole.faults(EnvironmentException.Kind.OUTPUT));
      List<EnvironmentFault> told = resumed.drainFaults();
      assertThat(told).isNotEmpty();
      List<EnvironmentFault> all = whole.drainFaults();
      assertThat(told).usingRecursiveFieldByFieldElementComparator().isSubsetOf(all);
      for (EnvironmentFault fault : told) {
        assertThat(FaultReplay.play(fault.recording(), factory, null)).isPresent();
      }
    }
  }

  private static void move(VectorEnvironment vector, RandomStream random, int steps) {
    for (int i = 0; i < steps; i++) {
      vector.step(0, COUNT, new float[] {random.nextInt(3), random.nextInt(3), random.nextInt(3)});
      vector.drainEpisodes();
    }
  }

  private static void steps(VectorEnvironment vector, float[] actions, int count) {
    for (int i = 0; i < count; i++) {
      vector.step(0, vector.count(), actions);
    }
  }

  private static float[] row(float[] all, int environment) {
    return Arrays.copyOfRange(all, 2 * environment, 2 * environment + 2);
  }

  private static float restartedDraw(int environment, long restart, long episode) {
    return (float) EpisodeSeeds.stream(SEED, restart, COUNT, environment, episode).nextDouble();
  }
}
