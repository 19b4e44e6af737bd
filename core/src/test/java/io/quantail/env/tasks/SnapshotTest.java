package io.quantail.env.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A restored environment goes on bit for bit where the saved one stopped. */
@Requirement("ENV-1")
class SnapshotTest {
  static List<String> names() {
    return EnvironmentRegistry.names();
  }

  @ParameterizedTest
  @MethodSource("names")
  void shouldContinueExactlyFromEveryPointOfAnEpisode(String name) {
    EnvironmentFactory factory = EnvironmentRegistry.byName(name);
    for (int savedAfter = 0; savedAfter < 12; savedAfter++) {
      try (Environment original = factory.create(0);
          Environment restored = factory.create(0)) {
        RandomStream random = RandomStream.of(5, "snapshot", savedAfter);
        RandomStream actions = RandomStream.of(5, "action", savedAfter);
        original.reset(random);
        boolean done = false;
        for (int i = 0; i < savedAfter && !done; i++) {
          done = original.step(original.actionSpace().sample(actions)).done();
        }
        restored.restore(original.snapshot(), copyOf(random));
        assertSameRest(original, restored, actions, done);
      }
    }
  }

  @Test
  void shouldRefuseStepsAfterRestoringAFinishedEpisode() {
    CartPole finished = new CartPole();
    finished.restore(new double[] {0, 0, 0, 0, 0}, RandomStream.of(0, "unused", 0));
    assertThatThrownBy(() -> finished.step(new float[] {0}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("CartPole has no running episode; call reset before step");
  }

  @Test
  void shouldRefuseASnapshotOfAnotherEnvironment() {
    assertThatThrownBy(() -> new CartPole().restore(new double[3], RandomStream.of(0, "unused", 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("CartPole takes a snapshot of 5 numbers, got 3");
  }

  @Test
  void shouldSayWhenAnEnvironmentCannotSaveItself() {
    Environment plain =
        new Environment() {
          @Override
          public int observationSize() {
            return 1;
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
          public Step step(float[] action) {
            return Step.terminal(new float[1], 0);
          }
        };
    assertThat(plain.supportsSnapshot()).isFalse();
    assertThatThrownBy(plain::snapshot).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> plain.restore(new double[0], RandomStream.of(0, "unused", 0)))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  private static void assertSameRest(
      Environment original, Environment restored, RandomStream actions, boolean alreadyDone) {
    boolean done = alreadyDone;
    while (!done) {
      float[] action = original.actionSpace().sample(actions);
      Step expected = original.step(action);
      Step actual = restored.step(action);
      assertThat(actual.observation()).containsExactly(expected.observation());
      assertThat(actual.withObservation(null)).isEqualTo(expected.withObservation(null));
      done = expected.done();
    }
    assertThatThrownBy(() -> restored.step(restored.actionSpace().sample(actions)))
        .isInstanceOf(IllegalStateException.class);
  }

  private static RandomStream copyOf(RandomStream stream) {
    return RandomStream.restore(stream.key(), stream.substream(), stream.position());
  }
}
