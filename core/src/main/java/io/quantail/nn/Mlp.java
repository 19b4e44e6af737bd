package io.quantail.nn;

import io.quantail.config.Activation;
import io.quantail.tensor.Layers;
import io.quantail.tensor.Tensor;

/**
 * Two layers beside a linear path: {@code y = act(W2 act(W1 x + b1) + b2) + Ws x}.
 *
 * <p>The skip has no bias and is an identity in spirit: with it, what the memory knows reaches the
 * heads even while the two layers are still untrained.
 */
record Mlp(Linear first, Linear second, int skip, Activation activation) {
  private static final double HIDDEN_GAIN = Math.sqrt(2);

  static Mlp declare(
      Parameters.Builder builder, String name, int inputs, int width, Activation activation) {
    return new Mlp(
        Linear.declare(builder, name + ".first", inputs, width, HIDDEN_GAIN),
        Linear.declare(builder, name + ".second", width, width, HIDDEN_GAIN),
        builder.add(name + ".skip.weight", Initializer.orthogonal(1.0), width, inputs),
        activation);
  }

  Tensor forward(Parameters.Replica parameters, Tensor x) {
    Tensor inner = activate(first.forward(parameters, x));
    Tensor outer = activate(second.forward(parameters, inner));
    return outer.add(Layers.linear(x, parameters.get(skip)));
  }

  private Tensor activate(Tensor x) {
    return switch (activation) {
      case SILU -> Layers.silu(x);
      case RELU -> Layers.relu(x);
      case TANH -> x.tanh();
      case LEAKY_RELU -> Layers.leakyRelu(x);
      case ELU -> Layers.elu(x);
      case GELU -> Layers.gelu(x);
    };
  }
}
