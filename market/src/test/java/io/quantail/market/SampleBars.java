package io.quantail.market;

import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsBuilder;
import io.quantail.market.data.BarsOptions;
import io.quantail.market.feature.FeatureScaler;
import io.quantail.market.feature.FeatureSpec;
import io.quantail.market.feature.FeatureTable;
import io.quantail.market.split.BarRange;
import io.quantail.market.trading.Instrument;
import io.quantail.random.RandomStream;
import java.util.List;

/** Bars for tests. */
public final class SampleBars {
  public static final long HOUR = 3_600_000L;
  public static final long START = 1_704_067_200_000L; // 2024-01-01T00:00:00Z

  /** Declares nothing: everything is taken from the file, and gaps are refused. */
  public static final BarsOptions UNDECLARED = new BarsOptions("", 0, false, false);

  private SampleBars() {}

  /** The six bars of the golden values. */
  public static Bars golden() {
    double[][] prices = {
      {100, 102, 99, 101},
      {101, 103, 100, 102},
      {102, 102.5, 98, 99},
      {99, 101, 98.5, 100.5},
      {100.5, 104, 100, 103},
      {103, 103.5, 101, 101.5}
    };
    BarsBuilder bars =
        new BarsBuilder(
            "GOLD", HOUR, List.of(Bars.Optional.TAKER_BUY_VOLUME), List.of(), prices.length);
    for (int i = 0; i < prices.length; i++) {
      double[] p = prices[i];
      bars.add(START + (i + 1) * HOUR, p[0], p[1], p[2], p[3], 100 + 10 * i, 50 + 7 * i);
    }
    return bars.build();
  }

  /** A random walk with gaps between close and open, all columns, and some holes in an extra. */
  public static Bars random(int size, long seed) {
    RandomStream random = RandomStream.of(seed, "sample", 0);
    BarsBuilder bars =
        new BarsBuilder(
            "WALK" + seed,
            HOUR,
            List.of(
                Bars.Optional.QUOTE_VOLUME, Bars.Optional.TRADES, Bars.Optional.TAKER_BUY_VOLUME),
            List.of("x_mood"),
            size);
    double close = 100;
    for (int i = 0; i < size; i++) {
      double open = close * Math.exp(0.003 * random.nextGaussian());
      close = open * Math.exp(0.01 * random.nextGaussian());
      double high = Math.max(open, close) * (1 + 0.005 * random.nextDouble());
      double low = Math.min(open, close) * (1 - 0.005 * random.nextDouble());
      double volume = 1000 * (0.5 + random.nextDouble());
      double mood = random.nextDouble() < 0.1 ? Double.NaN : random.nextGaussian();
      bars.add(
          START + (i + 1) * HOUR,
          open,
          high,
          low,
          close,
          volume,
          volume * (open + close) / 2,
          10,
          volume * random.nextDouble(),
          mood);
    }
    return bars.build();
  }

  /** Bars with given closes; each opens at the close before. */
  public static Bars ofCloses(double... closes) {
    BarsBuilder bars = new BarsBuilder("LINE", HOUR);
    double before = closes[0];
    for (int i = 0; i < closes.length; i++) {
      double high = Math.max(before, closes[i]);
      double low = Math.min(before, closes[i]);
      bars.add(START + (i + 1) * HOUR, before, high, low, closes[i], 1e9);
      before = closes[i];
    }
    return bars.build();
  }

  /** An instrument whose only feature is the range of its bars. */
  public static Instrument instrument(Bars bars) {
    FeatureTable table =
        FeatureTable.of(bars, FeatureSpec.parse(List.of("range"), FeatureSpec.Beyond.LOG));
    BarRange all = new BarRange(0, bars.size());
    return Instrument.of(bars, FeatureScaler.fit(List.of(table), List.of(all)).apply(table), 42);
  }
}
