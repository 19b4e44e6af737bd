package io.quantail.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import io.quantail.testing.FiniteDifferences;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gradients of parameters and observations, for the whole network and for the policy alone. */
class NetworkPassTest {
  private static final int[] LENGTHS = {3, 5, 1};
  private static final ActionSpace BOX =
      new ActionSpace.Box(new float[] {-1, -1}, new float[] {1, 1});

  /**
   * A wrong slot, a lost branch or a forgotten sum anywhere in the network would show. Multiples of
   * eight run on vector instructions, other sizes do not.
   */
  @Requirement("NET-1")
  @ParameterizedTest
  @CsvSource({
    "LSTM, 1, false, 8, ",
    "LSTM, 2, true, 8, 16",
    "LSTM, 2, false, 5, 7",
    "NONE, 1, false, 8, ",
    "NONE, 1, true, 5, 6"
  })
  void shouldHaveTheParameterGradientOfFiniteDifferences(
      NetworkConfig.Memory memory, int layers, boolean shared, int width, Integer headUnits) {
    SmallNetwork network =
        network(new SmallNetwork.Shape(memory, layers, shared, width, headUnits));
    loss(network, true);
    float[] gradient = network.replica.gradient();
    int[] counted = new int[network.parameters.slots().size()];
    for (int i = 0; i < gradient.length; i++) {
      int index = i;
      int slot = slotOf(network.parameters, i);
      if (counted[slot]++ % 13 != 0) {
        continue; // the first and every thirteenth of each slot
      }
      double above = changed(network, index, 0.01f);
      double below = changed(network, index, -0.01f);
      double slope = (above - below) / 0.02;
      assertThat((double) gradient[i])
          .as(network.parameters.slots().get(slot).name())
          .isCloseTo(slope, within(3e-3 * (1 + Math.abs(slope))));
    }
  }

  private static int slotOf(Parameters parameters, int index) {
    int slot = 0;
    while (parameters.range(slot).offset() + parameters.range(slot).count() <= index) {
      slot++;
    }
    return slot;
  }

  private static double changed(SmallNetwork network, int index, float distance) {
    float before = network.parameters.values()[index];
    network.parameters.change(values -> values[index] = before + distance);
    double result = loss(network, false);
    network.parameters.change(values -> values[index] = before);
    return result;
  }

  /** Outputs of both heads and the entropy, by which the deviations have a gradient. */
  private static double loss(SmallNetwork network, boolean backward) {
    NetworkPass pass = network.evaluate();
    float[][] dActions = SmallNetwork.weights(pass.actions(), 1.3, 1);
    float[][] dValues = SmallNetwork.weights(pass.values(), 0.4, 1);
    double loss =
        SmallNetwork.weighed(pass.actions(), dActions)
            + SmallNetwork.weighed(pass.values(), dValues);
    PolicyDistribution policy = pass.policy();
    for (int row = 0; row < dActions.length; row++) {
      policy.set(pass.actions()[row]);
      loss += 0.3 * policy.entropy();
      policy.addGradient(dActions[row], 0, 0.3, 0);
    }
    if (backward) {
      network.replica.clearGradient();
      pass.backward(policy, dActions, dValues);
    }
    return loss;
  }

  /** A head without a gradient leaves the trunk that it alone uses without one. */
  @Requirement("NET-1")
  @Test
  void shouldLeaveOutHeadsWithoutGradient() {
    SmallNetwork network =
        network(new SmallNetwork.Shape(NetworkConfig.Memory.LSTM, 1, false, 8, null));
    NetworkPass pass = network.evaluate();
    pass.backward(pass.policy(), null, SmallNetwork.weights(pass.values(), 0.4, 1));
    float[] gradient = network.replica.gradient();
    assertThat(network.parameters.range("actor.").of(gradient)).containsOnly(0);
    List<String> silent = new ArrayList<>();
    for (Parameters.Slot slot : network.parameters.slots()) {
      boolean zero = true;
      for (int i = 0; i < slot.count(); i++) {
        zero &= gradient[(int) slot.offset() + i] == 0;
      }
      if (zero && slot.name().startsWith("critic.")) {
        silent.add(slot.name());
      }
    }
    assertThat(silent).isEmpty();
  }

  @Requirement("ROB-1")
  @ParameterizedTest
  @CsvSource({"LSTM, 1, false", "LSTM, 2, true", "NONE, 1, false"})
  void shouldBeThePolicyOfTheWholeNetworkToTheBit(
      NetworkConfig.Memory memory, int layers, boolean shared) {
    SmallNetwork network = network(new SmallNetwork.Shape(memory, layers, shared, 8, null));
    NetworkPass alone = network.evaluatePolicy();
    NetworkPass whole = network.evaluate();
    assertThat(alone.actions()).isDeepEqualTo(whole.actions());
    assertThat(alone.observations()).isSameAs(network.observations);
    assertThatThrownBy(alone::values)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("without the critics");
  }

  @Requirement("ROB-1")
  @ParameterizedTest
  @CsvSource({
    "LSTM, 1, false, 8, ",
    "LSTM, 2, true, 8, 16",
    "LSTM, 2, false, 5, 7",
    "NONE, 1, false, 8, "
  })
  void shouldHaveTheInputGradientOfFiniteDifferences(
      NetworkConfig.Memory memory, int layers, boolean shared, int width, Integer headUnits) {
    SmallNetwork network =
        network(new SmallNetwork.Shape(memory, layers, shared, width, headUnits));
    NetworkPass pass = network.evaluatePolicy();
    float[][] weights = SmallNetwork.weights(pass.actions(), 1.3, 400);
    float[][] gradient = pass.inputGradient(copy(weights));
    double size = 0;
    for (int row = 0; row < network.observations.length; row++) {
      for (int feature = 0; feature < SmallNetwork.FEATURES; feature++) {
        double slope =
            FiniteDifferences.slope(
                () -> SmallNetwork.weighed(network.evaluatePolicy().actions(), weights),
                network.observations[row],
                feature,
                0.02);
        assertThat((double) gradient[row][feature])
            .isCloseTo(slope, within(2e-3 * (1 + Math.abs(slope))));
        size += Math.abs(slope);
      }
    }
    assertThat(size).isGreaterThan(2);
  }

  @Requirement("ROB-1")
  @ParameterizedTest
  @CsvSource({"LSTM, 2, false", "NONE, 1, true"})
  void shouldLeaveTheGradientsOfTheNetworksWeightsAlone(
      NetworkConfig.Memory memory, int layers, boolean shared) {
    SmallNetwork network = network(new SmallNetwork.Shape(memory, layers, shared, 8, null));
    NetworkPass pass = network.evaluatePolicy();
    pass.inputGradient(SmallNetwork.weights(pass.actions(), 1.3, 400));
    assertThat(network.replica.gradient()).containsOnly(0);
  }

  private static float[][] copy(float[][] rows) {
    float[][] copy = new float[rows.length][];
    for (int row = 0; row < rows.length; row++) {
      copy[row] = rows[row].clone();
    }
    return copy;
  }

  private static SmallNetwork network(SmallNetwork.Shape shape) {
    return new SmallNetwork(shape, BOX, LENGTHS);
  }
}
