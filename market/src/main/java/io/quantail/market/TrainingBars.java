package io.quantail.market;

import io.quantail.market.data.Bars;
import io.quantail.market.feature.FeatureScaler;
import io.quantail.market.feature.FeatureTable;
import io.quantail.market.split.BarRange;
import io.quantail.market.split.BarSplit;
import io.quantail.market.trading.Instrument;
import io.quantail.market.trading.TrainingRange;
import java.util.ArrayList;
import java.util.List;

/**
 * Bars of one symbol from which the features of training are computed.
 *
 * <p>In a purged split these are consecutive training bars alone: after each gap the features start
 * anew, with their warm-up. Exponential averages have no last bar that they depend on, so features
 * of the whole series would carry tested bars into all later training bars, whatever the embargo.
 * In any other split training comes first, and features of the whole series see no test bar.
 *
 * @param symbol index of the symbol
 * @param bars source of features and prices
 * @param table features of these bars
 * @param ranges training bars, counted in {@code bars}
 */
record TrainingBars(int symbol, Bars bars, FeatureTable table, List<BarRange> ranges) {

  static List<TrainingBars> of(List<Bars> bars, List<FeatureTable> tables, List<BarSplit> folds) {
    List<TrainingBars> parts = new ArrayList<>();
    for (int symbol = 0; symbol < folds.size(); symbol++) {
      BarSplit fold = folds.get(symbol);
      Bars all = bars.get(symbol);
      if (!fold.purged()) {
        parts.add(new TrainingBars(symbol, all, tables.get(symbol), fold.training()));
        continue;
      }
      for (List<BarRange> neighbours : neighbours(fold.training())) {
        int from = neighbours.get(0).from();
        Bars alone = all.slice(from, neighbours.get(neighbours.size() - 1).to());
        List<BarRange> ranges =
            neighbours.stream()
                .map(range -> new BarRange(range.from() - from, range.to() - from))
                .toList();
        FeatureTable table = FeatureTable.of(alone, tables.get(symbol).spec());
        parts.add(new TrainingBars(symbol, alone, table, ranges));
      }
    }
    return parts;
  }

  /** Ranges without a bar between them, together. */
  private static List<List<BarRange>> neighbours(List<BarRange> ranges) {
    List<List<BarRange>> groups = new ArrayList<>();
    int end = -1;
    for (BarRange range : ranges) {
      if (range.from() != end) {
        groups.add(new ArrayList<>());
      }
      groups.get(groups.size() - 1).add(range);
      end = range.to();
    }
    return groups;
  }

  /** The table of each range. */
  static List<FeatureTable> tables(List<TrainingBars> parts) {
    return parts.stream().flatMap(part -> part.ranges.stream().map(range -> part.table)).toList();
  }

  /** All ranges. */
  static List<BarRange> ranges(List<TrainingBars> parts) {
    return parts.stream().flatMap(part -> part.ranges.stream()).toList();
  }

  /**
   * The ranges with scaled features and prices.
   *
   * @param instruments whole series of each symbol, used where training sees it
   */
  static List<TrainingRange> scaled(
      List<TrainingBars> parts,
      List<Instrument> instruments,
      FeatureScaler scaler,
      int volumeBars) {
    List<TrainingRange> training = new ArrayList<>();
    for (TrainingBars part : parts) {
      Instrument whole = instruments.get(part.symbol);
      Instrument seen =
          part.bars.size() == whole.bars().size()
              ? whole
              : Instrument.of(part.bars, scaler.apply(part.table), volumeBars);
      part.ranges.forEach(range -> training.add(new TrainingRange(part.symbol, seen, range)));
    }
    return training;
  }
}
