package io.quantail.market.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.math.StandardNormal;
import io.quantail.random.RandomStream;
import io.quantail.state.StateException;
import io.quantail.state.StateMap;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class QuantileNetworkTest {
  private static final double[] LEVELS = {0.05, 0.5, 0.9};
  private static final double[] BIASES = {-1, 0, 2};
  private static final int INPUTS = 3;

  private static QuantileNetwork network() {
    return new QuantileNetwork(INPUTS, 8, LEVELS, BIASES, 1);
  }

  private static float[][] inputs(int rows) {
    RandomStream random = RandomStream.of(2, "network", 0);
    float[][] inputs = new float[rows][INPUTS];
    for (float[] row : inputs) {
      for (int i = 0; i < INPUTS; i++) {
        row[i] = (float) random.nextGaussian();
      }
    }
    return inputs;
  }

  @Test
  void shouldBeginWithItsBiasesForEveryInput() {
    QuantileNetwork network = network();
    for (float[] input : inputs(20)) {
      assertThat(network.outputs(input)).containsExactly(BIASES);
    }
  }

  /** Targets far from all outputs, so that no quantile passes one within the step. */
  @Test
  void shouldAgreeWithFiniteDifferences() {
    QuantileNetwork network = network();
    float[][] inputs = inputs(6);
    double[] targets = {-9, 8, -7, 6, -5, 9};
    for (int step = 0; step < 20; step++) { // leaves the outputs' weights of 0
      network.backward(inputs, targets);
      network.step();
    }
    network.backward(inputs, targets);
    float[] gradient = network.gradient().clone();
    float[] values = network.parameters().values().clone();
    for (int i = 0; i < values.length; i++) {
      double slope =
          (moved(network, i, 1e-2f, inputs, targets) - moved(network, i, -1e-2f, inputs, targets))
              / 2e-2;
      assertThat((double) gradient[i]).as("parameter %d", i).isCloseTo(slope, within(2e-4));
    }
    assertThat(network.parameters().values()).containsExactly(values);
  }

  private static double moved(
      QuantileNetwork network, int i, float by, float[][] inputs, double[] targets) {
    float before = network.parameters().values()[i];
    network.parameters().change(values -> values[i] = before + by);
    double loss = network.backward(inputs, targets);
    network.parameters().change(values -> values[i] = before);
    return loss;
  }

  /** Quantiles of a normal distribution whose deviation is an input. */
  @Test
  void shouldLearnQuantilesThatDependOnTheInput() {
    QuantileNetwork network = network();
    RandomStream random = RandomStream.of(3, "network", 0);
    for (int step = 0; step < 3000; step++) {
      float[][] inputs = new float[128][INPUTS];
      double[] targets = new double[128];
      for (int row = 0; row < 128; row++) {
        inputs[row][0] = row % 2;
        targets[row] = (1 + row % 2) * random.nextGaussian();
      }
      network.backward(inputs, targets);
      network.step();
    }
    for (int state = 0; state < 2; state++) {
      double[] learnt = network.outputs(new float[] {state, 0, 0});
      for (int i = 0; i < LEVELS.length; i++) {
        assertThat(learnt[i])
            .isCloseTo((1 + state) * StandardNormal.quantile(LEVELS[i]), within(0.2));
      }
    }
  }

  @Test
  void shouldContinueAfterARestartBitForBit() {
    QuantileNetwork whole = network();
    QuantileNetwork resumed = network();
    float[][] inputs = inputs(16);
    double[] targets = new double[16];
    Arrays.setAll(targets, i -> Math.sin(i));
    for (int step = 0; step < 5; step++) {
      whole.backward(inputs, targets);
      whole.step();
    }
    StateMap state = new StateMap();
    whole.save(state);
    resumed.load(state);
    for (QuantileNetwork network : new QuantileNetwork[] {whole, resumed}) {
      network.backward(inputs, targets);
      network.step();
    }
    assertThat(resumed.parameters().values()).containsExactly(whole.parameters().values());

    QuantileNetwork wider = new QuantileNetwork(INPUTS, 9, LEVELS, BIASES, 1);
    assertThatThrownBy(() -> wider.load(state)).isInstanceOf(StateException.class);
  }
}
