package io.quantail.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.Activation;
import io.quantail.config.NetworkConfig;
import io.quantail.config.Squash;
import io.quantail.env.ActionSpace;
import io.quantail.kernel.Packing;
import io.quantail.kernel.Vectors;
import io.quantail.random.RandomStream;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActorCriticTest {
  private static final int TIME = 7;
  private static final int ENVIRONMENTS = 3;
  private static final int FEATURES = 4;
  private static final int WIDTH = 8;
  private static final int OUTPUTS = 5;

  private Scope scope;
  private Gradients off;

  @BeforeEach
  void open() {
    scope = Scope.open();
    off = Gradients.off();
  }

  @AfterEach
  void close() {
    off.close();
    scope.close();
  }

  @Test
  void shouldGiveLayersBehindTheMemoryAWidthOfTheirOwn() {
    Network network = new Network(io.quantail.config.Memory.LSTM, 1, 6, true);

    Map<String, List<Long>> shapes =
        network.parameters.slots().stream()
            .collect(Collectors.toMap(Parameters.Slot::name, Parameters.Slot::shape));
    assertThat(shapes)
        .containsEntry("shared.lstm.0.weight_hh", List.of(4L * WIDTH, (long) WIDTH))
        .containsEntry("shared.mlp.first.weight", List.of(6L, (long) WIDTH))
        .containsEntry("shared.mlp.second.weight", List.of(6L, 6L))
        .containsEntry("shared.mlp.skip.weight", List.of(6L, (long) WIDTH))
        .containsEntry("actor.head.weight", List.of(3L, 6L))
        .containsEntry("critic.head2.weight", List.of((long) OUTPUTS, 6L));
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
      io.quantail.config.Memory memory, int layers, boolean shared) {
    Network network = new Network(memory, layers, shared);
    float[][] observations = random(TIME * ENVIRONMENTS); // [environment, time]
    RecurrentState state = network.structure.initialState(ENVIRONMENTS);
    Sequences sequences = new Sequences(observations, state, equallyLong());
    Forward whole = network.structure.evaluate(network.replica, sequences);

    List<Tensor> policies = new ArrayList<>();
    List<Tensor> firstCritics = new ArrayList<>();
    List<Tensor> secondCritics = new ArrayList<>();
    for (int t = 0; t < TIME; t++) {
      Forward forward = network.structure.step(network.replica, row(observations, t), state);
      policies.add(forward.policy().parameters());
      firstCritics.add(forward.critics().get(0));
      secondCritics.add(forward.critics().get(1));
      state = forward.next();
    }
    assertSame(policies, whole.policy().parameters());
    assertSame(firstCritics, whole.critics().get(0));
    assertSame(secondCritics, whole.critics().get(1));
    assertThat(state.hidden()).isDeepEqualTo(whole.next().hidden());
    assertThat(state.cell()).isDeepEqualTo(whole.next().cell());
  }

  /** To the bit, since rows are computed in the same order whatever stands beside them. */
  private static void assertSame(List<Tensor> steps, Tensor whole) {
    for (int time = 0; time < TIME; time++) {
      for (int environment = 0; environment < ENVIRONMENTS; environment++) {
        assertThat(steps.get(time).select(0, environment).floats())
            .isEqualTo(whole.select(0, environment * TIME + time).floats());
      }
    }
  }

  @Requirement("NET-2")
  @Test
  void shouldNotTouchOtherEnvironmentsWhenOneStartsAnew() {
    Network network = new Network(io.quantail.config.Memory.LSTM, 2, false);
    float[][] observations = random(TIME * ENVIRONMENTS);
    RecurrentState zero = network.structure.initialState(ENVIRONMENTS);
    RecurrentState after =
        network.structure.step(network.replica, row(observations, 0), zero).next();
    float[][] next = row(observations, 1);
    Forward going = network.structure.step(network.replica, next, after);
    boolean[] starts = {false, true, false};
    Forward mixed = network.structure.step(network.replica, next, after.startEpisodes(starts));
    Forward fresh = network.structure.step(network.replica, next, zero);
    for (int e = 0; e < ENVIRONMENTS; e++) {
      Forward expected = starts[e] ? fresh : going;
      assertThat(mixed.critics().get(0).select(0, e).floats())
          .isEqualTo(expected.critics().get(0).select(0, e).floats());
      assertThat(mixed.next().hidden()[1][e]).isEqualTo(expected.next().hidden()[1][e]);
    }
    assertThat(going.next().hidden()[1][1]).isNotEqualTo(fresh.next().hidden()[1][1]);
  }

  @Requirement("NET-1")
  @Test
  void shouldRememberNothingBetweenCalls() {
    Network network = new Network(io.quantail.config.Memory.LSTM, 1, true);
    float[][] first = row(random(TIME * ENVIRONMENTS), 0);
    float[][] second = row(random(TIME * ENVIRONMENTS), 1);
    RecurrentState zero = network.structure.initialState(ENVIRONMENTS);
    float[] before = network.structure.step(network.replica, first, zero).critics().get(1).floats();
    network.structure.step(network.replica, second, zero);
    assertThat(network.structure.step(network.replica, first, zero).critics().get(1).floats())
        .isEqualTo(before);
  }

  @Requirement("NET-1")
  @Test
  void shouldRefuseObservationsOfAnotherSize() {
    Network network = new Network(io.quantail.config.Memory.LSTM, 1, false);
    RecurrentState zero = network.structure.initialState(1);
    assertThatThrownBy(
            () -> network.structure.step(network.replica, new float[1][FEATURES + 1], zero))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("takes observations of 4 numbers, was given 5");
    Sequences wrong = new Sequences(new float[1][3], zero, Packing.singleStep(1));
    assertThatThrownBy(() -> network.structure.evaluate(network.replica, wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was given 3");
  }

  @Requirement("TWIN-1")
  @Test
  void shouldStartWithDifferentTwins() {
    Network network = new Network(io.quantail.config.Memory.LSTM, 1, true);
    Linear first = network.structure.valueHeads().get(0);
    Linear second = network.structure.valueHeads().get(1);
    assertThat(network.replica.numbers(first.weight()))
        .isNotEqualTo(network.replica.numbers(second.weight()));
  }

  /** A wrong slot, a lost branch or a forgotten sum anywhere in the network would show. */
  @Requirement("NET-1")
  @ParameterizedTest
  @CsvSource({"LSTM, 1, false", "LSTM, 2, true", "NONE, 1, false"})
  void shouldHaveTheGradientOfFiniteDifferences(
      io.quantail.config.Memory memory, int layers, boolean shared) {
    Network network = new Network(memory, layers, shared);
    off.close();
    weighedOutputs(network).backward();
    network.last.propagate();
    off = Gradients.off();
    float[] gradient = network.replica.gradient();
    for (int i = 0; i < gradient.length; i += 13) {
      double above = changed(network, i, 0.01);
      double below = changed(network, i, -0.01);
      double slope = (above - below) / 0.02;
      assertThat((double) gradient[i]).isCloseTo(slope, within(5e-3 * (1 + Math.abs(slope))));
    }
  }

  private static double changed(Network network, int index, double distance) {
    network.parameters.change(values -> values[index] += (float) distance);
    double result = weighedOutputs(network).item();
    network.parameters.change(values -> values[index] -= (float) distance);
    return result;
  }

  /** A sum of all outputs in which each has a weight of its own. */
  private static Tensor weighedOutputs(Network network) {
    RecurrentState state = network.structure.initialState(ENVIRONMENTS);
    Sequences sequences = new Sequences(random(TIME * ENVIRONMENTS), state, equallyLong());
    Forward forward = network.structure.evaluate(network.replica, sequences);
    network.last = forward;
    Tensor sum = weigh(forward.policy().parameters(), 1.3);
    sum = sum.add(weigh(forward.critics().get(0), 0.4));
    return sum.add(weigh(forward.critics().get(1), -0.7));
  }

  private static Tensor weigh(Tensor outputs, double slope) {
    float[] weights = new float[(int) outputs.count()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (float) Math.sin(1 + slope * i);
    }
    return outputs.mul(Tensor.of(weights, outputs.shape())).sum();
  }

  @Requirement("NET-1")
  @Test
  void shouldSeeEveryChangeOfTheParameters() {
    Network network = new Network(io.quantail.config.Memory.LSTM, 1, false);
    double first = weighedOutputs(network).item();
    assertThat(weighedOutputs(network).item()).isEqualTo(first);
    int bias = network.structure.valueHeads().get(0).bias();
    int index = (int) network.parameters.range(bias).offset();
    network.parameters.change(values -> values[index] += 1);
    double second = weighedOutputs(network).item();
    assertThat(second).isNotEqualTo(first);
    float[] numbers = network.parameters.values().clone();
    network.parameters.change(values -> Vectors.scale(values, 0.5));
    assertThat(weighedOutputs(network).item()).isNotEqualTo(second);
    network.parameters.set(numbers);
    assertThat(weighedOutputs(network).item()).isEqualTo(second);
  }

  @Test
  void shouldNameRecurrentLayersAsTheirParameters() {
    Network network = new Network(io.quantail.config.Memory.LSTM, 2, false);
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

  private static Packing equallyLong() {
    int[] starts = new int[ENVIRONMENTS];
    Arrays.setAll(starts, environment -> environment * TIME);
    int[] lengths = new int[ENVIRONMENTS];
    Arrays.fill(lengths, TIME);
    return new Packing(starts, lengths);
  }

  private static float[][] random(int rows) {
    RandomStream random = RandomStream.of(9, "observations", 0);
    float[][] values = new float[rows][FEATURES];
    for (float[] row : values) {
      for (int i = 0; i < FEATURES; i++) {
        row[i] = (float) random.nextGaussian();
      }
    }
    return values;
  }

  private static final class Network {
    final ActorCritic structure;
    final Parameters parameters;
    final Parameters.Replica replica;
    Forward last;

    Network(io.quantail.config.Memory memory, int layers, boolean shared) {
      this(memory, layers, null, shared);
    }

    Network(io.quantail.config.Memory memory, int layers, Integer headUnits, boolean shared) {
      Parameters.Builder builder = new Parameters.Builder(4);
      NetworkConfig config =
          new NetworkConfig(
              memory, WIDTH, layers, 2, headUnits, shared, Activation.SILU, Squash.AUTO, 0.2, 1.5);
      ActionSpace space = new ActionSpace.Discrete(3);
      structure =
          new ActorCritic(builder, config, new ActorCritic.Interface(FEATURES, space, 2, OUTPUTS));
      parameters = builder.build();
      replica = parameters.replica();
    }
  }
}
