package io.quantail.nn;

import io.quantail.config.Activation;
import io.quantail.kernel.Nonlinearity;
import io.quantail.kernel.SkipLayers;
import java.util.List;

/**
 * Two layers beside a linear path: {@code y = act(W2 act(W1 x + b1) + b2) + Ws x}.
 *
 * <p>The skip has no bias and is an identity in spirit: with it, what the memory knows reaches the
 * heads even while the two layers are still untrained.
 *
 * @param firstAndSkip the maps W1 and Ws
 * @param second the map W2
 */
record Mlp(int firstAndSkip, int second, Nonlinearity nonlinearity) {
  private static final double HIDDEN_GAIN = Math.sqrt(2);

  static Mlp declare(
      Parameters.Builder builder, String name, int inputs, int width, Activation activation) {
    Linear first = Linear.declare(builder, name + ".first", inputs, width, HIDDEN_GAIN);
    Linear second = Linear.declare(builder, name + ".second", width, width, HIDDEN_GAIN);
    int skip = builder.add(name + ".skip.weight", Initializer.orthogonal(1.0), width, inputs);
    return new Mlp(
        builder.affine(List.of(first, new Linear(skip, Linear.NO_BIAS))),
        builder.affine(List.of(second)),
        Nonlinearity.valueOf(activation.name()));
  }

  SkipLayers layers(Parameters.Replica parameters) {
    return new SkipLayers(parameters.affine(firstAndSkip), parameters.affine(second), nonlinearity);
  }
}
