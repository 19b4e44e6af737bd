package io.quantail.config;

/**
 * Training budget, threads and snapshots; section {@code training}.
 *
 * @param steps environment steps over all environments; positive; default 100000
 * @param threads worker threads; at least 0; default 0: all cores; does not change results
 * @param snapshotUpdates updates between two snapshots; at least 1; default 50; does not change
 *     results
 * @param maxRefusedUpdates updates in a row that may change nothing because no loss or gradient was
 *     finite; one more ends the run; at least 0; default 0
 * @param measuredShare fraction of a rollout's windows on which the updated network is measured for
 *     the metrics, though not less than 256 steps; in (0, 1]; default 0.0625; all of them where a
 *     prediction controls training; does not change results
 */
public record TrainingConfig(
    long steps, int threads, int snapshotUpdates, int maxRefusedUpdates, double measuredShare) {
  public TrainingConfig {
    Check.positive("training.steps", steps);
    Check.atLeast("training.threads", threads, 0);
    Check.atLeast("training.snapshotUpdates", snapshotUpdates, 1);
    Check.atLeast("training.maxRefusedUpdates", maxRefusedUpdates, 0);
    Check.positiveFraction("training.measuredShare", measuredShare);
  }

  public static TrainingConfig defaults() {
    return new TrainingConfig(100_000, 0, 50, 0, 0.0625);
  }
}
