package io.quantail.audit;

import io.quantail.config.CoefficientSchedule;
import io.quantail.config.RunConfig;
import io.quantail.run.settings.YamlConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Derives short configurations with the same formulas as a given one. */
final class SampleConfig {
  private static final int BLOCKS = 3; // consecutive windows of each environment
  private static final int OWN_WINDOW = 32;
  private static final int TINY_WINDOW = 7; // odd, so that loops over rows have a remainder

  /** Vector loops process eight numbers at a time, tiles of matrix products sixteen columns. */
  private static final int TINY_HIDDEN = 8;

  private static final int TINY_HEAD = 16;
  private static final int TINY_QUANTILES = 8;
  private static final int TINY_ATOMS = 7;
  private static final double TINY_CLIP_RANGE = 0.02;
  private static final int WIDE = 128; // from here on evaluations of the reference network are slow
  private static final int MOST_THREADS = 4;

  private SampleConfig() {}

  /** The settings with some overridden. */
  static RunConfig with(RunConfig config, String... overrides) {
    return YamlConfig.parse(YamlConfig.toYaml(config), "audit", Arrays.asList(overrides));
  }

  /** The same network and critics with few environments and one minibatch. */
  static RunConfig own(RunConfig config) {
    int most = config.network().hidden() > WIDE ? 2 : 4;
    int count = Math.min(config.environment().count(), most);
    int window = Math.min(config.ppo().sequenceLength(), OWN_WINDOW);
    return with(config, sizes(config, count, window, BLOCKS * count).toArray(String[]::new));
  }

  /**
   * A network of eight units below heads of sixteen, which fill the vector loops. Warm-ups are
   * shortened and ranges narrowed, so that every term acts within a few steps.
   */
  static RunConfig tiny(RunConfig config) {
    int count = Math.min(config.environment().count(), 2);
    int window = Math.min(config.ppo().sequenceLength(), TINY_WINDOW);
    List<String> overrides = sizes(config, count, window, BLOCKS);
    overrides.addAll(
        List.of(
            "network.hidden=" + TINY_HIDDEN,
            "network.headUnits=" + TINY_HEAD,
            "network.layers=" + Math.min(config.network().layers(), 2),
            "critic.quantiles=" + TINY_QUANTILES,
            "critic.atoms=" + Math.min(config.critic().atoms(), TINY_ATOMS),
            "critic.clip.range=0.013",
            "critic.clip.warmupUpdates=0",
            "critic.clip.thresholdExplainedVariance=null",
            "ppo.epochs=" + Math.min(config.ppo().epochs(), 2),
            "ppo.clipRange=" + narrowed(config.ppo().clipRange()),
            "optimizer.maxLearningRate=1",
            "optimizer.minLearningRate=0",
            "optimizer.learningRate=0.01",
            "optimizer.vgs.warmupSteps=" + Math.min(config.optimizer().vgs().warmupSteps(), 2),
            "risk.cap=null", // a term at its cap has no gradient
            "risk.multiplier.rate=0.5",
            "risk.penalty.rampUpdates=1",
            "risk.penalty.thresholdExplainedVariance=-1"));
    return with(config, overrides.toArray(String[]::new));
  }

  private static CoefficientSchedule narrowed(CoefficientSchedule clipRange) {
    return new CoefficientSchedule(
        Math.min(clipRange.from(), TINY_CLIP_RANGE),
        Math.min(clipRange.to(), TINY_CLIP_RANGE),
        clipRange.shape());
  }

  /** The configured number of threads, limited; results do not depend on it. */
  private static int threads(RunConfig config) {
    int configured = config.training().threads();
    int wanted = configured == 0 ? Runtime.getRuntime().availableProcessors() : configured;
    return Math.min(wanted, MOST_THREADS);
  }

  private static List<String> sizes(RunConfig config, int count, int window, int batchWindows) {
    return new ArrayList<>(
        List.of(
            "environment.count=" + count,
            "rollout.lanes=" + Math.min(config.rollout().lanes(), count),
            "rollout.steps=" + BLOCKS * window,
            "ppo.sequenceLength=" + window,
            "ppo.batchSize=" + batchWindows * window,
            "ppo.microbatches=" + Math.min(config.ppo().microbatches(), batchWindows),
            "ppo.epochs=1",
            "ppo.kl.earlyStop=false",
            "robust.mode=off", // robust training has its own checks
            "training.threads=" + threads(config)));
  }
}
