package io.quantail.market.data;

/** Reads bars. */
public final class BarsReader {
  private BarsReader() {}

  /** Reads a file or a glob of one symbol and judges it; problems are in the report. */
  public static BarsReport read(String pattern, BarsOptions options) {
    throw new UnsupportedOperationException();
  }
}
