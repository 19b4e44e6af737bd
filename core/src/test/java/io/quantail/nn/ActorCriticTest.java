package io.quantail.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.Activation;
import io.quantail.config.NetworkConfig;
import io.quantail.config.Squash;
import io.quantail.env.ActionSpace;
import io.quantail.random.RandomStream;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
    float[] observations = random(TIME * ENVIRONMENTS * FEATURES);
    RecurrentState state = network.structure.initialState(ENVIRONMENTS);
    Sequences sequences =
        new Sequences(Tensor.of(observations, TIME, ENVIRONMENTS, FEATURES), state, everyRow());
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
    assertSame(Tensor.cat(policies, 0), whole.policy().parameters());
    assertSame(Tensor.cat(firstCritics, 0), whole.critics().get(0));
    assertSame(Tensor.cat(secondCritics, 0), whole.critics().get(1));
    assertSame(state.hidden(), whole.next().hidden());
    assertSame(state.cell(), whole.next().cell());
    network.close();
  }

  private static void assertSame(Tensor actual, Tensor expected) {
    assertThat(actual.shape()).isEqualTo(expected.shape());
    assertThat(actual.doubles()).containsExactly(expected.doubles(), within(1e-6));
  }

  @Requirement("NET-2")
  @Test
  void shouldNotTouchOtherEnvironmentsWhenOneStartsAnew() {
    Network network = new Network(io.quantail.config.Memory.LSTM, 2, false);
    float[] observations = random(2 * ENVIRONMENTS * FEATURES);
    RecurrentState zero = network.structure.initialState(ENVIRONMENTS);
    RecurrentState after =
        network.structure.step(network.replica, row(observations, 0), zero).next();
    Tensor next = row(observations, 1);
    Forward going = network.structure.step(network.replica, next, after);
    boolean[] starts = {false, true, false};
    Forward mixed = network.structure.step(network.replica, next, after.startEpisodes(starts));
    Forward fresh = network.structure.step(network.replica, next, zero);
    for (int e = 0; e < ENVIRONMENTS; e++) {
      Forward expected = starts[e] ? fresh : going;
      assertThat(mixed.critics().get(0).select(0, e).floats())
          .isEqualTo(expected.critics().get(0).select(0, e).floats());
      assertThat(mixed.next().hidden().select(1, e).floats())
          .isEqualTo(expected.next().hidden().select(1, e).floats());
    }
    assertThat(going.next().hidden().select(1, 1).floats())
        .isNotEqualTo(fresh.next().hidden().select(1, 1).floats());
    network.close();
  }

  @Requirement("NET-1")
  @Test
  void shouldRememberNothingBetweenCalls() {
    Network network = new Network(io.quantail.config.Memory.LSTM, 1, true);
    Tensor first = Tensor.of(random(ENVIRONMENTS * FEATURES), ENVIRONMENTS, FEATURES);
    Tensor second = first.mul(-3);
    RecurrentState zero = network.structure.initialState(ENVIRONMENTS);
    float[] before = network.structure.step(network.replica, first, zero).critics().get(1).floats();
    network.structure.step(network.replica, second, zero);
    assertThat(network.structure.step(network.replica, first, zero).critics().get(1).floats())
        .isEqualTo(before);
    network.close();
  }

  @Requirement("NET-1")
  @Test
  void shouldRefuseObservationsOfAnotherSize() {
    Network network = new Network(io.quantail.config.Memory.LSTM, 1, false);
    RecurrentState zero = network.structure.initialState(1);
    assertThatThrownBy(
            () -> network.structure.step(network.replica, Tensor.zeros(1, FEATURES + 1), zero))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("takes observations of 4 numbers, was given 5");
    Sequences wrong = new Sequences(Tensor.zeros(2, 1, 3), zero, Tensor.of(new long[] {0}, 1));
    assertThatThrownBy(() -> network.structure.evaluate(network.replica, wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was given 3");
    network.close();
  }

  @Requirement("TWIN-1")
  @Test
  void shouldStartWithDifferentTwins() {
    Network network = new Network(io.quantail.config.Memory.LSTM, 1, true);
    Linear first = network.structure.valueHeads().get(0);
    Linear second = network.structure.valueHeads().get(1);
    assertThat(network.replica.get(first.weight()).floats())
        .isNotEqualTo(network.replica.get(second.weight()).floats());
    network.close();
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
    network.close();
  }

  private static Tensor row(float[] observations, int time) {
    int size = ENVIRONMENTS * FEATURES;
    float[] values = Arrays.copyOfRange(observations, time * size, (time + 1) * size);
    return Tensor.of(values, ENVIRONMENTS, FEATURES);
  }

  private static Tensor everyRow() {
    long[] rows = new long[TIME * ENVIRONMENTS];
    Arrays.setAll(rows, i -> i);
    return Tensor.of(rows, rows.length);
  }

  private static float[] random(int count) {
    RandomStream random = RandomStream.of(9, "observations", 0);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  private static final class Network {
    final ActorCritic structure;
    final Parameters parameters;
    final Parameters.Replica replica;

    Network(io.quantail.config.Memory memory, int layers, boolean shared) {
      Parameters.Builder builder = new Parameters.Builder(4);
      NetworkConfig config =
          new NetworkConfig(memory, WIDTH, layers, shared, Activation.SILU, Squash.AUTO, 0.2, 1.5);
      ActionSpace space = new ActionSpace.Discrete(3);
      structure =
          new ActorCritic(builder, config, new ActorCritic.Interface(FEATURES, space, 2, OUTPUTS));
      parameters = builder.build();
      replica = parameters.replica();
    }

    void close() {
      replica.close();
      parameters.close();
    }
  }
}
