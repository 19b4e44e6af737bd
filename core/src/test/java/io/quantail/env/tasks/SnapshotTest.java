package io.quantail.env.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.env.Action;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.Arrays;
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
          done = original.step(sample(original, actions)).done();
        }
        if (done) {
          continue; // a run saves running episodes only
        }
        restored.restore(original.snapshot(), copyOf(random));
        assertSameRest(original, restored, actions);
      }
    }
  }

  @Test
  void shouldReadSnapshotsOfVersion01() {
    CartPole task = new CartPole();
    task.restore(new double[] {0.5, 0, 0.125, 0, 1}, RandomStream.of(0, "unused", 0));
    assertThat(task.snapshot()).containsExactly(0.5, 0, 0.125, 0, 1);
  }

  @Test
  void shouldRefuseASnapshotOfAnotherEnvironmentOrOfAFinishedEpisode() {
    for (double[] wrong : List.of(new double[3], new double[] {0, 0, 0, 0, 0})) {
      assertThatThrownBy(() -> new CartPole().restore(wrong, RandomStream.of(0, "unused", 0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("CartPole takes a snapshot of a running episode, 4 numbers and a 1")
          .hasMessageContaining(Arrays.toString(wrong));
    }
  }

  private static void assertSameRest(
      Environment original, Environment restored, RandomStream actions) {
    boolean done = false;
    while (!done) {
      Action action = sample(original, actions);
      Step expected = original.step(action);
      Step actual = restored.step(action);
      assertThat(actual).usingRecursiveComparison().isEqualTo(expected);
      done = expected.done();
    }
  }

  private static Action sample(Environment environment, RandomStream actions) {
    return Action.of(environment.actionSpace(), environment.actionSpace().sample(actions));
  }

  private static RandomStream copyOf(RandomStream stream) {
    return RandomStream.restore(stream.key(), stream.substream(), stream.position());
  }
}
