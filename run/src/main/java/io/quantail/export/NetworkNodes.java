package io.quantail.export;

import io.quantail.export.OnnxGraph.Attribute;
import io.quantail.state.StateArray;
import java.util.ArrayList;
import java.util.List;

/** Adds tensors and affine maps of an agent's network to a graph. */
record NetworkNodes(ExportedAgent agent, OnnxGraph graph) {

  /** {@code x W^T + b} with weight and bias of a layer. */
  String affine(String layer, String x) {
    return product(x, layer + ".weight", layer + ".bias");
  }

  /**
   * {@code x W^T}, or {@code x W^T + b}.
   *
   * @param parameters names of W and b
   */
  String product(String x, String... parameters) {
    List<String> values = new ArrayList<>(List.of(x));
    for (String name : parameters) {
      values.add(parameter(name));
    }
    return graph.node(
        "Gemm", List.of(Attribute.integer("transB", 1)), values.toArray(String[]::new));
  }

  /** Adds a tensor of the network under its own name. */
  String parameter(String name) {
    StateArray tensor = agent.parameter(name);
    return graph.constant(name, tensor.toFloats(), tensor.shape());
  }
}
