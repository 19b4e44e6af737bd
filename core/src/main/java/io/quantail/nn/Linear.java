package io.quantail.nn;

/**
 * An affine map {@code x W^T + b}: the slots of its numbers.
 *
 * @param weight slot of W, [output, input]
 * @param bias slot of b, or {@link #NO_BIAS}
 */
public record Linear(int weight, int bias) {
  static final int NO_BIAS = -1;

  static Linear declare(
      Parameters.Builder builder, String name, int inputs, int outputs, double gain) {
    return new Linear(
        builder.add(name + ".weight", Initializer.orthogonal(gain), outputs, inputs),
        builder.add(name + ".bias", Initializer.constant(0), outputs));
  }
}
