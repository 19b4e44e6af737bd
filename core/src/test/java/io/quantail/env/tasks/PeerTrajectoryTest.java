package io.quantail.env.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.env.Action;
import io.quantail.env.Environment;
import io.quantail.env.PeerVectors;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The classic tasks against trajectories recorded with Gymnasium. */
@Requirement("ENV-1")
class PeerTrajectoryTest {
  static List<JsonNode> cartPole() {
    return PeerVectors.startingWith("gymnasium_cartpole");
  }

  static List<JsonNode> pendulum() {
    return PeerVectors.startingWith("gymnasium_pendulum");
  }

  @ParameterizedTest
  @MethodSource("cartPole")
  void shouldFollowCartPoleOfGymnasium(JsonNode vector) {
    JsonNode expected = vector.get("expected");
    double[] start = PeerVectors.doubles(vector.at("/inputs/start_state"));
    double[] actions = PeerVectors.doubles(vector.at("/inputs/actions"));
    Offset<Double> tolerance = within(vector.get("tolerance").asDouble());
    CartPole environment = new CartPole();
    environment.restore(running(start), anyStream());
    for (int t = 0; t < actions.length; t++) {
      Step step = environment.step(Action.of(environment.actionSpace(), (float) actions[t]));
      double[] state = Arrays.copyOf(environment.snapshot(), 4);
      assertThat(state)
          .containsExactly(PeerVectors.doubles(expected.get("states").get(t)), tolerance);
      for (int i = 0; i < 4; i++) {
        assertThat(step.observation()[i]).isEqualTo((float) state[i]);
      }
      assertThat(step.reward()).isEqualTo(expected.get("rewards").get(t).asDouble());
      assertThat(step.isTerminated()).isEqualTo(expected.get("terminated").get(t).asBoolean());
      assertThat(step.isTruncated()).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("pendulum")
  void shouldFollowPendulumOfGymnasium(JsonNode vector) {
    JsonNode expected = vector.get("expected");
    double[] actions = PeerVectors.doubles(vector.at("/inputs/actions"));
    Offset<Double> tolerance = within(vector.get("tolerance").asDouble());
    Pendulum environment = new Pendulum();
    double theta = vector.at("/inputs/start_theta").asDouble();
    double thetaDot = vector.at("/inputs/start_theta_dot").asDouble();
    environment.restore(running(theta, thetaDot), anyStream());
    for (int t = 0; t < actions.length; t++) {
      Step step = environment.step(torque(environment, actions[t]));
      double[] observation = PeerVectors.doubles(expected.get("observations").get(t));
      for (int i = 0; i < 3; i++) {
        assertThat((double) step.observation()[i]).isCloseTo(observation[i], tolerance);
      }
      assertThat(step.reward()).isCloseTo(expected.get("rewards").get(t).asDouble(), tolerance);
      assertThat(step.done()).isFalse();
    }
  }

  /** Not checked: the trajectories have torques beyond the bounds, which the pendulum clips. */
  private static Action torque(Environment environment, double value) {
    return Action.view(environment.actionSpace(), new float[] {(float) value});
  }

  private static double[] running(double... state) {
    double[] snapshot = Arrays.copyOf(state, state.length + 1);
    snapshot[state.length] = 1;
    return snapshot;
  }

  private static RandomStream anyStream() {
    return RandomStream.of(0, "unused", 0);
  }
}
