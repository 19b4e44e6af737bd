package io.quantail.market.data;

/**
 * What a user declares about a file of bars.
 *
 * @param symbol name of the symbol; empty: the column {@code symbol}, else the name of the file
 * @param barMillis how much time a bar covers; 0: the median step of the file
 * @param timeIsOpen whether times are those of the opening of bars; a bar length is then added
 * @param gapsAllowed whether bars may be missing between two others, as nights and week-ends are in
 *     the data of an exchange; a gap is never filled with bars that did not happen
 */
public record BarsOptions(String symbol, long barMillis, boolean timeIsOpen, boolean gapsAllowed) {}
