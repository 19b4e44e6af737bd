package io.quantail;

import io.quantail.config.RunConfig;
import io.quantail.run.settings.YamlConfig;
import java.util.ArrayList;
import java.util.List;

/** Configurations that train in milliseconds. */
public final class SmallRuns {
  private static final List<String> SMALL =
      List.of(
          "environment.count=4",
          "network.hidden=8",
          "critic.quantiles=5",
          "rollout.steps=16",
          "ppo.batchSize=32",
          "ppo.sequenceLength=8",
          "ppo.epochs=2",
          "training.threads=1",
          "training.steps=10000");

  private SmallRuns() {}

  /** Small settings with overrides such as {@code network.layers=2} on top. */
  public static RunConfig config(String... overrides) {
    List<String> all = new ArrayList<>(SMALL);
    all.addAll(List.of(overrides));
    return YamlConfig.parse("", "small", all);
  }
}
