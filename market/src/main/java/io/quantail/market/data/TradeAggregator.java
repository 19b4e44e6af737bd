package io.quantail.market.data;

import java.util.List;

/** Aggregates trades to bars; intervals without trades give no bar. */
final class TradeAggregator {
  private final BarsBuilder bars;
  private final long length;
  private long closeTime;
  private double open;
  private double high;
  private double low;
  private double close;
  private double volume;
  private double quoteVolume;
  private double trades;

  TradeAggregator(String symbol, long length) {
    this.length = length;
    this.bars =
        new BarsBuilder(
            symbol,
            length,
            List.of(Bars.Optional.QUOTE_VOLUME, Bars.Optional.TRADES),
            List.of(),
            1 << 14);
  }

  /** Adds a trade; trades must be added in order of time. */
  void add(long time, double price, double amount) {
    long end = Math.floorDiv(time, length) * length + length;
    if (end != closeTime) {
      close();
      closeTime = end;
      open = price;
      high = price;
      low = price;
      volume = 0;
      quoteVolume = 0;
      trades = 0;
    }
    high = Math.max(high, price);
    low = Math.min(low, price);
    close = price;
    volume += amount;
    quoteVolume += amount * price;
    trades++;
  }

  Bars finish() {
    close();
    trades = 0;
    return bars.build();
  }

  private void close() {
    if (trades > 0) {
      bars.add(closeTime, open, high, low, close, volume, quoteVolume, trades);
    }
  }
}
