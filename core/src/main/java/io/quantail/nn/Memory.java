package io.quantail.nn;

import io.quantail.kernel.LstmLayer;
import io.quantail.kernel.Packing;
import io.quantail.kernel.Workspace;
import java.util.ArrayList;
import java.util.List;

/**
 * An LSTM of one or more layers; none at all passes its input on.
 *
 * @param layers for each layer the map of its input and its hidden state
 */
record Memory(List<Integer> layers) {

  static final Memory NONE = new Memory(List.of());

  static Memory declare(
      Parameters.Builder builder, String name, int inputs, int width, int layerCount) {
    List<Integer> layers = new ArrayList<>();
    for (int layer = 0; layer < layerCount; layer++) {
      String prefix = name + "." + layer;
      Initializer weights = Initializer.uniform(width);
      Initializer zero = Initializer.constant(0);
      int inputWeight =
          builder.add(prefix + ".weight_ih", weights, 4L * width, layer == 0 ? inputs : width);
      int recurrentWeight = builder.add(prefix + ".weight_hh", weights, 4L * width, width);
      int inputBias = builder.add(prefix + ".bias_ih", zero, 4L * width);
      int recurrentBias = builder.add(prefix + ".bias_hh", zero, 4L * width);
      layers.add(
          builder.affineOf(
              List.of(
                  List.of(new Linear(inputWeight, inputBias)),
                  List.of(new Linear(recurrentWeight, recurrentBias)))));
    }
    return new Memory(List.copyOf(layers));
  }

  /**
   * Walks through sequences.
   *
   * @param initial the states of all memories
   * @param slot where the states of this memory begin
   */
  List<LstmLayer.Trace> forward(
      Workspace workspace,
      Parameters.Replica parameters,
      Packing packing,
      float[][] observations,
      RecurrentState initial,
      int slot) {
    List<LstmLayer.Trace> traces = new ArrayList<>();
    float[][] x = observations;
    for (int i = 0; i < layers.size(); i++) {
      LstmLayer.Trace trace =
          layer(parameters, i)
              .forward(workspace, packing, x, initial.hidden()[slot + i], initial.cell()[slot + i]);
      traces.add(trace);
      x = trace.hidden();
    }
    return traces;
  }

  /** Adds the gradients of all layers; the observations need none. */
  void backward(
      Workspace workspace,
      Parameters.Replica parameters,
      List<LstmLayer.Trace> traces,
      float[][] dHidden) {
    float[][] gradient = dHidden;
    for (int i = layers.size() - 1; i >= 0; i--) {
      gradient = layer(parameters, i).backward(workspace, traces.get(i), gradient, i > 0);
    }
  }

  /** The gradient of the observations alone; those of the weights stay as they are. */
  float[][] inputGradient(
      Workspace workspace,
      Parameters.Replica parameters,
      List<LstmLayer.Trace> traces,
      float[][] dHidden) {
    float[][] gradient = dHidden;
    for (int i = layers.size() - 1; i >= 0; i--) {
      gradient = layer(parameters, i).inputGradient(workspace, traces.get(i), gradient);
    }
    return gradient;
  }

  private LstmLayer layer(Parameters.Replica parameters, int index) {
    return new LstmLayer(parameters.affine(layers.get(index)));
  }
}
