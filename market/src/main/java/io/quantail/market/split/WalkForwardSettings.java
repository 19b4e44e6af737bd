package io.quantail.market.split;

import io.quantail.config.Check;

/**
 * Folds of a walk-forward evaluation; section {@code market.walkforward}.
 *
 * @param folds number of folds; in [1, 1000]; default 4
 * @param trainBars training bars of each fold, or of the first one if anchored; at least 2, or 0:
 *     half of the data; default 0
 * @param anchored whether training always begins with the first bar; default false: the training
 *     range moves with the fold
 * @param seeds agents to train per fold; in [1, 100]; default 3
 */
public record WalkForwardSettings(int folds, int trainBars, boolean anchored, int seeds) {
  public WalkForwardSettings {
    Check.within("market.walkforward.folds", folds, 1, 1000);
    Check.atLeast("market.walkforward.trainBars", trainBars, 0);
    Check.within("market.walkforward.seeds", seeds, 1, 100);
  }

  /** The default settings. */
  public static WalkForwardSettings defaults() {
    return new WalkForwardSettings(4, 0, false, 3);
  }
}
