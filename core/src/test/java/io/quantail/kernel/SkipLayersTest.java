package io.quantail.kernel;

import static io.quantail.kernel.Twins.assertClose;

import io.quantail.random.RandomStream;
import io.quantail.tensor.Layers;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With libtorch's operators as twins. */
class SkipLayersTest {
  private static final int ROWS = 6;
  private static final int INPUTS = 3;
  private static final int WIDTH = 5;

  @Test
  void shouldAgreeWithLibtorchForwardAndBackward() {
    RandomStream random = RandomStream.of(12, "skip", 0);
    int first = WIDTH * INPUTS;
    int skip = first + WIDTH;
    int second = skip + WIDTH * INPUTS;
    int secondBias = second + WIDTH * WIDTH;
    float[] parameters = Samples.vector(random, secondBias + WIDTH, 0.7);
    float[] gradient = new float[parameters.length];
    float[][] x = Samples.matrix(random, ROWS, INPUTS);
    float[][] weights = Samples.matrix(random, ROWS, WIDTH);
    Weights firstAndSkip =
        new Weights(
            INPUTS,
            List.of(
                new Weights.Part(WIDTH, 0, first),
                new Weights.Part(WIDTH, skip, Weights.Part.NONE)));
    SkipLayers layers =
        new SkipLayers(
            Samples.affine(firstAndSkip, parameters, gradient),
            Samples.affine(Samples.weights(WIDTH, WIDTH, second), parameters, gradient),
            Nonlinearity.SILU);
    FeedForward.Trace trace = layers.forward(new Workspace(), x, ROWS);
    float[][] dy = Arrays.stream(weights).map(float[]::clone).toArray(float[][]::new);
    float[][] dx = trace.backward(new Workspace(), dy, true);

    try (Scope scope = Scope.open()) {
      Tensor flat = Tensor.of(parameters, parameters.length).requireGradient();
      Tensor input = Tensor.of(Rows.join(x, 0, INPUTS), ROWS, INPUTS).requireGradient();
      Tensor inner =
          Layers.silu(
              Layers.linear(
                  input,
                  flat.narrow(0, 0, first).reshape(WIDTH, INPUTS),
                  flat.narrow(0, first, WIDTH)));
      Tensor outer =
          Layers.silu(
              Layers.linear(
                  inner,
                  flat.narrow(0, second, WIDTH * WIDTH).reshape(WIDTH, WIDTH),
                  flat.narrow(0, secondBias, WIDTH)));
      Tensor skipped =
          Layers.linear(input, flat.narrow(0, skip, WIDTH * INPUTS).reshape(WIDTH, INPUTS));
      Tensor y = outer.add(skipped);
      y.mul(Tensor.of(Rows.join(weights, 0, WIDTH), ROWS, WIDTH)).sum().backward();
      assertClose(Rows.join(trace.y(), 0, WIDTH), y);
      assertClose(gradient, flat.gradient());
      assertClose(Rows.join(dx, 0, INPUTS), input.gradient());
    }
  }
}
