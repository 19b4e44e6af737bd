package io.quantail.nn;

import io.quantail.config.NetworkConfig;
import io.quantail.kernel.FeedForward;
import io.quantail.kernel.Nonlinearity;
import io.quantail.kernel.SingleLayer;
import io.quantail.kernel.SkipLayers;
import java.util.List;

/** What lies between a memory and its heads, as it is declared. */
interface Mlp {
  double HIDDEN_GAIN = Math.sqrt(2);

  /** The layers with the numbers of a replica. */
  FeedForward layers(Parameters.Replica parameters);

  static Mlp declare(Parameters.Builder builder, String name, int inputs, NetworkConfig network) {
    Nonlinearity nonlinearity = Nonlinearity.valueOf(network.activation().name());
    return network.headLayers() == 1
        ? Single.declare(builder, name, inputs, network.headWidth(), nonlinearity)
        : Skip.declare(builder, name, inputs, network.headWidth(), nonlinearity);
  }

  /** {@code y = act(W1 x + b1)}. */
  record Single(int map, Nonlinearity nonlinearity) implements Mlp {
    private static Single declare(
        Parameters.Builder builder, String name, int inputs, int width, Nonlinearity nonlinearity) {
      Linear first = Linear.declare(builder, name + ".first", inputs, width, HIDDEN_GAIN);
      return new Single(builder.affine(List.of(first)), nonlinearity);
    }

    @Override
    public FeedForward layers(Parameters.Replica parameters) {
      return new SingleLayer(parameters.affine(map), nonlinearity);
    }
  }

  /**
   * Two layers beside a linear path: {@code y = act(W2 act(W1 x + b1) + b2) + Ws x}.
   *
   * <p>The skip has no bias and is an identity in spirit: with it, what the memory knows reaches
   * the heads even while the two layers are still untrained.
   *
   * @param firstAndSkip the maps W1 and Ws
   * @param second the map W2
   */
  record Skip(int firstAndSkip, int second, Nonlinearity nonlinearity) implements Mlp {
    private static Skip declare(
        Parameters.Builder builder, String name, int inputs, int width, Nonlinearity nonlinearity) {
      Linear first = Linear.declare(builder, name + ".first", inputs, width, HIDDEN_GAIN);
      Linear second = Linear.declare(builder, name + ".second", width, width, HIDDEN_GAIN);
      int skip = builder.add(name + ".skip.weight", Initializer.orthogonal(1.0), width, inputs);
      return new Skip(
          builder.affine(List.of(first, new Linear(skip, Linear.NO_BIAS))),
          builder.affine(List.of(second)),
          nonlinearity);
    }

    @Override
    public FeedForward layers(Parameters.Replica parameters) {
      return new SkipLayers(
          parameters.affine(firstAndSkip), parameters.affine(second), nonlinearity);
    }
  }
}
