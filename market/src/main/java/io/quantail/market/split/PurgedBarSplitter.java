package io.quantail.market.split;

import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import java.util.List;

/**
 * Divides the bars of all symbols by one split of a combinatorial purged cross-validation, as
 * {@code market.split.by: purged} describes it.
 *
 * <p>Groups, purge and embargo are counted in bars that all symbols have, and are the same moments
 * for all. A symbol with more bars has at least as many between training and test. There are no
 * validation bars. Tested by {@code PurgedMarketTest}.
 */
public final class PurgedBarSplitter {
  /** Bars from a decision to the close at which its reward is measured. */
  private static final int LABEL_BARS = 1;

  private PurgedBarSplitter() {}

  /**
   * Divides the bars.
   *
   * @param longestWindow bars of the longest window of a feature
   * @return the division of each symbol's bars
   * @throws DataException if the embargo is shorter than the window, or the symbols have no bar in
   *     common
   * @throws io.quantail.evidence.EvidenceException if no bar is left to train on
   */
  public static List<BarSplit> split(
      List<Bars> symbols, SplitSettings settings, int longestWindow) {
    long[] times = CommonTimes.of(symbols);
    PurgedSplit split =
        CombinatorialSplitter.split(
            times.length,
            settings.groups(),
            settings.testedGroups().stream().map(number -> number - 1).toList(),
            purge(settings),
            embargo(settings, longestWindow));
    return symbols.stream().map(bars -> split(bars, times, split)).toList();
  }

  /** The bars omitted before each tested group: the setting, or the bars of a reward. */
  public static int purge(SplitSettings settings) {
    return settings.purgeBars() == 0 ? LABEL_BARS : settings.purgeBars();
  }

  /**
   * The bars omitted after each tested group: the setting, or one more than the longest window.
   *
   * @throws DataException if the setting is shorter than the window
   */
  public static int embargo(SplitSettings settings, int longestWindow) {
    if (settings.embargoBars() == 0) {
      return CombinatorialSplitter.defaultEmbargo(longestWindow);
    }
    CombinatorialSplitter.requireEmbargo(settings.embargoBars(), longestWindow);
    return settings.embargoBars();
  }

  private static BarSplit split(Bars bars, long[] times, PurgedSplit split) {
    List<BarRange> train = ranges(bars, times, split.train());
    int end = train.get(train.size() - 1).to();
    return new BarSplit(train, new BarRange(end, end), ranges(bars, times, split.test()), true);
  }

  private static List<BarRange> ranges(Bars bars, long[] times, List<BarRange> ranges) {
    return ranges.stream()
        .map(range -> new BarRange(bar(bars, times, range.from()), bar(bars, times, range.to())))
        .toList();
  }

  /** The symbol's first bar at or after a common close; neighbouring ranges stay neighbours. */
  private static int bar(Bars bars, long[] times, int common) {
    return common < times.length
        ? BarSplitter.firstAtOrAfter(bars, times[common])
        : BarSplitter.firstAtOrAfter(bars, times[common - 1] + 1);
  }
}
