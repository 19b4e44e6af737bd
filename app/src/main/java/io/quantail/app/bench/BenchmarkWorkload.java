package io.quantail.app.bench;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.env.tasks.CartPole;
import io.quantail.run.settings.YamlConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Workloads of the benchmark, the same as for other libraries; see {@code
 * docs/internals/performance.md}.
 */
public enum BenchmarkWorkload {
  /** CartPole with an LSTM of 64 units for actor and critic each. */
  CARTPOLE_LSTM(
      "environment.count=8",
      "rollout.steps=128",
      "ppo.batchSize=256",
      "ppo.epochs=10",
      "network.headLayers=1",
      "network.headUnits=64",
      "network.hidden=64"),
  /**
   * 64 features, one continuous action, a shared LSTM of 64 units, twin critics of 32 quantiles.
   */
  TRADING_64(market(16, 64)),
  /** The same with an LSTM of 128 units. */
  TRADING_128(market(16, 128)),
  /** The same as {@link #TRADING_64} with 256 environments. */
  WIDE(market(256, 64)),
  /** The same as {@link #TRADING_64} with an LSTM of 256 units. */
  DEEP(market(16, 256)),
  /** The same as {@link #TRADING_64} without memory: one layer of 64 units below the heads. */
  MEMORYLESS_64(memoryless(64)),
  /** The same with a layer of 128 units. */
  MEMORYLESS_128(memoryless(128));

  private static final int FEATURES = 64;
  private static final int EPISODE = 256;
  private static final int CART_POLE_LIMIT = 500;

  private final List<String> settings;

  BenchmarkWorkload(String... settings) {
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

  private static String[] memoryless(int units) {
    List<String> settings = new ArrayList<>(List.of(market(16, units)));
    settings.add("network.memory=none");
    settings.add("network.headUnits=" + units);
    return settings.toArray(String[]::new);
  }

  /** Name on the command line. */
  String written() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Finds a workload by its name on the command line. */
  public static BenchmarkWorkload named(String name) {
    return Arrays.stream(values())
        .filter(workload -> workload.written().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown workload %s; known workloads: %s"
                        .formatted(
                            name,
                            Arrays.stream(values())
                                .map(BenchmarkWorkload::written)
                                .collect(Collectors.joining(", ")))));
  }

  /** The settings of the workload with overrides. */
  public RunConfig config(int threads, List<String> overrides) {
    List<String> all = new ArrayList<>(settings);
    all.add("training.threads=" + threads);
    all.addAll(overrides);
    return YamlConfig.parse("{}", written(), all);
  }

  /** The environments of the workload. */
  public EnvironmentFactory environments() {
    return this == CARTPOLE_LSTM
        ? index -> new TimeLimitWrapper(new CartPole(), CART_POLE_LIMIT)
        : index -> new BenchmarkMarket(FEATURES, EPISODE);
  }
}
