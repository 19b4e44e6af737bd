package io.quantail.export;

import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import io.quantail.export.OnnxGraph.Attribute;
import io.quantail.export.OnnxGraph.ElementType;
import io.quantail.network.DeviationBounds;
import io.quantail.network.Squashing;
import java.util.ArrayList;
import java.util.List;

/**
 * The action head: the policy's distribution and the most likely action as the environment takes
 * it.
 *
 * <p>Choices that the mask forbids have probability 0; where all are forbidden the probabilities
 * are NaN.
 */
final class PolicyGraph {
  private static final List<Attribute> LAST_AXIS = List.of(Attribute.integer("axis", -1));

  private final ExportedAgent agent;
  private final NetworkConfig network;
  private final NetworkNodes nodes;
  private final OnnxGraph graph;
  private final List<String> actions = new ArrayList<>(); // of the parts, [batch, number]
  private final List<String> probabilities = new ArrayList<>();
  private final List<String> means = new ArrayList<>();

  PolicyGraph(ExportedAgent agent, NetworkNodes nodes) {
    this.agent = agent;
    this.network = agent.config().network();
    this.nodes = nodes;
    this.graph = nodes.graph();
  }

  /** Adds the outputs, given the actor's last hidden layer. */
  void add(String latent) {
    List<ActionSpace> parts = agent.actionSpace().parts();
    List<ActionSpace.Discrete> choices =
        parts.stream()
            .filter(ActionSpace.Discrete.class::isInstance)
            .map(ActionSpace.Discrete.class::cast)
            .toList();
    long[] counts = choices.stream().mapToLong(ActionSpace.Discrete::count).toArray();
    int allChoices = choices.stream().mapToInt(ActionSpace.Discrete::count).sum();
    List<String> masks =
        choices.isEmpty()
            ? List.of()
            : graph.split(graph.input("mask", ElementType.BOOL, "batch", allChoices), counts);
    List<String> outputs =
        graph.split(
            nodes.affine("actor.head", latent),
            parts.stream().mapToLong(PolicyGraph::outputs).toArray());
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) instanceof ActionSpace.Box box) {
        addNumbers(box, outputs.get(i));
      } else {
        addChoice(masks.get(probabilities.size()), outputs.get(i));
      }
    }
    graph.output("action", graph.joined(actions, -1), "batch", agent.actionSpace().size());
    if (!probabilities.isEmpty()) {
      graph.output("action_probabilities", graph.joined(probabilities, -1), "batch", allChoices);
    }
    if (!means.isEmpty()) {
      int numbers = agent.actionSpace().size() - choices.size();
      String mean = graph.joined(means, -1);
      graph.output("action_mean", mean, "batch", numbers);
      graph.output("action_sigma", sigma(mean, latent), "batch", numbers);
    }
  }

  private static long outputs(ActionSpace part) {
    return part instanceof ActionSpace.Discrete discrete ? discrete.count() : part.size();
  }

  private void addChoice(String mask, String logits) {
    String allowed = graph.node("Where", mask, logits, graph.number(Double.NEGATIVE_INFINITY));
    String softmax = graph.node("Softmax", LAST_AXIS, allowed);
    probabilities.add(softmax);
    String index = graph.node("ArgMax", LAST_AXIS, allowed);
    actions.add(
        graph.node("Cast", List.of(Attribute.integer("to", ElementType.FLOAT.code())), index));
  }

  private void addNumbers(ActionSpace.Box box, String mean) {
    means.add(mean);
    String low = graph.constant("action.low_" + actions.size(), box.low(), box.size());
    String high = graph.constant("action.high_" + actions.size(), box.high(), box.size());
    String share = share(Squashing.of(network.squash(), box), mean);
    String rest = graph.node("Sub", graph.number(1), share);
    String action = graph.node("Add", graph.node("Mul", rest, low), graph.node("Mul", share, high));
    actions.add(graph.node("Max", graph.node("Min", action, high), low));
  }

  /** Where between the bounds a raw action lies: 0 for the lower one and 1 for the upper one. */
  private String share(Squashing squashing, String raw) {
    return switch (squashing) {
      case SIGMOID -> graph.node("Sigmoid", raw);
      case TANH -> halfOfSum(graph.node("Tanh", raw));
      case NONE -> halfOfSum(raw);
    };
  }

  /** {@code (x + 1) / 2}. */
  private String halfOfSum(String x) {
    String half = graph.number(0.5);
    return graph.node("Add", graph.node("Mul", x, half), half);
  }

  /** The standard deviations of raw actions, [batch, number]. */
  private String sigma(String mean, String features) {
    if (network.exploration() == NetworkConfig.Exploration.GSDE) {
      return stateDependentSigma(features);
    }
    String share = graph.node("Sigmoid", nodes.parameter("actor.sigma"));
    String range = graph.number(network.sigmaMax() - network.sigmaMin());
    String sigma =
        graph.node("Add", graph.node("Mul", share, range), graph.number(network.sigmaMin()));
    return graph.node("Expand", sigma, graph.node("Shape", mean));
  }

  private String stateDependentSigma(String features) {
    String twice = graph.node("Mul", nodes.parameter("actor.log_sigma"), graph.number(2));
    String squares = graph.node("Mul", features, features);
    String variance = graph.node("MatMul", squares, graph.node("Exp", twice));
    return bounded(graph.node("Sqrt", variance));
  }

  /** {@link DeviationBounds}. */
  private String bounded(String deviation) {
    DeviationBounds bounds = new DeviationBounds(network.sigmaMin(), network.sigmaMax());
    String low = graph.number(bounds.lowKnee());
    String high = graph.number(bounds.highKnee());
    String below = decay(graph.node("Sub", deviation, low), bounds.lowWidth());
    String above = decay(graph.node("Sub", high, deviation), bounds.highWidth());
    String lower = graph.node("Add", graph.number(network.sigmaMin()), below);
    String upper = graph.node("Sub", graph.number(network.sigmaMax()), above);
    String inside = graph.node("Where", graph.node("Less", high, deviation), upper, deviation);
    return graph.node("Where", graph.node("Less", deviation, low), lower, inside);
  }

  /** {@code width exp(distance / width)} for distances up to 0. */
  private String decay(String distance, double width) {
    String scale = graph.number(width);
    String negative = graph.node("Min", distance, graph.number(0));
    return graph.node("Mul", graph.node("Exp", graph.node("Div", negative, scale)), scale);
  }
}
