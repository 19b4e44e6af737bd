package io.quantail.market.split;

import io.quantail.market.data.DataException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Divides bars into walk-forward folds. The test ranges follow each other and together cover all
 * bars after the first training range; each comes after the training bars of its fold.
 *
 * <p>Training ends {@code purge} bars before the border, the test begins {@code embargo} bars after
 * it. See: López de Prado, "Advances in Financial Machine Learning", 2018, chapter 7. Tested by
 * {@code BarSplitterTest}.
 */
public final class WalkForwardSplitter {
  private static final int FEWEST = 2;

  private WalkForwardSplitter() {}

  /**
   * Returns the folds in order of time.
   *
   * @param bars number of bars
   * @param purge bars omitted before each border
   * @param embargo bars omitted after each border
   * @throws DataException if a fold has fewer than two bars to train or to test
   */
  public static List<BarSplit> folds(
      int bars, WalkForwardSettings settings, int purge, int embargo) {
    int train = settings.trainBars() == 0 ? bars / 2 : settings.trainBars();
    int testable = bars - train;
    int count = settings.folds();
    if (train - purge < FEWEST || testable / count - embargo < FEWEST) {
      throw new DataException(
          String.format(
                  Locale.ROOT,
                  "%d bars do not make %d folds with %d training bars, %d purged and %d embargoed: each",
                  bars,
                  count,
                  train,
                  purge,
                  embargo)
              + " fold needs at least 2 bars to train and 2 to test; use fewer folds"
              + " (market.walkforward.folds) or more bars");
    }
    List<BarSplit> folds = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      // Borders are fractions of the whole, so that rounding loses no bars.
      int border = train + (int) ((long) testable * k / count);
      int end = train + (int) ((long) testable * (k + 1) / count);
      int from = settings.anchored() ? 0 : border - train;
      BarRange training = new BarRange(from, border - purge);
      BarRange none = new BarRange(training.to(), training.to());
      folds.add(new BarSplit(training, none, new BarRange(border + embargo, end)));
    }
    return folds;
  }
}
