package io.quantail.export;

import io.quantail.config.CriticConfig;
import io.quantail.config.RiskConfig.CvarMethod;
import io.quantail.export.OnnxGraph.Attribute;
import io.quantail.value.AtomSupport;
import io.quantail.value.Critic;
import io.quantail.value.Cvar;
import java.util.ArrayList;
import java.util.List;

/**
 * The critics' heads: the distribution of the critic with the lowest mean, in units of the reward.
 */
final class ForecastGraph {
  private static final List<Attribute> LAST_AXIS = List.of(Attribute.integer("axis", -1));

  private final ExportedAgent agent;
  private final CriticConfig config;
  private final NetworkNodes nodes;
  private final OnnxGraph graph;
  private final int points;

  /**
   * What one critic predicts, in normalised units.
   *
   * @param points quantiles or logits of atoms, [batch, point]
   * @param mean [batch, 1]
   */
  private record Prediction(String points, String mean) {}

  ForecastGraph(ExportedAgent agent, NetworkNodes nodes) {
    this.agent = agent;
    this.config = agent.config().critic();
    this.nodes = nodes;
    this.graph = nodes.graph();
    this.points = Critic.of(config).points();
  }

  /** Adds the outputs, given the critics' last hidden layer. */
  void add(String latent) {
    if (config.type() == CriticConfig.Type.CATEGORICAL) {
      graph.constant("critic.atoms", support().atoms());
      graph.column("critic.atoms_column", support().atoms());
    }
    Prediction lowest = lowest(latent);
    String mean = graph.node("Squeeze", lowest.mean, graph.indices("last_axis", -1));
    graph.output("return_mean", denormalized(mean), "batch");
    if (config.type() == CriticConfig.Type.CATEGORICAL) {
      String probabilities = graph.node("Softmax", LAST_AXIS, lowest.points);
      graph.output("return_probabilities", probabilities, "batch", points);
      graph.output("return_atoms", denormalized("critic.atoms"), points);
    } else {
      graph.output("return_quantiles", denormalized(quantiles(lowest)), "batch", points);
    }
  }

  private Prediction lowest(String latent) {
    List<Prediction> critics = new ArrayList<>();
    for (int head = 1; head <= (config.twin() ? 2 : 1); head++) {
      critics.add(prediction(latent, head));
    }
    Prediction lowest = critics.get(0);
    for (Prediction other : critics.subList(1, critics.size())) {
      String lower = graph.node("Less", other.mean, lowest.mean);
      lowest =
          new Prediction(
              graph.node("Where", lower, other.points, lowest.points),
              graph.node("Where", lower, other.mean, lowest.mean));
    }
    return lowest;
  }

  private Prediction prediction(String latent, int head) {
    String outputs = nodes.affine("critic.head" + head, latent);
    if (config.type() == CriticConfig.Type.CATEGORICAL) {
      String probabilities = graph.node("Softmax", LAST_AXIS, outputs);
      return new Prediction(outputs, graph.node("MatMul", probabilities, "critic.atoms_column"));
    }
    return new Prediction(
        outputs,
        Critic.of(config).hasMeanHead()
            ? nodes.affine("critic.mean" + head, latent)
            : graph.node("ReduceMean", List.of(Attribute.integers("axes", -1)), outputs));
  }

  private AtomSupport support() {
    return new AtomSupport(-config.support(), config.support(), config.atoms());
  }

  /** The sorted quantiles, moved so that the distribution with its tails has the mean. */
  private String quantiles(Prediction critic) {
    String sorted = graph.sorted(critic.points, points);
    double[] weights = Cvar.weights(points, 1, CvarMethod.TAILS);
    String tailMean = graph.node("MatMul", sorted, graph.column("critic.mean_weights", weights));
    return graph.node("Add", sorted, graph.node("Sub", critic.mean, tailMean));
  }

  private String denormalized(String value) {
    String scaled = graph.node("Mul", value, graph.number(agent.scale().std()));
    return graph.node("Add", scaled, graph.number(agent.scale().mean()));
  }
}
