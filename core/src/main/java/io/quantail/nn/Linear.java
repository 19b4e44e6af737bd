package io.quantail.nn;

import io.quantail.tensor.Layers;
import io.quantail.tensor.Tensor;

/** An affine map {@code x W^T + b}. */
public record Linear(int weight, int bias) {

  static Linear declare(
      Parameters.Builder builder, String name, int inputs, int outputs, double gain) {
    return new Linear(
        builder.add(name + ".weight", Initializer.orthogonal(gain), outputs, inputs),
        builder.add(name + ".bias", Initializer.constant(0), outputs));
  }

  Tensor forward(Parameters.Replica parameters, Tensor x) {
    return Layers.linear(x, parameters.get(weight), parameters.get(bias));
  }
}
