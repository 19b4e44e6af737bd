package io.quantail.config;

import io.quantail.config.Check.Setting;

/**
 * The policy update; section {@code ppo}.
 *
 * @param epochs passes over a rollout; in [1, 100]; default 10
 * @param batchSize transitions per optimiser step; at least 1, a multiple of {@code
 *     sequenceLength}, and a divisor of the transitions of a rollout; default 256
 * @param microbatches microbatches that each batch is split into and that are computed in parallel;
 *     at least 1 and at most one per sequence; changes results, unlike {@code training.threads};
 *     default 2
 * @param sequenceLength steps of the windows that a rollout is split into; at least 1 and a divisor
 *     of {@code rollout.steps}; default 32
 * @param clipRange half-width of the interval around 1 in which the probability ratio is free; in
 *     (0, 1); default 0.2
 * @param clipRangeWarmup clip range of the first update; in (0, 1) and, when there is a warm-up, at
 *     least {@code clipRange}; default 0.2
 * @param clipRangeWarmupUpdates updates over which the clip range moves from {@code
 *     clipRangeWarmup} to {@code clipRange}; at least 0; default 0: no warm-up
 * @param ratioBound how the log-ratio is bounded before exp: {@code hard} or {@code smooth};
 *     default {@code hard}
 * @param kl limits on the KL divergence from the collecting policy
 * @param entropy reward for exploration
 * @param cloning advantage-weighted regression toward own actions
 */
public record PpoConfig(
    int epochs,
    int batchSize,
    int microbatches,
    int sequenceLength,
    double clipRange,
    double clipRangeWarmup,
    int clipRangeWarmupUpdates,
    RatioBound ratioBound,
    KlConfig kl,
    EntropyConfig entropy,
    CloningConfig cloning) {
  public PpoConfig {
    Check.within("ppo.epochs", epochs, 1, 100);
    Check.atLeast("ppo.batchSize", batchSize, 1);
    Check.atLeast("ppo.microbatches", microbatches, 1);
    Check.atLeast("ppo.sequenceLength", sequenceLength, 1);
    Check.insideUnit("ppo.clipRange", clipRange);
    Check.insideUnit("ppo.clipRangeWarmup", clipRangeWarmup);
    Check.atLeast("ppo.clipRangeWarmupUpdates", clipRangeWarmupUpdates, 0);
    // Without a warm-up its value is unused: `--set ppo.clipRange=0.3` alone must stay possible.
    if (clipRangeWarmupUpdates > 0) {
      Check.notBelow(
          new Setting("ppo.clipRangeWarmup", clipRangeWarmup),
          new Setting("ppo.clipRange", clipRange));
    }
    Check.present("ppo.ratioBound", ratioBound);
    Check.present("ppo.kl", kl);
    Check.present("ppo.entropy", entropy);
    Check.present("ppo.cloning", cloning);
  }

  public static PpoConfig defaults() {
    return new PpoConfig(
        10,
        256,
        2,
        32,
        0.2,
        0.2,
        0,
        RatioBound.HARD,
        KlConfig.defaults(),
        EntropyConfig.defaults(),
        CloningConfig.defaults());
  }
}
