package io.quantail.market.split;

import io.quantail.config.Check;
import io.quantail.config.ConfigException;
import java.util.Locale;

/**
 * Folds of a walk-forward evaluation; section {@code market.walkforward}.
 *
 * @param folds number of folds; in [1, 1000]; default 4
 * @param trainBars training bars of each fold, or of the first one if anchored; at least 2, or 0:
 *     half of the data; default 0
 * @param anchored whether training always begins with the first bar; default false: the training
 *     range moves with the fold
 * @param seeds agents to train per fold; in [1, 100]; default 3
 * @param scheme {@code forward}: tests that follow their training; {@code purged}: combinatorial
 *     purged cross-validation; default {@code forward}
 * @param groups number of groups of bars of {@code purged}; in [2, 1000]; default 6
 * @param testGroups number of groups that each fold of {@code purged} tests; at least 1 and less
 *     than {@code groups}; default 2
 */
public record WalkForwardSettings(
    int folds,
    int trainBars,
    boolean anchored,
    int seeds,
    Scheme scheme,
    int groups,
    int testGroups) {

  /** Ways to choose training and test bars. */
  public enum Scheme {
    /** Each test follows its training. */
    FORWARD,
    /** Every choice of groups is tested once, see {@link CombinatorialSplitter}. */
    PURGED
  }

  public WalkForwardSettings {
    Check.within("market.walkforward.folds", folds, 1, 1000);
    Check.atLeast("market.walkforward.trainBars", trainBars, 0);
    Check.within("market.walkforward.seeds", seeds, 1, 100);
    Check.present("market.walkforward.scheme", scheme);
    Check.within("market.walkforward.groups", groups, 2, 1000);
    Check.atLeast("market.walkforward.testGroups", testGroups, 1);
    if (scheme == Scheme.PURGED && testGroups >= groups) {
      throw new ConfigException(
          String.format(
                  Locale.ROOT,
                  "market.walkforward.testGroups must be less than market.walkforward.groups (%d), so that",
                  groups)
              + " bars are left for training, was "
              + testGroups);
    }
  }

  /** The default settings. */
  public static WalkForwardSettings defaults() {
    return new WalkForwardSettings(4, 0, false, 3, Scheme.FORWARD, 6, 2);
  }
}
