package io.quantail.evidence;

import io.quantail.io.Sha256;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * The UTC day and year of bars, and a hash of the bars of each day, by which a look at the same
 * bars is recognised.
 *
 * <p>A bar belongs to the day that holds the last millisecond before its close. The hash of a day
 * is the first 16 hexadecimal digits of SHA-256 of {@code "closeMillis,h,l,c;"} per bar, {@code h =
 * floor(10^6 ln(H/O) + 1/2)} and so for low and close. Names, files and the scale of prices do not
 * change it; one more bar changes the hash of its own day only. Pinned by the vector {@code
 * ledger_chunks}.
 */
public final class BarDays {
  private static final long DAY_MILLIS = 24L * 3600 * 1000;
  private static final int DIGITS = 16;
  private static final double UNITS = 1e6;

  private BarDays() {}

  /** Days since 1970 of a bar. */
  public static long day(long closeMillis) {
    return Math.floorDiv(closeMillis - 1, DAY_MILLIS);
  }

  /** Calendar year of a bar. */
  public static int year(long closeMillis) {
    return Instant.ofEpochMilli(closeMillis - 1).atOffset(ZoneOffset.UTC).getYear();
  }

  /**
   * The hash of each day, in the order of days.
   *
   * @param closeMillis close of each bar, in ascending order
   */
  public static List<String> hashes(
      long[] closeMillis, double[] open, double[] high, double[] low, double[] close) {
    List<String> hashes = new ArrayList<>();
    StringBuilder bars = new StringBuilder();
    for (int t = 0; t < closeMillis.length; t++) {
      bars.append(closeMillis[t]).append(',');
      bars.append(units(high[t], open[t])).append(',');
      bars.append(units(low[t], open[t])).append(',');
      bars.append(units(close[t], open[t])).append(';');
      if (t == closeMillis.length - 1 || day(closeMillis[t + 1]) != day(closeMillis[t])) {
        hashes.add(Sha256.hex(bars.toString()).substring(0, DIGITS));
        bars.setLength(0);
      }
    }
    return hashes;
  }

  /** The log-ratio in millionths; StrictMath, so that all machines agree. */
  private static long units(double price, double open) {
    return (long) Math.floor(UNITS * StrictMath.log(price / open) + 0.5);
  }
}
