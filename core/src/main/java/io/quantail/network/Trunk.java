package io.quantail.network;

import io.quantail.config.NetworkConfig;
import io.quantail.kernel.ActivationFunction;
import io.quantail.kernel.DenseLayer;
import io.quantail.kernel.FeedForward;
import io.quantail.kernel.LstmLayer;
import io.quantail.kernel.SequencePacking;
import io.quantail.kernel.SkipMlp;
import io.quantail.kernel.Workspace;
import io.quantail.network.ParameterLayout.Linear;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The recurrent and feed-forward layers below the heads: LSTM layers, possibly none, then one layer
 * {@code y = act(W1 x + b1)} or two layers beside a linear path, {@code y = act(W2 act(W1 x + b1) +
 * b2) + Ws x}.
 *
 * <p>The linear path has no bias and passes the LSTM's output on to the heads even while the two
 * layers are still untrained. The layers themselves belong to a {@link ParameterReplica}, which
 * builds them once.
 *
 * @param firstLayer index of the first LSTM layer among those of all trunks, and of its plane in a
 *     {@link RecurrentState}
 * @param layers number of LSTM layers
 * @param feedForward index of the layers above them
 */
record Trunk(int firstLayer, int layers, int feedForward) {
  private static final double HIDDEN_GAIN = Math.sqrt(2);

  /** Declares the parameters and the layers of a trunk. */
  static Trunk declare(
      ParameterLayout layout, String name, int inputs, int firstLayer, NetworkConfig network) {
    int width = network.hidden();
    int layers = network.memory() == NetworkConfig.Memory.LSTM ? network.layers() : 0;
    for (int layer = 0; layer < layers; layer++) {
      declareLstm(layout, name + ".lstm." + layer, layer == 0 ? inputs : width, width);
    }
    int features = layers == 0 ? inputs : width;
    return new Trunk(firstLayer, layers, declareMlp(layout, name + ".mlp", features, network));
  }

  private static void declareLstm(ParameterLayout layout, String name, int inputs, int width) {
    WeightInitializer weights = WeightInitializer.uniform(width);
    WeightInitializer zero = WeightInitializer.constant(0);
    int inputWeight = layout.add(name + ".weight_ih", weights, 4L * width, inputs);
    int recurrentWeight = layout.add(name + ".weight_hh", weights, 4L * width, width);
    int inputBias = layout.add(name + ".bias_ih", zero, 4L * width);
    int recurrentBias = layout.add(name + ".bias_hh", zero, 4L * width);
    int map =
        layout.affineOf(
            List.of(
                List.of(new Linear(inputWeight, inputBias)),
                List.of(new Linear(recurrentWeight, recurrentBias))));
    layout.lstm(maps -> new LstmLayer(maps.get(map)));
  }

  private static int declareMlp(
      ParameterLayout layout, String name, int inputs, NetworkConfig network) {
    ActivationFunction nonlinearity = ActivationFunction.valueOf(network.activation().name());
    int width = network.headWidth();
    Linear first = layout.addLinear(name + ".first", inputs, width, HIDDEN_GAIN);
    if (network.headLayers() == 1) {
      int map = layout.affine(List.of(first));
      return layout.feedForward(maps -> new DenseLayer(maps.get(map), nonlinearity));
    }
    Linear second = layout.addLinear(name + ".second", width, width, HIDDEN_GAIN);
    int skip = layout.add(name + ".skip.weight", WeightInitializer.orthogonal(1.0), width, inputs);
    int lower = layout.affine(List.of(first, new Linear(skip, Linear.NO_BIAS)));
    int upper = layout.affine(List.of(second));
    return layout.feedForward(maps -> new SkipMlp(maps.get(lower), maps.get(upper), nonlinearity));
  }

  /** A forward pass, with the results that the backward pass needs. */
  record Trace(int firstLayer, List<LstmLayer.Forward> lstm, FeedForward.Trace feedForward) {

    /** The trunk's output, one row per sample. */
    float[][] latent() {
      return feedForward.y();
    }

    /**
     * Evaluates the sequences; the results of an earlier run are overwritten.
     *
     * @param initial the states of all LSTM layers before the first row of each sequence
     */
    void run(RecurrentState initial) {
      for (int i = 0; i < lstm.size(); i++) {
        int layer = firstLayer + i;
        lstm.get(i).run(initial.hidden()[layer], initial.cell()[layer]);
      }
      feedForward.run();
    }
  }

  /** Makes a pass over sequences, which may run several times and then allocates nothing. */
  Trace prepare(
      Workspace workspace,
      ParameterReplica parameters,
      SequencePacking packing,
      float[][] observations) {
    List<LstmLayer.Forward> passes = new ArrayList<>(layers);
    float[][] x = observations;
    for (int layer = firstLayer; layer < firstLayer + layers; layer++) {
      LstmLayer.Forward pass = parameters.lstm(layer).prepare(workspace, packing, x);
      passes.add(pass);
      x = pass.trace().hidden();
    }
    return new Trace(
        firstLayer,
        passes,
        parameters.feedForward(feedForward).prepare(workspace, x, packing.rows()));
  }

  /**
   * Adds the gradients of all weights; the observations need none.
   *
   * @param dLatent gradient of the trunk's output; it is overwritten
   */
  void backward(Workspace workspace, ParameterReplica parameters, Trace trace, float[][] dLatent) {
    float[][] gradient = trace.feedForward.backward(workspace, dLatent, layers > 0);
    for (int i = layers - 1; i >= 0; i--) {
      LstmLayer layer = parameters.lstm(firstLayer + i);
      Objects.requireNonNull(gradient); // the layer above computed it, as it was asked to
      gradient = layer.backward(workspace, trace.lstm.get(i).trace(), gradient, i > 0);
    }
  }

  /**
   * The gradient of the observations; those of the weights stay unchanged.
   *
   * @param dLatent gradient of the trunk's output; it is overwritten
   */
  float[][] inputGradient(
      Workspace workspace, ParameterReplica parameters, Trace trace, float[][] dLatent) {
    float[][] gradient = trace.feedForward.inputGradient(workspace, dLatent);
    for (int i = layers - 1; i >= 0; i--) {
      LstmLayer layer = parameters.lstm(firstLayer + i);
      gradient = layer.inputGradient(workspace, trace.lstm.get(i).trace(), gradient);
    }
    return gradient;
  }
}
