package io.quantail.config;

/**
 * How long and with how much of the machine to train; section {@code training}.
 *
 * @param steps environment steps over all environments; positive; default 100000
 * @param threads worker threads; at least 0; default 0: all cores; does not change results
 */
public record TrainingConfig(long steps, int threads) {
  public TrainingConfig {
    Check.positive("training.steps", steps);
    Check.atLeast("training.threads", threads, 0);
  }

  public static TrainingConfig defaults() {
    return new TrainingConfig(100_000, 0);
  }
}
