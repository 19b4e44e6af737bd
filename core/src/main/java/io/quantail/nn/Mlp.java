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
    Weights weights =
        new Weights(
            parameters.get(first.weight()),
            parameters.get(first.bias()),
            parameters.get(second.weight()),
            parameters.get(second.bias()),
            parameters.get(skip));
    return forward(weights, x, activation);
  }

  /** The numbers of the two layers and of the linear path beside them. */
  record Weights(
      Tensor firstWeight, Tensor firstBias, Tensor secondWeight, Tensor secondBias, Tensor skip) {}

  static Tensor forward(Weights weights, Tensor x, Activation activation) {
    Tensor inner =
        activate(Layers.linear(x, weights.firstWeight(), weights.firstBias()), activation);
    Tensor outer =
        activate(Layers.linear(inner, weights.secondWeight(), weights.secondBias()), activation);
    return outer.add(Layers.linear(x, weights.skip()));
  }

  private static Tensor activate(Tensor x, Activation activation) {
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
