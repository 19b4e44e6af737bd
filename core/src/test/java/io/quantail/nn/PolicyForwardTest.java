package io.quantail.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.Activation;
import io.quantail.config.NetworkConfig;
import io.quantail.config.Squash;
import io.quantail.env.ActionSpace;
import io.quantail.kernel.Packing;
import io.quantail.random.RandomStream;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.testing.Requirement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The policy alone: same numbers as the whole network, and gradients of what it sees. */
@Requirement("ROB-1")
class PolicyForwardTest {
  private static final int FEATURES = 4;
  private static final int WIDTH = 8;
  private static final int[] STARTS = {0, 3, 8};
  private static final int[] LENGTHS = {3, 5, 1};
  private static final int ROWS = 9;

  @ParameterizedTest
  @CsvSource({"LSTM, 1, false", "LSTM, 2, true", "NONE, 1, false"})
  void shouldBeThePolicyOfTheWholeNetworkToTheBit(
      io.quantail.config.Memory memory, int layers, boolean shared) {
    Network network = new Network(memory, layers, shared);
    try (Scope scope = Scope.open()) {
      Sequences sequences = network.sequences();
      assertThat(network.policy().policy().parameters().floats())
          .isEqualTo(
              network
                  .structure
                  .evaluate(network.replica, sequences)
                  .policy()
                  .parameters()
                  .floats());
    }
  }

  @ParameterizedTest
  @CsvSource({"LSTM, 1, false", "LSTM, 2, true", "LSTM, 2, false", "NONE, 1, false"})
  void shouldHaveTheInputGradientOfFiniteDifferences(
      io.quantail.config.Memory memory, int layers, boolean shared) {
    Network network = new Network(memory, layers, shared);
    try (Scope scope = Scope.open()) {
      PolicyForward forward = network.policy();
      weighed(forward).backward();
      float[][] gradient = forward.inputGradient();
      double size = 0;
      for (int row = 0; row < ROWS; row++) {
        for (int feature = 0; feature < FEATURES; feature++) {
          double slope =
              (network.changed(row, feature, 0.02f) - network.changed(row, feature, -0.02f)) / 0.04;
          assertThat((double) gradient[row][feature])
              .isCloseTo(slope, within(2e-3 * (1 + Math.abs(slope))));
          size += Math.abs(slope);
        }
      }
      assertThat(size).isGreaterThan(5);
    }
  }

  @ParameterizedTest
  @CsvSource({"LSTM, 2, false", "NONE, 1, true"})
  void shouldLeaveTheGradientsOfTheNetworksWeightsAlone(
      io.quantail.config.Memory memory, int layers, boolean shared) {
    Network network = new Network(memory, layers, shared);
    try (Scope scope = Scope.open()) {
      PolicyForward forward = network.policy();
      weighed(forward).backward();
      forward.inputGradient();
      assertThat(network.replica.gradient()).containsOnly(0);
    }
  }

  /** Each output has a weight of its own, and rows matter to each other through the memory. */
  private static Tensor weighed(PolicyForward forward) {
    Tensor outputs = forward.policy().parameters();
    float[] weights = new float[(int) outputs.count()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = i % 4 < 2 ? (float) (400 * Math.sin(1 + 1.3 * i)) : 0; // means, not spreads
    }
    return outputs.mul(Tensor.of(weights, outputs.shape())).sum();
  }

  private static final class Network {
    final ActorCritic structure;
    final Parameters parameters;
    final Parameters.Replica replica;
    final float[][] observations;

    Network(io.quantail.config.Memory memory, int layers, boolean shared) {
      Parameters.Builder builder = new Parameters.Builder(4);
      NetworkConfig config =
          new NetworkConfig(
              memory, WIDTH, layers, 2, null, shared, Activation.SILU, Squash.AUTO, 0.2, 1.5);
      ActionSpace space = new ActionSpace.Box(new float[] {-1, -1}, new float[] {1, 1});
      structure =
          new ActorCritic(builder, config, new ActorCritic.Interface(FEATURES, space, 2, 5));
      parameters = builder.build();
      replica = parameters.replica();
      RandomStream random = RandomStream.of(9, "observations", 0);
      observations = new float[ROWS][FEATURES];
      for (float[] row : observations) {
        for (int i = 0; i < FEATURES; i++) {
          row[i] = (float) random.nextGaussian();
        }
      }
    }

    Sequences sequences() {
      return new Sequences(
          observations, structure.initialState(STARTS.length), new Packing(STARTS, LENGTHS));
    }

    PolicyForward policy() {
      return structure.policy(replica, sequences());
    }

    double changed(int row, int feature, float distance) {
      float before = observations[row][feature];
      observations[row][feature] = before + distance;
      double result = weighed(policy()).item();
      observations[row][feature] = before;
      return result;
    }
  }
}
