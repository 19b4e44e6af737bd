package io.quantail.app.bench;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.TimeLimit;
import io.quantail.env.classic.CartPole;
import io.quantail.run.settings.YamlConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Whole trainings that are timed, the same as the peers do; see {@code docs/performance.md}. */
public enum Workload {
  /** CartPole with a memory of 64 for actor and critic each. */
  CARTPOLE_LSTM(
      "environment.count=8",
      "rollout.steps=128",
      "ppo.batchSize=256",
      "ppo.epochs=10",
      "network.headLayers=1",
      "network.headUnits=64",
      "network.hidden=64"),
  /** 64 features, one continuous action, a shared memory of 64, twin critics of 32 quantiles. */
  TRADING_64(market(16, 64)),
  /** The same with a memory of 128. */
  TRADING_128(market(16, 128)),
  /** The same as the first with 256 environments. */
  WIDE(market(256, 64)),
  /** The same with a memory of 256. */
  DEEP(market(16, 256));

  private static final int FEATURES = 64;
  private static final int EPISODE = 256;
  private static final int CART_POLE_LIMIT = 500;

  private final List<String> settings;

  Workload(String... settings) {
    this.settings = List.of(settings);
  }

  private static String[] market(int environments, int hidden) {
    return new String[] {
      "environment.name=synthetic-market",
      "environment.count=" + environments,
      "rollout.steps=128",
      "ppo.batchSize=512",
      "ppo.epochs=4",
      "network.headLayers=1",
      "network.headUnits=64",
      "network.sharedMemory=true",
      "network.hidden=" + hidden
    };
  }

  /** As it is written on the command line. */
  public String written() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The workload of a name. */
  public static Workload named(String name) {
    return Arrays.stream(values())
        .filter(workload -> workload.written().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no workload %s; there are %s"
                        .formatted(
                            name,
                            Arrays.stream(values())
                                .map(Workload::written)
                                .collect(Collectors.joining(", ")))));
  }

  /** The settings, with others on top. */
  public RunConfig config(int threads, List<String> overrides) {
    List<String> all = new ArrayList<>(settings);
    all.add("training.threads=" + threads);
    all.addAll(overrides);
    return YamlConfig.parse("{}", written(), all);
  }

  /** What is trained in. */
  public EnvironmentFactory environments() {
    return this == CARTPOLE_LSTM
        ? index -> new TimeLimit(new CartPole(), CART_POLE_LIMIT)
        : index -> new SyntheticMarket(FEATURES, EPISODE);
  }
}
