package io.quantail.nn;

import io.quantail.kernel.LstmLayer;
import io.quantail.kernel.Packing;
import io.quantail.kernel.SkipLayers;
import java.util.List;

/**
 * What lies between observations and heads: a memory and an MLP.
 *
 * @param slot where the states of this memory begin among those of all memories
 */
record Trunk(Memory memory, Mlp mlp, int slot) {

  /** What a forward pass leaves for the backward pass. */
  record Trace(List<LstmLayer.Trace> memory, SkipLayers.Trace mlp) {

    /** The trunk's output, one row a sample. */
    float[][] latent() {
      return mlp.y();
    }
  }

  Trace forward(
      Parameters.Replica parameters,
      Packing packing,
      float[][] observations,
      RecurrentState initial) {
    List<LstmLayer.Trace> traces = memory.forward(parameters, packing, observations, initial, slot);
    float[][] features = traces.isEmpty() ? observations : traces.get(traces.size() - 1).hidden();
    return new Trace(traces, mlp.layers(parameters).forward(features, packing.rows()));
  }

  /** Adds the gradients of all weights, given that of the latent, which is overwritten. */
  void backward(Parameters.Replica parameters, Trace trace, float[][] dLatent) {
    boolean recurrent = !trace.memory.isEmpty();
    float[][] dFeatures = mlp.layers(parameters).backward(trace.mlp, dLatent, recurrent);
    if (recurrent) {
      memory.backward(parameters, trace.memory, dFeatures);
    }
  }

  /** The gradient of the observations, given that of the latent, which is overwritten. */
  float[][] inputGradient(Parameters.Replica parameters, Trace trace, float[][] dLatent) {
    float[][] dFeatures = mlp.layers(parameters).inputGradient(trace.mlp, dLatent);
    return trace.memory.isEmpty()
        ? dFeatures
        : memory.inputGradient(parameters, trace.memory, dFeatures);
  }
}
