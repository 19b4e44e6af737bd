package io.quantail.study.sweep;

import io.quantail.config.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Successive halving: all points are trained for a few steps, and only the best fraction of them
 * continues, rung by rung, to the steps of the settings.
 *
 * <p>With rungs that wait for all their points, decisions depend on scores alone and are the same
 * with any number of threads and on any cluster. With asynchronous promotion a point continues as
 * soon as it is among the best fraction of those that have a score, so that no worker waits; which
 * points have a score by then depends on who is faster, and a repeated study may decide otherwise.
 *
 * <p>See: Li et al., "A system for massively parallel hyperparameter tuning", MLSys 2020,
 * arXiv:1810.05934 (ASHA); Jamieson and Talwalkar, "Non-stochastic best arm identification and
 * hyperparameter optimization", 2016, arXiv:1502.07943. We continue from the snapshot of the rung
 * before.
 *
 * @param reduction one of so many points continues; at least 2
 * @param minimumSteps environment steps of the first rung; 0 for as few as the number of points
 *     allows
 * @param asynchronous whether points are promoted before their rung is complete
 */
public record Halving(int reduction, long minimumSteps, boolean asynchronous) {
  /** Default of {@code reduction}, that of the paper. */
  public static final int REDUCTION = 4;

  public Halving {
    if (reduction < 2) {
      throw new ConfigException(
          String.format(Locale.ROOT, "--reduction must be at least 2, was %d", reduction));
    }
    if (minimumSteps < 0) {
      throw new ConfigException(
          String.format(Locale.ROOT, "--min-steps must be positive, was %d", minimumSteps));
    }
  }

  /**
   * Environment steps at the end of each rung.
   *
   * @param points number of points
   * @param total steps of the last rung
   */
  public List<Long> rungs(int points, long total) {
    long steps = minimumSteps;
    if (steps == 0) {
      steps = total;
      for (long left = points / reduction; left >= 1; left /= reduction) {
        steps = Math.max(1, steps / reduction);
      }
    }
    if (steps >= total) {
      throw new ConfigException(
          String.format(
              Locale.ROOT,
              "--halving needs a first rung of fewer steps than training.steps (%d), was %d; %s",
              total,
              steps,
              minimumSteps == 0
                  ? "give more points with --trials or --grid"
                  : "choose a smaller --min-steps"));
    }
    List<Long> rungs = new ArrayList<>();
    for (long rung = steps; rung < total; rung *= reduction) {
      rungs.add(rung);
    }
    rungs.add(total);
    return List.copyOf(rungs);
  }

  /** Number of points of a rung that continue when all have a score. */
  int kept(int points) {
    return Math.max(1, points / reduction);
  }

  /** How it is written in the directory of a study, where it must not change. */
  public List<String> written() {
    return List.of(
        "reduction " + reduction,
        "minimum steps " + minimumSteps,
        asynchronous ? "asynchronous" : "synchronous");
  }
}
