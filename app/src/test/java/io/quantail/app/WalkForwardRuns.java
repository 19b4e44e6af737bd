package io.quantail.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Small walk-forward studies for tests. */
final class WalkForwardRuns {
  static final String CONFIG =
      System.getProperty("quantail.root") + "/configs/market/walk-forward.yaml";

  /** A training of a moment. */
  private static final List<String> SMALL =
      List.of(
          "environment.count=4",
          "rollout.steps=32",
          "ppo.sequenceLength=16",
          "ppo.batchSize=64",
          "ppo.epochs=1",
          "network.hidden=8",
          "critic.quantiles=8");

  private WalkForwardRuns() {}

  /** Arguments of the command with some settings. */
  static String[] arguments(Path run, List<String> settings, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("walkforward", CONFIG, "--run", run.toString()));
    SMALL.forEach(setting -> arguments.addAll(List.of("--set", setting)));
    settings.forEach(setting -> arguments.addAll(List.of("--set", setting)));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  /** A result without what differs between directories and ledgers. */
  static JsonNode withoutPaths(JsonNode node) {
    return ((ObjectNode) node.deepCopy()).without(List.of("run", "report", "ledger"));
  }
}
