package io.quantail.train;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.CoinChain;
import io.quantail.env.tasks.RewardProcess;
import io.quantail.metrics.MetricRow;
import io.quantail.model.PolicyRunner;
import io.quantail.random.RandomStream;
import io.quantail.testing.SmallRuns;
import io.quantail.value.Critic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Trains with default settings on rewards whose return has a known distribution, and compares the
 * predicted CVaR at 5 % with it.
 */
final class DistributionBars {
  /** Steps of a typical past that brings recurrent states to where they are in training. */
  private static final int PAST = 64;

  private static final int PASTS = 10;

  private DistributionBars() {}

  /** A process with its true CVaR at 5 %, in {@code vectors/distribution.json}. */
  enum Process {
    IID_NORMAL(0.99, new double[] {0}, new double[] {-14.62218340571991}),
    AUTOREGRESSIVE(
        0.99,
        new double[] {-1.5, 0, 1.5},
        new double[] {-66.04470974576115, -53.659388644843716, -41.27406754392628}),
    JUMPS(0.9, new double[] {0}, new double[] {-4.56747461242095}),
    COINS(0.99, new double[] {0}, new double[] {-6.196989796650977});

    private final double gamma;
    private final double[] states;
    private final double[] cvars;

    Process(double gamma, double[] states, double[] cvars) {
      this.gamma = gamma;
      this.states = states;
      this.cvars = cvars;
    }

    EnvironmentFactory factory(double scale) {
      return this == COINS
          ? index -> new CoinChain()
          : index -> new RewardProcess(RewardProcess.Kind.valueOf(name()), scale);
    }

    /** Observations that end in a state; the autoregressive process is reversible in time. */
    private List<float[]> past(double state, RandomStream random) {
      if (this == COINS) {
        float[] start = new float[CoinChain.LENGTH + 1];
        start[0] = 1;
        return List.of(start);
      }
      List<float[]> backwards = new ArrayList<>();
      double value = state;
      for (int i = 0; i < PAST; i++) {
        backwards.add(0, new float[] {this == AUTOREGRESSIVE ? (float) value : 1});
        value = 0.9 * value + 0.4 * random.nextGaussian();
      }
      return backwards;
    }
  }

  /**
   * The outcome of a training.
   *
   * @param ratios predicted over true CVaR of each state, averaged over the last quarter
   * @param calibration metrics {@code train/calibration/*}, averaged over the last quarter
   * @param alerts how many updates raised each alert {@code warn/*}
   */
  record Outcome(
      List<Double> ratios, Map<String, Double> calibration, Map<String, Integer> alerts) {}

  /**
   * Trains on a process.
   *
   * @param scale factor of all rewards
   * @param steps environment steps
   * @param overrides of the default settings
   */
  static Outcome measure(
      Process process, double scale, long seed, long steps, String... overrides) {
    List<String> settings =
        Stream.concat(
                Stream.of(
                    "seed=" + seed,
                    "training.threads=1",
                    "training.steps=" + steps,
                    "rollout.gamma=" + process.gamma),
                Stream.of(overrides))
            .toList();
    RunConfig config = SmallRuns.override(RunConfig.defaults(), settings);
    double[] sums = new double[process.states.length];
    Map<String, List<Double>> calibration = new TreeMap<>();
    Map<String, Integer> alerts = new TreeMap<>();
    int updates = 0;
    try (Trainer trainer = new Trainer(config, process.factory(scale))) {
      while (!trainer.finished()) {
        MetricRow row = trainer.iterate();
        row.values()
            .forEach(
                (name, value) -> {
                  if (name.startsWith("warn/")) {
                    alerts.merge(name, 1, Integer::sum);
                  }
                });
        if (trainer.steps() > 0.75 * steps) {
          updates++;
          for (int i = 0; i < sums.length; i++) {
            sums[i] += cvar(trainer, config, process, i) / scale / process.cvars[i];
          }
          row.values()
              .forEach(
                  (name, value) -> {
                    if (name.startsWith("train/calibration/")) {
                      calibration.computeIfAbsent(name, any -> new ArrayList<>()).add(value);
                    }
                  });
        }
      }
    }
    List<Double> ratios = new ArrayList<>();
    for (double sum : sums) {
      ratios.add(sum / updates);
    }
    Map<String, Double> means = new TreeMap<>();
    calibration.forEach(
        (name, values) ->
            means.put(name, values.stream().mapToDouble(value -> value).average().orElseThrow()));
    return new Outcome(ratios, means, alerts);
  }

  private static double cvar(Trainer trainer, RunConfig config, Process process, int state) {
    double sum = 0;
    Critic critic = trainer.agent().critic();
    RandomStream random = RandomStream.of(5, "past", state);
    for (int i = 0; i < PASTS; i++) {
      PolicyRunner runner = new PolicyRunner(trainer.agent(), 1);
      float[] outputs = {};
      for (float[] observation : process.past(process.states[state], random)) {
        outputs = runner.step(observation).values()[0];
      }
      critic.read(outputs);
      double cvar = critic.cvar(config.risk().alpha(), config.risk().method());
      sum += trainer.returnScale().denormalize(cvar) / PASTS;
    }
    return sum;
  }
}
