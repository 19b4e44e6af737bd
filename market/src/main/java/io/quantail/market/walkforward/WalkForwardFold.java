package io.quantail.market.walkforward;

import io.quantail.market.MarketConfig;
import io.quantail.market.data.Bars;
import io.quantail.market.split.BarRange;
import io.quantail.market.split.BarSplit;
import io.quantail.market.split.CommonTimes;
import io.quantail.market.split.WalkForwardSplitter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A fold as ranges of time, which are the same for every symbol and fit the settings {@code
 * market.split.trainDates} and {@code testDates} of a run.
 *
 * @param number from 1 on
 * @param train {@code FROM/TO}, first and last close of the training bars
 * @param test the same of the test bars
 */
public record WalkForwardFold(int number, String train, String test) implements Fold {

  /**
   * The folds of {@code market.walkforward} with {@code market.split.purgeBars} and {@code
   * embargoBars}, counted in bars that all symbols have.
   */
  public static List<WalkForwardFold> of(MarketConfig config, List<Bars> symbols) {
    long[] times = CommonTimes.of(symbols);
    int purge = config.split().purgeBars();
    int embargo = config.split().embargoBars();
    List<WalkForwardFold> spans = new ArrayList<>();
    for (BarSplit fold :
        WalkForwardSplitter.folds(times.length, config.walkforward(), purge, embargo)) {
      spans.add(
          new WalkForwardFold(
              spans.size() + 1, span(times, fold.train()), span(times, fold.test())));
    }
    return spans;
  }

  private static String span(long[] times, BarRange range) {
    return Instant.ofEpochMilli(times[range.from()])
        + "/"
        + Instant.ofEpochMilli(times[range.to() - 1]);
  }

  @Override
  public List<String> split() {
    return List.of(
        "market.split.by=dates",
        "market.split.trainDates=\"" + train + '"',
        "market.split.validationDates=\"\"",
        "market.split.testDates=\"" + test + '"',
        // The dates exclude these bars already.
        "market.split.purgeBars=0",
        "market.split.embargoBars=0");
  }
}
