package io.quantail.market.layout;

/** Known forms of files of bars. */
public enum FileForm {
  /** The canonical form that {@code quantail data import} writes. */
  QUANTAIL("canonical CSV", false),
  /** Downloads of Yahoo and of yfinance. */
  YAHOO("Yahoo", true),
  /** Files of Stooq. */
  STOOQ("Stooq", false),
  /** Klines of Binance. */
  BINANCE("Binance klines", true),
  /** OHLCVT files of Kraken. */
  KRAKEN("Kraken OHLCVT", true),
  /** Exports of MetaTrader 4 and 5. */
  METATRADER("MetaTrader", true),
  /** Candles of freqtrade. */
  FREQTRADE("freqtrade", true),
  /** Data frames with an unnamed index. */
  PANDAS("pandas", false),
  /** Other text files. */
  CSV("text", false),
  /** Parquet files. */
  PARQUET("Parquet", false);

  private final String written;
  private final boolean opens;

  FileForm(String written, boolean opens) {
    this.written = written;
    this.opens = opens;
  }

  /** Returns whether files of this form are known to have the times of opens. */
  boolean hasOpenTimes() {
    return opens;
  }

  @Override
  public String toString() {
    return written;
  }
}
