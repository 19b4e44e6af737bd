package io.quantail.export;

import io.quantail.config.NetworkConfig;
import io.quantail.config.NetworkConfig.Memory;
import io.quantail.export.OnnxGraph.Attribute;
import io.quantail.export.OnnxGraph.ElementType;
import io.quantail.model.ObservationNormalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The forward pass of an agent as an ONNX graph: normaliser, LSTM layers, feed-forward layers, and
 * above them {@link PolicyGraph} and {@link ForecastGraph}.
 *
 * <p>Weights keep the names and the layout that they have in snapshots.
 */
final class AgentGraph {
  private final ExportedAgent agent;
  private final NetworkConfig network;
  private final OnnxGraph graph = new OnnxGraph();
  private final NetworkNodes nodes;
  private final List<String> hidden = new ArrayList<>(); // after the step, by layer
  private final List<String> cell = new ArrayList<>();

  AgentGraph(ExportedAgent agent) {
    this.agent = agent;
    this.network = agent.config().network();
    this.nodes = new NetworkNodes(agent, graph);
  }

  OnnxGraph build() {
    String observation =
        graph.input("observation", ElementType.FLOAT, "batch", agent.observationSize());
    boolean recurrent = network.memory() == Memory.LSTM;
    int slots = network.layers() * (network.sharedMemory() ? 1 : 2);
    if (recurrent) {
      graph.input("hidden_in", ElementType.FLOAT, slots, "batch", network.hidden());
      graph.input("cell_in", ElementType.FLOAT, slots, "batch", network.hidden());
    }
    String x = normalized(observation);
    String actor = trunk(network.sharedMemory() ? "shared" : "actor", x);
    new PolicyGraph(agent, nodes).add(actor);
    new ForecastGraph(agent, nodes).add(network.sharedMemory() ? actor : trunk("critic", x));
    if (recurrent) {
      graph.indices("first_axis", 0);
      graph.output("hidden_out", stacked(hidden), slots, "batch", network.hidden());
      graph.output("cell_out", stacked(cell), slots, "batch", network.hidden());
    }
    return graph;
  }

  /**
   * {@code clip((x - mean) / deviation)} in float32. The mean is the sum of two floats, so that the
   * difference of two large numbers keeps the digits that it has in double precision. Raw numbers
   * have the mean 0, the deviation 1 and no bounds.
   */
  private String normalized(String observation) {
    if (!agent.config().environment().normalizeObservations()) {
      return observation;
    }
    boolean[] raw = agent.spaces().observations().raw();
    double[] mean = agent.statistics("mean");
    double[] deviation = agent.statistics("variance");
    double[] bound = new double[raw.length];
    for (int i = 0; i < raw.length; i++) {
      mean[i] = raw[i] ? 0 : mean[i];
      deviation[i] = raw[i] ? 1 : ObservationNormalizer.deviation(deviation[i]);
      bound[i] = raw[i] ? Double.POSITIVE_INFINITY : agent.config().environment().observationClip();
    }
    double[] rest = Arrays.stream(mean).map(value -> value - (float) value).toArray();
    double[] negative = Arrays.stream(bound).map(value -> -value).toArray();
    String distance = graph.node("Sub", observation, graph.constant("normalizer.mean", mean));
    distance = graph.node("Sub", distance, graph.constant("normalizer.mean_rest", rest));
    String scaled = graph.node("Div", distance, graph.constant("normalizer.deviation", deviation));
    String least = graph.node("Max", scaled, graph.constant("normalizer.low", negative));
    return graph.node("Min", least, graph.constant("normalizer.high", bound));
  }

  private String trunk(String name, String x) {
    String y = x;
    for (int layer = 0; network.memory() == Memory.LSTM && layer < network.layers(); layer++) {
      y = lstm(name + ".lstm." + layer, y);
    }
    String first = activated(nodes.affine(name + ".mlp.first", y));
    if (network.headLayers() == 1) {
      return first;
    }
    String second = activated(nodes.affine(name + ".mlp.second", first));
    return graph.node("Add", second, nodes.product(y, name + ".mlp.skip.weight"));
  }

  /** Gates in the order input, forget, cell, output. */
  private String lstm(String name, String x) {
    int slot = hidden.size();
    String index = graph.index(slot);
    List<Attribute> first = List.of(Attribute.integer("axis", 0));
    String previousHidden = graph.node("Gather", first, "hidden_in", index);
    String previousCell = graph.node("Gather", first, "cell_in", index);
    String sums =
        graph.node(
            "Add",
            nodes.product(x, name + ".weight_ih", name + ".bias_ih"),
            nodes.product(previousHidden, name + ".weight_hh", name + ".bias_hh"));
    int width = network.hidden();
    List<String> gates = graph.split(sums, width, width, width, width);
    String in = graph.node("Sigmoid", gates.get(0));
    String forget = graph.node("Sigmoid", gates.get(1));
    String candidate = graph.node("Tanh", gates.get(2));
    String out = graph.node("Sigmoid", gates.get(3));
    String next =
        graph.node(
            "Add", graph.node("Mul", forget, previousCell), graph.node("Mul", in, candidate));
    String y = graph.node("Mul", out, graph.node("Tanh", next));
    cell.add(next);
    hidden.add(y);
    return y;
  }

  private String stacked(List<String> planes) {
    return graph.joined(
        planes.stream().map(plane -> graph.node("Unsqueeze", plane, "first_axis")).toList(), 0);
  }

  private String activated(String x) {
    return switch (network.activation()) {
      case SILU -> graph.node("Mul", x, graph.node("Sigmoid", x));
      case RELU -> graph.node("Relu", x);
      case TANH -> graph.node("Tanh", x);
      case LEAKY_RELU -> graph.node("LeakyRelu", List.of(Attribute.number("alpha", 0.01)), x);
      case ELU -> graph.node("Elu", x);
      case GELU -> gelu(x);
    };
  }

  /** {@code x (1 + erf(x / sqrt 2)) / 2}. */
  private String gelu(String x) {
    String error = graph.node("Erf", graph.node("Mul", x, graph.number(Math.sqrt(0.5))));
    String half = graph.node("Mul", x, graph.number(0.5));
    return graph.node("Mul", half, graph.node("Add", error, graph.number(1)));
  }
}
