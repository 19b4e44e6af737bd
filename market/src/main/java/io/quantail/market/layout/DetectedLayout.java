package io.quantail.market.layout;

import io.quantail.market.data.BarFileLayout;
import java.util.List;

/**
 * How a file is written, and how that is known.
 *
 * @param form known form of the file
 * @param layout settings that read it, section {@code market.data.layout}
 * @param timeIsOpen whether its times are those of opens
 * @param times how it is known whether times are opens or closes
 * @param zone how the zone is known
 * @param prices how it is known which prices to use
 * @param volume name in the file of the column that is read as volume; empty if there is none
 * @param volumeIsTicks whether that column counts changes of price instead of units
 * @param questions what only the user can answer, each with the option that does
 */
public record DetectedLayout(
    FileForm form,
    BarFileLayout layout,
    boolean timeIsOpen,
    Basis times,
    ZoneBasis zone,
    PriceBasis prices,
    String volume,
    boolean volumeIsTicks,
    List<String> questions) {
  /** How it is known whether times are opens or closes. */
  public enum Basis {
    /** The user said so. */
    ANSWERED,
    /** Dates have no time of day. */
    DATES,
    /** The name of the column says so. */
    COLUMN,
    /** Files of this form have it. */
    FORM,
    /** Most files have it. */
    ASSUMED
  }

  /** How the zone of times is known. */
  public enum ZoneBasis {
    /** The user said so. */
    ANSWERED,
    /** Dates have no zone. */
    DATES,
    /** Numbers since 1970 are UTC, and written times state an offset. */
    FILE,
    /** Sessions from 09:30 to 16:00 are those of New York. */
    SESSIONS,
    /** UTC is assumed. */
    ASSUMED
  }

  /** How it is known which prices to use. */
  public enum PriceBasis {
    /** The user said so. */
    ANSWERED,
    /** There is an adjusted close that differs from the close. */
    ADJUSTED_COLUMN,
    /** The adjusted close equals the close. */
    EQUAL_COLUMN,
    /** The file lists dividends and splits beside prices that yfinance has adjusted. */
    ADJUSTED_ALREADY,
    /** There is no adjusted close. */
    ONLY_PRICES
  }
}
