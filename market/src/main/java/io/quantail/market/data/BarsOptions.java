package io.quantail.market.data;

/**
 * Options for reading a file of bars.
 *
 * @param symbol name of the symbol; empty: from the column {@code symbol}, or else the file name
 * @param barMillis duration of a bar in milliseconds; 0: the median step of the file
 * @param timeIsOpen whether times are those of opens; the bar length is then added
 * @param gapsAllowed whether bars may be missing, for example nights and week-ends in the data of
 *     an exchange; gaps are never filled in
 * @param layout how the file is written
 */
public record BarsOptions(
    String symbol, long barMillis, boolean timeIsOpen, boolean gapsAllowed, BarFileLayout layout) {
  /**
   * Options for a file with one line of names and times in a format that its rows show.
   *
   * @param symbol name of the symbol, or empty
   * @param barMillis duration of a bar in milliseconds, or 0
   * @param timeIsOpen whether times are those of opens
   * @param gapsAllowed whether bars may be missing
   */
  public BarsOptions(String symbol, long barMillis, boolean timeIsOpen, boolean gapsAllowed) {
    this(symbol, barMillis, timeIsOpen, gapsAllowed, BarFileLayout.defaults());
  }
}
