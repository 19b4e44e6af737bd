package io.quantail.market.data;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the gaps between bars and what explains them. Days are UTC.
 *
 * <ul>
 *   <li>A gap of less than a day is a night (or a break) if gaps that end at the same time of day
 *       occur on at least a fifth of the days, and at least three times.
 *   <li>If no bar is on a Saturday, a gap that contains a whole Saturday and no whole working day
 *       is a weekend; one of up to four whole working days, or of up to four days without a
 *       Saturday, is a holiday.
 *   <li>Every other gap is unexplained.
 * </ul>
 */
public final class GapFinder {
  private static final long DAY = 86_400_000L;
  private static final int HOLIDAYS = 4;
  private static final int FEWEST = 3;
  private static final double FRACTION = 0.2;

  /** Explanations of a gap. */
  public enum Kind {
    /** Hours of every day without trading. */
    NIGHT,
    /** Saturday and Sunday. */
    WEEKEND,
    /** Up to four working days. */
    HOLIDAY,
    /** No explanation: bars are missing. */
    UNEXPLAINED
  }

  /**
   * A gap before a bar.
   *
   * @param row index of the bar after the gap
   * @param millis time from the previous close to the bar's open
   * @param kind what explains it
   */
  public record Gap(int row, long millis, Kind kind) {}

  private final long[] times;
  private final long barMillis;
  private final Map<Long, Integer> ends = new HashMap<>();
  private final Set<Long> days = new TreeSet<>();
  private boolean saturdays;

  private GapFinder(long[] times, long barMillis) {
    this.times = times;
    this.barMillis = barMillis;
    for (int row = 0; row < times.length; row++) {
      if (times[row] == BarsFileReader.NO_TIME) {
        continue;
      }
      long day = Math.floorDiv(times[row] - barMillis / 2, DAY);
      days.add(day);
      saturdays |= isSaturday(day);
      if (length(row) > 0 && length(row) < DAY) {
        ends.merge(timeOfDay(row), 1, Integer::sum);
      }
    }
  }

  /**
   * Finds the gaps in the times of bars.
   *
   * @param times times of closes in milliseconds since 1970
   * @param barMillis duration of a bar in milliseconds
   * @return the gaps in the order of the bars
   */
  public static List<Gap> of(long[] times, long barMillis) {
    if (barMillis <= 0) {
      return List.of();
    }
    GapFinder finder = new GapFinder(times, barMillis);
    List<Gap> gaps = new ArrayList<>();
    for (int row = 1; row < times.length; row++) {
      if (finder.length(row) > 0) {
        gaps.add(new Gap(row, finder.length(row), finder.kind(row)));
      }
    }
    return gaps;
  }

  private long length(int row) {
    boolean known =
        row > 0 && times[row] != BarsFileReader.NO_TIME && times[row - 1] != BarsFileReader.NO_TIME;
    return known ? times[row] - times[row - 1] - barMillis : 0;
  }

  private long timeOfDay(int row) {
    return Math.floorMod(times[row] - barMillis, DAY);
  }

  private Kind kind(int row) {
    long length = length(row);
    if (length < DAY) {
      int same = ends.getOrDefault(timeOfDay(row), 0);
      return same >= Math.max(FEWEST, FRACTION * days.size()) ? Kind.NIGHT : Kind.UNEXPLAINED;
    }
    if (saturdays) {
      return Kind.UNEXPLAINED;
    }
    long first = -Math.floorDiv(-times[row - 1], DAY); // the first whole day
    long end = Math.floorDiv(times[row] - barMillis, DAY);
    boolean weekend = false;
    int working = 0;
    for (long day = first; day < end && working <= HOLIDAYS; day++) {
      weekend |= isSaturday(day);
      working += isSaturday(day) || isSaturday(day - 1) ? 0 : 1;
    }
    if (weekend) {
      return working == 0 ? Kind.WEEKEND : working <= HOLIDAYS ? Kind.HOLIDAY : Kind.UNEXPLAINED;
    }
    return length <= HOLIDAYS * DAY ? Kind.HOLIDAY : Kind.UNEXPLAINED;
  }

  /** Day 0, 1 January 1970, was a Thursday. */
  private static boolean isSaturday(long day) {
    return Math.floorMod(day, 7) == 2;
  }
}
