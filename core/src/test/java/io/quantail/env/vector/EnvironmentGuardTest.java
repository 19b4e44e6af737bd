package io.quantail.env.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.env.Action;
import io.quantail.env.CountingEnvironment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What breaks the contract stops at the border, with the place and the value in one line. */
@Requirement("ENV-1")
class EnvironmentGuardTest {
  /** In environment 1, the second step of the third episode (number 2). */
  private static final String PLACE = "environment 1, episode 2, step 2: ";

  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
  void shouldRejectNonFiniteObservation(float value) {
    assertFails(
        step -> step.withObservation(new float[] {0, value}),
        PLACE + "observation[1] was " + value + ", must be finite; correct the environment");
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
  void shouldRejectNonFiniteReward(double value) {
    assertFails(
        step -> Step.of(step.observation()).reward(value),
        PLACE + "reward was " + value + ", must be");
  }

  @Test
  void shouldRejectObservationOfWrongLength() {
    assertFails(
        step -> step.withObservation(new float[3]),
        PLACE + "observation had 3 components, must have 2");
  }

  @Test
  void shouldRejectNullStepAndNullObservation() {
    assertFails(step -> null, PLACE + "step returned null");
    assertFails(step -> step.withObservation(null), PLACE + "observation was null");
  }

  @Test
  void shouldWrapWhatAnEnvironmentThrowsInOneLine() {
    RuntimeException cause = new IllegalArgumentException("bad\n  price");
    EnvironmentException failure =
        assertFails(
            step -> {
              throw cause;
            },
            PLACE + "step threw java.lang.IllegalArgumentException: bad price; correct");
    assertThat(failure).hasCause(cause);
    assertThat(failure.getMessage()).doesNotContain("\n");
  }

  @Test
  void shouldRefuseStepsOutsideAnEpisode() {
    float[] actions = {1};
    GuardedEnvironment guarded = new GuardedEnvironment(new CountingEnvironment(1), 0);
    assertRefuses(guarded, actions, "episode 0, step 0");
    guarded.reset(4, RandomStream.of(0, "test", 0));
    assertThat(guarded.step(actions, 0).isTerminated()).isTrue();
    assertRefuses(guarded, actions, "episode 4, step 1");
    guarded.restore(7, 0, new double[] {0.5, 0, 1}, RandomStream.of(0, "test", 0));
    assertThat(guarded.step(actions, 0).isTerminated()).isTrue();
    assertRefuses(guarded, actions, "episode 7, step 1");
  }

  private static void assertRefuses(GuardedEnvironment guarded, float[] actions, String place) {
    assertThatThrownBy(() -> guarded.step(actions, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("environment 0, " + place + ": no episode is running; call reset before step");
  }

  @Test
  void shouldNameThePartOfTheObservationThatIsWrong() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(3) {
              @Override
              public ObservationSpace observationSpace() {
                return ObservationSpace.named("price").rawPart("door", 1);
              }

              @Override
              public float[] reset(RandomStream random) {
                return new float[] {0, Float.NaN};
              }
            };
    try (VectorEnvironment vector = new VectorEnvironment(factory, 1, 0)) {
      assertThatThrownBy(vector::reset)
          .hasMessageContaining("step 0: door was NaN, must be finite");
    }
  }

  @Test
  void shouldGuardTheFirstObservationToo() {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(3) {
              @Override
              public float[] reset(RandomStream random) {
                return new float[] {Float.NaN, 0};
              }
            };
    try (VectorEnvironment vector = new VectorEnvironment(factory, 1, 0)) {
      assertThatThrownBy(vector::reset)
          .isInstanceOf(EnvironmentException.class)
          .hasMessageStartingWith("environment 0, episode 0, step 0: observation[0] was NaN");
    }
  }

  @Test
  void shouldRefuseAFailedEnvironmentUntilResetAndLeaveTheOthers() {
    boolean[] broken = {true};
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(9) {
              @Override
              public Step step(Action action) {
                Step step = super.step(action);
                return index == 1 && broken[0]
                    ? Step.of(step.observation()).reward(Double.NaN)
                    : step;
              }
            };
    float[] actions = new float[2];
    try (VectorEnvironment vector = new VectorEnvironment(factory, 2, 0)) {
      vector.reset();
      assertThatThrownBy(() -> vector.step(0, 2, actions)).isInstanceOf(EnvironmentException.class);
      broken[0] = false;
      assertThatThrownBy(() -> vector.step(1, 2, actions))
          .isInstanceOf(IllegalStateException.class);
      vector.step(0, 1, actions);
      assertThat(vector.rewards()[0]).isEqualTo(20);
      vector.reset();
      vector.step(0, 2, actions);
      assertThat(vector.rewards()).containsExactly(10, 10);
    }
  }

  private static EnvironmentException assertFails(UnaryOperator<Step> fault, String message) {
    EnvironmentFactory factory =
        index ->
            new CountingEnvironment(3) {
              private int resets;

              @Override
              public float[] reset(RandomStream random) {
                resets++;
                return super.reset(random);
              }

              @Override
              public Step step(Action action) {
                Step step = super.step(action);
                return index == 1 && resets == 3 && count == 2 ? fault.apply(step) : step;
              }
            };
    try (VectorEnvironment vector = new VectorEnvironment(factory, 2, 0)) {
      vector.reset();
      for (int i = 0; i < 7; i++) {
        vector.step(0, 2, new float[2]);
      }
      EnvironmentException[] failure = new EnvironmentException[1];
      assertThatThrownBy(() -> vector.step(0, 2, new float[2]))
          .isInstanceOfSatisfying(EnvironmentException.class, thrown -> failure[0] = thrown)
          .hasMessageStartingWith(message);
      return failure[0];
    }
  }
}
