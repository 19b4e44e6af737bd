package io.quantail.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import io.quantail.kernel.FloatVectors;
import io.quantail.kernel.SequencePacking;
import io.quantail.kernel.Workspace;
import io.quantail.network.ParameterLayout.Linear;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActorCriticTest {
  private static final int TIME = 7;
  private static final int ENVIRONMENTS = 3;
  private static final int FEATURES = SmallNetwork.FEATURES;
  private static final int WIDTH = 8;
  private static final int OUTPUTS = SmallNetwork.OUTPUTS;

  @Test
  void shouldGiveLayersBehindTheMemoryAWidthOfTheirOwn() {
    SmallNetwork network = network(NetworkConfig.Memory.LSTM, 1, 6, true);

    Map<String, List<Long>> shapes =
        network.parameters.slots().stream()
            .collect(Collectors.toMap(Parameters.Slot::name, Parameters.Slot::shape));
    assertThat(shapes)
        .containsEntry("shared.lstm.0.weight_hh", List.of(4L * WIDTH, (long) WIDTH))
        .containsEntry("shared.mlp.first.weight", List.of(6L, (long) WIDTH))
        .containsEntry("shared.mlp.second.weight", List.of(6L, 6L))
        .containsEntry("shared.mlp.skip.weight", List.of(6L, (long) WIDTH))
        .containsEntry("actor.head.weight", List.of(3L, 6L))
        .containsEntry("critic.head2.weight", List.of((long) SmallNetwork.POINTS, 6L))
        .containsEntry("critic.mean2.weight", List.of(1L, 6L));
  }

  @Requirement({"NET-1", "NET-2"})
  @ParameterizedTest
  @CsvSource({
    "LSTM, 1, false",
    "LSTM, 1, true",
    "LSTM, 2, false",
    "LSTM, 2, true",
    "NONE, 1, false",
    "NONE, 1, true"
  })
  void shouldGiveTheSameStepByStepAndInOneSequence(
      NetworkConfig.Memory memory, int layers, boolean shared) {
    SmallNetwork network = network(memory, layers, shared);
    float[][] observations = network.observations; // [environment, time]
    RecurrentState state = network.sequences().initial();
    NetworkPass whole = network.evaluate();
    for (int t = 0; t < TIME; t++) {
      NetworkPass pass = step(network, row(observations, t), state);
      for (int environment = 0; environment < ENVIRONMENTS; environment++) {
        // To the bit, since rows are computed in the same order whatever stands beside them.
        int sample = environment * TIME + t;
        assertThat(pass.actions()[environment]).isEqualTo(whole.actions()[sample]);
        assertThat(pass.values()[environment])
            .hasSize(2 * OUTPUTS)
            .isEqualTo(whole.values()[sample]);
      }
      state = pass.next();
    }
    assertThat(state.hidden()).isDeepEqualTo(whole.next().hidden());
    assertThat(state.cell()).isDeepEqualTo(whole.next().cell());
  }

  private static NetworkPass step(
      SmallNetwork network, float[][] observations, RecurrentState state) {
    return network.structure.step(new Workspace(), network.replica, observations, state);
  }

  @Requirement("NET-2")
  @Test
  void shouldNotTouchOtherEnvironmentsWhenOneStartsAnew() {
    SmallNetwork network = network(NetworkConfig.Memory.LSTM, 2, false);
    float[][] observations = network.observations;
    RecurrentState zero = network.structure.initialState(ENVIRONMENTS);
    RecurrentState after = step(network, row(observations, 0), zero).next();
    float[][] next = row(observations, 1);
    NetworkPass going = step(network, next, after);
    boolean[] starts = {false, true, false};
    NetworkPass mixed = step(network, next, after.startEpisodes(starts));
    NetworkPass fresh = step(network, next, zero);
    for (int e = 0; e < ENVIRONMENTS; e++) {
      NetworkPass expected = starts[e] ? fresh : going;
      assertThat(mixed.values()[e]).isEqualTo(expected.values()[e]);
      assertThat(mixed.actions()[e]).isEqualTo(expected.actions()[e]);
      assertThat(mixed.next().hidden()[1][e]).isEqualTo(expected.next().hidden()[1][e]);
    }
    assertThat(going.next().hidden()[1][1]).isNotEqualTo(fresh.next().hidden()[1][1]);
  }

  @Requirement("NET-1")
  @Test
  void shouldRememberNothingBetweenCalls() {
    SmallNetwork network = network(NetworkConfig.Memory.LSTM, 1, true);
    float[][] first = row(network.observations, 0);
    RecurrentState zero = network.structure.initialState(ENVIRONMENTS);
    float[][] before = step(network, first, zero).values();
    step(network, row(network.observations, 1), zero);
    assertThat(step(network, first, zero).values()).isDeepEqualTo(before);
  }

  @Requirement("NET-1")
  @Test
  void shouldRefuseObservationsOfAnotherSize() {
    SmallNetwork network = network(NetworkConfig.Memory.LSTM, 1, false);
    RecurrentState zero = network.structure.initialState(1);
    assertThatThrownBy(() -> step(network, new float[1][FEATURES + 1], zero))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("takes observations of 4 numbers, was given 5");
    SequenceInput wrong = new SequenceInput(new float[1][3], zero, SequencePacking.singleStep(1));
    assertThatThrownBy(() -> network.structure.evaluate(new Workspace(), network.replica, wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was given 3");
  }

  @Requirement("TWIN-1")
  @Test
  void shouldStartWithDifferentTwins() {
    SmallNetwork network = network(NetworkConfig.Memory.LSTM, 1, true);
    Linear first = network.structure.valueHeads().get(0);
    Linear second = network.structure.valueHeads().get(1);
    assertThat(network.replica.numbers(first.weight()))
        .isNotEqualTo(network.replica.numbers(second.weight()));
  }

  @Requirement("NET-1")
  @Test
  void shouldSeeEveryChangeOfTheParameters() {
    SmallNetwork network = network(NetworkConfig.Memory.LSTM, 1, false);
    double first = weighedOutputs(network);
    assertThat(weighedOutputs(network)).isEqualTo(first);
    int bias = network.structure.valueHeads().get(0).bias();
    int index = (int) network.parameters.range(bias).offset();
    network.parameters.change(values -> values[index] += 1);
    double second = weighedOutputs(network);
    assertThat(second).isNotEqualTo(first);
    float[] numbers = network.parameters.values().clone();
    network.parameters.change(values -> FloatVectors.scale(values, 0.5));
    assertThat(weighedOutputs(network)).isNotEqualTo(second);
    network.parameters.set(numbers);
    assertThat(weighedOutputs(network)).isEqualTo(second);
  }

  @Test
  void shouldNameRecurrentLayersAsTheirParameters() {
    SmallNetwork network = network(NetworkConfig.Memory.LSTM, 2, false);
    assertThat(network.structure.recurrentLayers())
        .containsExactly("actor.lstm.0", "actor.lstm.1", "critic.lstm.0", "critic.lstm.1");
    network
        .structure
        .recurrentLayers()
        .forEach(name -> assertThat(network.parameters.range(name + ".").count()).isPositive());
  }

  private static float[][] row(float[][] observations, int time) {
    float[][] row = new float[ENVIRONMENTS][];
    Arrays.setAll(row, environment -> observations[environment * TIME + time]);
    return row;
  }

  /** A sum of all outputs in which each has a weight of its own. */
  private static double weighedOutputs(SmallNetwork network) {
    NetworkPass pass = network.evaluate();
    return SmallNetwork.weighed(pass.actions(), SmallNetwork.weights(pass.actions(), 1.3, 1))
        + SmallNetwork.weighed(pass.values(), SmallNetwork.weights(pass.values(), 0.4, 1));
  }

  private static SmallNetwork network(NetworkConfig.Memory memory, int layers, boolean shared) {
    return network(memory, layers, null, shared);
  }

  private static SmallNetwork network(
      NetworkConfig.Memory memory, int layers, Integer headUnits, boolean shared) {
    int[] lengths = new int[ENVIRONMENTS];
    Arrays.fill(lengths, TIME);
    return new SmallNetwork(
        new SmallNetwork.Shape(memory, layers, shared, WIDTH, headUnits),
        new ActionSpace.Discrete(3),
        lengths);
  }
}
