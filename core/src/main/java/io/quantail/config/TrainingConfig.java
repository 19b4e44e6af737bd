package io.quantail.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Training budget, threads, snapshots and the validation of the agent; section {@code training}.
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
 * @param validationUpdates updates between two validation passes, with one more after the last
 *     update; at least 0; 0: none; default null: on a market as many as keep the passes over the
 *     validation bars below 5 % of the time, elsewhere no passes
 * @param validationEpisodes episodes of a pass where there are no validation bars; at least 1;
 *     default 20
 * @param keep the agent that is evaluated after training: {@code last}, or {@code best-validation},
 *     that of the validation pass with the highest return; default {@code last}
 * @param patience validation passes in a row without a higher return after which the training ends;
 *     at least 1; default null: it does all steps
 */
public record TrainingConfig(
    long steps,
    int threads,
    int snapshotUpdates,
    int maxRefusedUpdates,
    double measuredShare,
    @Nullable Integer validationUpdates,
    int validationEpisodes,
    Keep keep,
    @Nullable Integer patience) {
  public TrainingConfig {
    Check.positive("training.steps", steps);
    Check.atLeast("training.threads", threads, 0);
    Check.atLeast("training.snapshotUpdates", snapshotUpdates, 1);
    Check.atLeast("training.maxRefusedUpdates", maxRefusedUpdates, 0);
    Check.positiveFraction("training.measuredShare", measuredShare);
    if (validationUpdates != null) {
      Check.atLeast("training.validationUpdates", validationUpdates, 0);
    }
    Check.atLeast("training.validationEpisodes", validationEpisodes, 1);
    Check.present("training.keep", keep);
    if (patience != null) {
      Check.atLeast("training.patience", patience, 1);
    }
    if (validationUpdates != null && validationUpdates == 0) {
      requireNoValidation(
          keep, patience, "needs validation passes, and training.validationUpdates is 0");
    }
  }

  /** Agents that a training can keep. */
  public enum Keep {
    /** That of the last update. */
    LAST,
    /** That of the validation pass with the highest return; of equal ones the earlier. */
    BEST_VALIDATION
  }

  public static TrainingConfig defaults() {
    return new TrainingConfig(100_000, 0, 50, 0, 0.0625, null, 20, Keep.LAST, null);
  }

  /**
   * Refuses settings that need validation passes where there are none.
   *
   * @param why verb and reason, to be put after setting and value
   */
  public void requireNoValidation(String why) {
    if (validationUpdates != null && validationUpdates > 0) {
      throw new ConfigException(
          String.format(
              Locale.ROOT,
              "training.validationUpdates %d %s; leave it out",
              validationUpdates,
              why));
    }
    requireNoValidation(keep, patience, why);
  }

  private static void requireNoValidation(Keep keep, @Nullable Integer patience, String why) {
    if (keep == Keep.BEST_VALIDATION) {
      throw new ConfigException(
          "training.keep best-validation %s; set training.keep to last".formatted(why));
    }
    if (patience != null) {
      throw new ConfigException(
          String.format(
              Locale.ROOT,
              "training.patience %d %s; set training.patience to null",
              patience,
              why));
    }
  }
}
