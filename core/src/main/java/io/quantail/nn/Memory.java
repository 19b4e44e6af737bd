package io.quantail.nn;

import io.quantail.tensor.Layers;
import io.quantail.tensor.Layers.LstmResult;
import io.quantail.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * An LSTM of one or more layers.
 *
 * <p>{@link #step} moves every environment by one observation with the cell operator, {@link
 * #sequence} evaluates whole sequences in one fused call; both give the same numbers to rounding
 * ({@code ActorCriticTest}).
 *
 * <p>See: Hochreiter, Schmidhuber, "Long short-term memory", Neural Computation 9(8), 1997.
 */
record Memory(List<int[]> layers) {

  static Memory declare(
      Parameters.Builder builder, String name, int inputs, int width, int layerCount) {
    List<int[]> layers = new ArrayList<>();
    for (int layer = 0; layer < layerCount; layer++) {
      String prefix = name + "." + layer;
      int layerInputs = layer == 0 ? inputs : width;
      layers.add(
          new int[] {
            builder.add(prefix + ".weight_ih", Initializer.uniform(width), 4L * width, layerInputs),
            builder.add(prefix + ".weight_hh", Initializer.uniform(width), 4L * width, width),
            builder.add(prefix + ".bias_ih", Initializer.constant(0), 4L * width),
            builder.add(prefix + ".bias_hh", Initializer.constant(0), 4L * width)
          });
    }
    return new Memory(List.copyOf(layers));
  }

  /** One step; {@code state} holds this memory's layers only. */
  LstmResult step(Parameters.Replica parameters, Tensor x, RecurrentState state) {
    List<Tensor> hidden = new ArrayList<>();
    List<Tensor> cell = new ArrayList<>();
    Tensor input = x;
    for (int layer = 0; layer < layers.size(); layer++) {
      LstmResult next =
          Layers.lstmCell(
              input,
              state.hidden().select(0, layer),
              state.cell().select(0, layer),
              weights(parameters, layer));
      hidden.add(next.hidden());
      cell.add(next.cell());
      input = next.output();
    }
    return new LstmResult(input, Tensor.stack(hidden, 0), Tensor.stack(cell, 0));
  }

  /** Whole sequences: {@code x} is [time, sequence, input]. */
  LstmResult sequence(Parameters.Replica parameters, Tensor x, RecurrentState initial) {
    List<Tensor> weights = new ArrayList<>();
    for (int layer = 0; layer < layers.size(); layer++) {
      weights.addAll(weights(parameters, layer));
    }
    return Layers.lstm(x, initial.hidden(), initial.cell(), weights);
  }

  private List<Tensor> weights(Parameters.Replica parameters, int layer) {
    List<Tensor> weights = new ArrayList<>(4);
    for (int slot : layers.get(layer)) {
      weights.add(parameters.get(slot));
    }
    return weights;
  }
}
