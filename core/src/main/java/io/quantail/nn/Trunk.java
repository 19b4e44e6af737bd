package io.quantail.nn;

import io.quantail.kernel.FeedForward;
import io.quantail.kernel.LstmLayer;
import io.quantail.kernel.Packing;
import io.quantail.kernel.Workspace;
import java.util.List;

/**
 * What lies between observations and heads: a memory and an MLP.
 *
 * @param slot where the states of this memory begin among those of all memories
 */
record Trunk(Memory memory, Mlp mlp, int slot) {

  /** What a forward pass leaves for the backward pass. */
  record Trace(List<LstmLayer.Trace> memory, FeedForward.Trace mlp) {

    /** The trunk's output, one row a sample. */
    float[][] latent() {
      return mlp.y();
    }
  }

  Trace forward(
      Workspace workspace,
      Parameters.Replica parameters,
      Packing packing,
      float[][] observations,
      RecurrentState initial) {
    List<LstmLayer.Trace> traces =
        memory.forward(workspace, parameters, packing, observations, initial, slot);
    float[][] features = traces.isEmpty() ? observations : traces.get(traces.size() - 1).hidden();
    return new Trace(traces, mlp.layers(parameters).forward(workspace, features, packing.rows()));
  }

  /** Adds the gradients of all weights, given that of the latent, which is overwritten. */
  void backward(
      Workspace workspace, Parameters.Replica parameters, Trace trace, float[][] dLatent) {
    boolean recurrent = !trace.memory.isEmpty();
    float[][] dFeatures = trace.mlp.backward(workspace, dLatent, recurrent);
    if (recurrent) {
      memory.backward(workspace, parameters, trace.memory, dFeatures);
    }
  }

  /** The gradient of the observations, given that of the latent, which is overwritten. */
  float[][] inputGradient(
      Workspace workspace, Parameters.Replica parameters, Trace trace, float[][] dLatent) {
    float[][] dFeatures = trace.mlp.inputGradient(workspace, dLatent);
    return trace.memory.isEmpty()
        ? dFeatures
        : memory.inputGradient(workspace, parameters, trace.memory, dFeatures);
  }
}
