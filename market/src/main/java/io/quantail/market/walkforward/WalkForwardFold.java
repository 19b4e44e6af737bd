package io.quantail.market.walkforward;

import io.quantail.config.RunConfig;
import io.quantail.market.MarketConfig;
import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import io.quantail.market.split.BarRange;
import io.quantail.market.split.BarSplit;
import io.quantail.market.split.WalkForwardSplitter;
import io.quantail.run.settings.YamlConfig;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A fold as ranges of time, which are the same for every symbol and fit the settings {@code
 * market.split.trainDates} and {@code testDates} of a run.
 *
 * @param number from 1 on
 * @param train {@code FROM/TO}, first and last close of the training bars
 * @param test the same of the test bars
 */
public record WalkForwardFold(int number, String train, String test) implements Serializable {

  /**
   * The folds of {@code market.walkforward} with {@code market.split.purgeBars} and {@code
   * embargoBars}, counted in bars that all symbols have.
   */
  public static List<WalkForwardFold> of(MarketConfig config, List<Bars> symbols) {
    long[] times = common(symbols);
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

  private static long[] common(List<Bars> symbols) {
    long[] times = times(symbols.get(0));
    for (Bars symbol : symbols.subList(1, symbols.size())) {
      long[] others = times(symbol);
      times = Arrays.stream(times).filter(t -> Arrays.binarySearch(others, t) >= 0).toArray();
    }
    if (times.length == 0) {
      throw new DataException(
          "%s have no bar in common, so they cannot share folds; run one walk-forward for each symbol"
              .formatted(symbols.stream().map(Bars::symbol).toList()));
    }
    return times;
  }

  private static long[] times(Bars bars) {
    long[] times = new long[bars.size()];
    Arrays.setAll(times, bars::time);
    return times;
  }

  private static String span(long[] times, BarRange range) {
    return Instant.ofEpochMilli(times[range.from()])
        + "/"
        + Instant.ofEpochMilli(times[range.to() - 1]);
  }

  /** The settings of a run that is trained and evaluated on this fold. */
  public RunConfig run(RunConfig base, long seed) {
    List<String> changes =
        List.of(
            "seed=" + seed,
            // Independent of threads and seeds, so that finished agents are recognised.
            "training.threads=1",
            "market.walkforward.seeds=1",
            "market.split.by=dates",
            "market.split.trainDates=\"" + train + '"',
            "market.split.validationDates=\"\"",
            "market.split.testDates=\"" + test + '"',
            // The dates exclude these bars already.
            "market.split.purgeBars=0",
            "market.split.embargoBars=0");
    return YamlConfig.parse(YamlConfig.toYaml(base), "fold " + number, changes);
  }
}
