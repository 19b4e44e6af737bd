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
      pass.set(policy, row);
      loss += 0.3 * policy.entropy();
      policy.addGradient(dActions[row], 0, 0.3, 0);
    }
    if (backward) {
      network.replica.clearGradient();
      pass.backward(policy, dActions, dValues);
    }
    return loss;
  }

  /**
   * Log-probability, entropy and KL divergence of state-dependent exploration, summed over rows.
   */
  private static double policyLoss(NetworkPass pass, PolicyDistribution policy, float[][] slopes) {
    float[] raw = {0.3f, -0.6f};
    float[] stored = {0.1f, -0.2f, 0.5f, 0.9f};
    double loss = 0;
    for (int row = 0; row < slopes.length; row++) {
      pass.set(policy, row);
      loss += 0.7 * policy.logProbability(raw, 0);
      loss += 0.3 * policy.entropy() - 0.4 * policy.divergenceFrom(stored, 0);
      policy.addGradient(slopes[row], 0.7, 0.3, -0.4);
    }
    return loss;
  }

  @Requirement("EXPL-1")
  @ParameterizedTest
  @CsvSource({"LSTM, 1, false, 8, ", "LSTM, 2, true, 8, 16", "NONE, 1, false, 8, "})
  void shouldTrainTheDeviationsAndTheHeadOfStateDependentExploration(
      NetworkConfig.Memory memory, int layers, boolean shared, int width, Integer headUnits) {
    SmallNetwork network =
        exploring(new SmallNetwork.Shape(memory, layers, shared, width, headUnits));
    NetworkPass pass = network.evaluate();
    PolicyDistribution policy = pass.policy();
    float[][] slopes = new float[pass.actions().length][2];
    policyLoss(pass, policy, slopes);
    float[][] again = copy(slopes);
    network.replica.clearGradient();
    pass.backward(policy, slopes, null);
    float[] gradient = network.replica.gradient().clone();
    int checked = 0;
    for (int i = 0; i < gradient.length; i++) {
      int index = i;
      String name = network.parameters.slots().get(slotOf(network.parameters, i)).name();
      if (!name.equals("actor.log_sigma") && !name.startsWith("actor.head")) {
        continue;
      }
      double slope =
          (policyLossAt(network, index, 0.01f) - policyLossAt(network, index, -0.01f)) / 0.02;
      assertThat((double) gradient[i])
          .as(name)
          .isCloseTo(slope, within(2e-3 * (1 + Math.abs(slope))));
      checked++;
    }
    assertThat(checked).isEqualTo(2 * 2 * pass.features()[0].length + 2);

    NetworkPass means = network.evaluate();
    network.replica.clearGradient();
    means.backward(means.policy(), again, null);
    float[] ofMeans = network.replica.gradient();
    Parameters.Range deviations = network.parameters.range("actor.log_sigma");
    for (int i = 0; i < gradient.length; i++) {
      boolean own = i >= deviations.offset() && i < deviations.offset() + deviations.count();
      assertThat(ofMeans[i]).as("features are constants").isEqualTo(own ? 0 : gradient[i]);
    }
  }

  private static double policyLossAt(SmallNetwork network, int index, float distance) {
    float before = network.parameters.values()[index];
    network.parameters.change(values -> values[index] = before + distance);
    NetworkPass pass = network.evaluate();
    double loss = policyLoss(pass, pass.policy(), new float[pass.actions().length][2]);
    network.parameters.change(values -> values[index] = before);
    return loss;
  }

  /** An attack follows the whole gradient, through means and deviations. */
  @Requirement({"EXPL-1", "ROB-1"})
  @ParameterizedTest
  @CsvSource({"LSTM, 1, false", "NONE, 1, true"})
  void shouldHaveTheInputGradientOfStateDependentExploration(
      NetworkConfig.Memory memory, int layers, boolean shared) {
    SmallNetwork network = exploring(new SmallNetwork.Shape(memory, layers, shared, 8, null));
    NetworkPass pass = network.evaluatePolicy();
    PolicyDistribution policy = pass.policy();
    float[] stored = {0.1f, -0.2f, 0.05f, 0.09f};
    float[][] dActions = new float[network.observations.length][2];
    float[][] dFeatures = new float[network.observations.length][8];
    for (int row = 0; row < dActions.length; row++) {
      pass.set(policy, row);
      policy.divergenceFrom(stored, 0);
      policy.addGradient(dActions[row], 0, 0, 100);
      policy.addFeatureGradient(dFeatures[row]);
    }
    float[][] gradient = pass.inputGradient(dActions, dFeatures);
    for (int row = 0; row < network.observations.length; row++) {
      for (int feature = 0; feature < SmallNetwork.FEATURES; feature++) {
        double slope =
            FiniteDifferences.slope(
                () -> divergence(network, stored), network.observations[row], feature, 0.02);
        assertThat((double) gradient[row][feature])
            .isCloseTo(slope, within(4e-3 * (1 + Math.abs(slope))));
      }
    }
  }

  private static double divergence(SmallNetwork network, float[] stored) {
    NetworkPass pass = network.evaluatePolicy();
    PolicyDistribution policy = pass.policy();
    double sum = 0;
    for (int row = 0; row < network.observations.length; row++) {
      pass.set(policy, row);
      sum += 100 * policy.divergenceFrom(stored, 0);
    }
    return sum;
  }

  private static SmallNetwork exploring(SmallNetwork.Shape shape) {
    return new SmallNetwork(shape, BOX, LENGTHS, NetworkConfig.Exploration.GSDE);
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
    float[][] gradient = pass.inputGradient(copy(weights), null);
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
    pass.inputGradient(SmallNetwork.weights(pass.actions(), 1.3, 400), null);
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
