package io.quantail.env.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.CountingEnvironment;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("ENV-1")
class VectorEnvironmentTest {
  private static final long SEED = 11;

  @Test
  void shouldStartEachEpisodeFromItsOwnStream() {
    try (VectorEnvironment vector = started(index -> new CountingEnvironment(2), 2)) {
      assertThat(vector.observations()).containsExactly(draw(0, 0), 0, draw(1, 0), 0);
      vector.step(0, 2, new float[2]);
      vector.step(0, 2, new float[2]);
      assertThat(vector.observations()).containsExactly(draw(0, 1), 0, draw(1, 1), 0);
      vector.reset();
      assertThat(vector.observations()).containsExactly(draw(0, 2), 0, draw(1, 2), 0);
    }
  }

  @Test
  void shouldShowRewardFlagsInfoAndTerminalObservation() {
    try (VectorEnvironment vector = started(index -> new CountingEnvironment(index + 1), 2)) {
      vector.step(0, 2, new float[] {1, 2});
      assertThat(vector.rewards()).containsExactly(11, 12);
      assertThat(vector.terminated()).containsExactly(true, false);
      assertThat(vector.truncated()).containsExactly(false, false);
      assertThat(vector.terminalObservations()).startsWith(draw(0, 0), 1);
      assertThat(vector.observations()).containsExactly(draw(0, 1), 0, draw(1, 0), 1);
      assertThat(vector.info(1)).containsEntry("count", 1.0);
      vector.step(0, 2, new float[] {0, 0});
      assertThat(vector.terminated()).containsExactly(true, true);
      vector.reset();
      assertThat(vector.terminated()).containsExactly(false, false);
      assertThat(vector.rewards()).containsExactly(0, 0);
      assertThat(vector.info(1)).isEmpty();
    }
  }

  @Test
  void shouldReportEpisodesByEnvironmentThenTime() {
    try (VectorEnvironment vector = started(index -> new CountingEnvironment(2 - index), 2)) {
      vector.step(0, 2, new float[] {0, 1});
      vector.step(0, 2, new float[] {2, 2});
      assertThat(vector.drainEpisodes())
          .containsExactly(
              new EpisodeSummary(0, 32, 2, false),
              new EpisodeSummary(1, 11, 1, false),
              new EpisodeSummary(1, 12, 1, false));
      assertThat(vector.drainEpisodes()).isEmpty();
    }
  }

  @Test
  void shouldReportTruncationUnlessTheTaskTerminated() {
    EnvironmentFactory both =
        index ->
            new CountingEnvironment(1) {
              @Override
              public Step step(Action action) {
                return super.step(action).truncated();
              }
            };
    try (VectorEnvironment cut =
            started(index -> new TimeLimitWrapper(new CountingEnvironment(5), 1), 1);
        VectorEnvironment ended = started(both, 1)) {
      cut.step(0, 1, new float[1]);
      assertThat(cut.truncated()).containsExactly(true);
      assertThat(cut.terminated()).containsExactly(false);
      assertThat(cut.drainEpisodes()).containsExactly(new EpisodeSummary(0, 10, 1, true));
      ended.step(0, 1, new float[1]);
      assertThat(ended.truncated()).containsExactly(false);
      assertThat(ended.terminated()).containsExactly(true);
      assertThat(ended.drainEpisodes()).containsExactly(new EpisodeSummary(0, 10, 1, false));
    }
  }

  @Test
  void shouldStepOnlyTheRange() {
    try (VectorEnvironment vector = started(index -> new CountingEnvironment(9), 3)) {
      vector.step(1, 2, new float[] {0, 2, 0});
      assertThat(vector.rewards()).containsExactly(0, 12, 0);
      assertThat(vector.observations()[1]).isZero();
      assertThat(vector.observations()[3]).isEqualTo(1);
      assertThat(vector.observations()[5]).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(floats = {3, -1, 0.5f, Float.NaN})
  void shouldRefuseAnImpossibleActionBeforeSteppingAny(float action) {
    try (VectorEnvironment vector = started(index -> new CountingEnvironment(9), 2)) {
      assertThatThrownBy(() -> vector.step(0, 2, new float[] {0, action}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("action [" + action + "] of environment 1")
          .hasMessageContaining("Discrete[count=3]");
      assertThat(vector.observations()[1]).isZero();
    }
  }

  @Test
  void shouldRefuseABoxActionOutsideItsBounds() {
    try (VectorEnvironment vector = started(EnvironmentRegistry.byName("Pendulum-v1"), 1)) {
      assertThatThrownBy(() -> vector.step(0, 1, new float[] {2.5f}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("clip");
    }
  }

  @Test
  void shouldRefuseWrongRangesAndLengths() {
    try (VectorEnvironment vector = started(index -> new CountingEnvironment(9), 2)) {
      assertThatThrownBy(() -> vector.step(0, 3, new float[2]))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage("range must lie in 0..2, was 0..3");
      assertThatThrownBy(() -> vector.step(-1, 1, new float[2]))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> vector.step(2, 1, new float[2]))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> vector.step(0, 2, new float[3]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("actions must have 2 x 1 numbers, had 3");
    }
  }

  @Test
  void shouldRefuseStepsBeforeTheFirstReset() {
    try (VectorEnvironment vector =
        new VectorEnvironment(index -> new CountingEnvironment(9), 1, SEED)) {
      assertThatThrownBy(() -> vector.step(0, 1, new float[1]))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("environment 0")
          .hasMessageContaining("call reset");
    }
  }

  @Test
  void shouldNotLetAnEnvironmentChangeTheCallersActions() {
    EnvironmentFactory vandal =
        index ->
            new CountingEnvironment(9) {
              @Override
              public Step step(Action action) {
                action.toArray()[0] = 99;
                return super.step(action);
              }
            };
    float[] actions = {1};
    try (VectorEnvironment vector = started(vandal, 1)) {
      vector.step(0, 1, actions);
    }
    assertThat(actions).containsExactly(1);
  }

  @Test
  void shouldRefuseEnvironmentsThatDisagreeAndCloseThem() {
    List<CountingEnvironment> made = new ArrayList<>();
    EnvironmentFactory factory =
        index -> {
          CountingEnvironment environment =
              new CountingEnvironment(9) {
                @Override
                public ActionSpace actionSpace() {
                  return new ActionSpace.Discrete(2 + index);
                }
              };
          made.add(environment);
          return environment;
        };
    assertThatThrownBy(() -> new VectorEnvironment(factory, 2, SEED))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("environment 1")
        .hasMessageContaining(
            "acts in Discrete[count=3], environment 0 observes 2 numbers and acts in Discrete");
    assertThat(made).hasSize(2).allMatch(environment -> environment.closed);
  }

  @Test
  void shouldRefuseFactoriesThatDoNotDeliver() {
    Environment shared = new CountingEnvironment(9);
    assertThatThrownBy(() -> new VectorEnvironment(index -> shared, 2, SEED))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("same object");
    assertThatThrownBy(() -> new VectorEnvironment(index -> null, 1, SEED))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("environment 0 could not be created: the factory returned null");
    RuntimeException cause = new IllegalStateException("no file");
    EnvironmentFactory failing =
        index -> {
          throw cause;
        };
    assertThatThrownBy(() -> new VectorEnvironment(failing, 1, SEED))
        .isInstanceOf(EnvironmentException.class)
        .hasCause(cause)
        .hasMessageContaining("no file");
    assertThatThrownBy(() -> new VectorEnvironment(index -> shared, 0, SEED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was 0");
    EnvironmentFactory blind =
        index ->
            new CountingEnvironment(9) {
              @Override
              public ObservationSpace observationSpace() {
                return ObservationSpace.named();
              }
            };
    assertThatThrownBy(() -> new VectorEnvironment(blind, 1, SEED))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining(
            "environment 0 observes nothing and acts in Discrete[count=3]; it needs");
  }

  @Test
  void shouldCloseAllEvenIfOneRefuses() {
    List<CountingEnvironment> made = new ArrayList<>();
    EnvironmentFactory factory =
        index -> {
          CountingEnvironment environment =
              new CountingEnvironment(9) {
                @Override
                public void close() {
                  super.close();
                  if (index < 2) {
                    throw new IllegalStateException("stuck " + index);
                  }
                }
              };
          made.add(environment);
          return environment;
        };
    VectorEnvironment vector = new VectorEnvironment(factory, 3, SEED);
    assertThatThrownBy(vector::close)
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContaining("stuck 0")
        .matches(failure -> failure.getCause().getSuppressed()[0].getMessage().equals("stuck 1"));
    assertThat(made).allMatch(environment -> environment.closed);
  }

  @Test
  void shouldCopyObservationsThatAnEnvironmentReuses() {
    float[] reused = new float[2];
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(1) {
              @Override
              public float[] reset(RandomStream random) {
                System.arraycopy(super.reset(random), 0, reused, 0, 2);
                return reused;
              }

              @Override
              public Step step(Action action) {
                Step step = super.step(action);
                System.arraycopy(step.observation(), 0, reused, 0, 2);
                return Step.of(reused).terminated();
              }
            };
    try (VectorEnvironment vector = started(factory, 1)) {
      vector.step(0, 1, new float[1]);
      assertThat(vector.terminalObservations()).containsExactly(draw(0, 0), 1);
      assertThat(vector.observations()).containsExactly(draw(0, 1), 0);
    }
  }

  private static VectorEnvironment started(EnvironmentFactory factory, int count) {
    VectorEnvironment vector = new VectorEnvironment(factory, count, SEED);
    vector.reset();
    return vector;
  }

  private static float draw(int environment, int episode) {
    return (float) RandomStream.of(SEED, "environment/" + environment, episode).nextDouble();
  }
}
