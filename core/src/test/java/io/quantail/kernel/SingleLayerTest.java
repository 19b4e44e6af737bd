package io.quantail.kernel;

import static io.quantail.kernel.Twins.assertClose;
import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.random.RandomStream;
import io.quantail.tensor.Layers;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** One layer against libtorch's operators. */
class SingleLayerTest {
  private static final int ROWS = 6;
  private static final int INPUTS = 3;
  private static final int WIDTH = 5;
  private static final int BIAS = WIDTH * INPUTS;

  private final RandomStream random = RandomStream.of(13, "single", 0);
  private final float[] parameters = Samples.vector(random, BIAS + WIDTH, 0.7);
  private final float[] gradient = new float[parameters.length];
  private final float[][] x = Samples.matrix(random, ROWS, INPUTS);
  private final float[][] weights = Samples.matrix(random, ROWS, WIDTH);
  private final SingleLayer layer =
      new SingleLayer(
          Samples.affine(Samples.weights(INPUTS, WIDTH, 0), parameters, gradient),
          Nonlinearity.SILU);

  @Test
  void shouldAgreeWithLibtorchForwardAndBackward() {
    FeedForward.Trace trace = layer.forward(new Workspace(), x, ROWS);
    float[][] dx = trace.backward(new Workspace(), copyOfWeights(), true);
    try (Scope scope = Scope.open()) {
      Tensor flat = Tensor.of(parameters, parameters.length).requireGradient();
      Tensor input = Tensor.of(Rows.join(x, 0, INPUTS), ROWS, INPUTS).requireGradient();
      Tensor y =
          Layers.silu(
              Layers.linear(
                  input,
                  flat.narrow(0, 0, BIAS).reshape(WIDTH, INPUTS),
                  flat.narrow(0, BIAS, WIDTH)));
      y.mul(Tensor.of(Rows.join(weights, 0, WIDTH), ROWS, WIDTH)).sum().backward();
      assertClose(Rows.join(trace.y(), 0, WIDTH), y);
      assertClose(gradient, flat.gradient());
      assertClose(Rows.join(dx, 0, INPUTS), input.gradient());
    }
  }

  @Test
  void shouldGiveTheInputGradientAloneWithoutTouchingThatOfTheWeights() {
    FeedForward.Trace trace = layer.forward(new Workspace(), x, ROWS);
    float[][] alone = trace.inputGradient(new Workspace(), copyOfWeights());
    assertThat(gradient).containsOnly(0);
    assertThat(alone).isDeepEqualTo(trace.backward(new Workspace(), copyOfWeights(), true));
  }

  private float[][] copyOfWeights() {
    return Arrays.stream(weights).map(float[]::clone).toArray(float[][]::new);
  }
}
