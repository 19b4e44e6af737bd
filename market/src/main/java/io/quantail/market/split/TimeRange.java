package io.quantail.market.split;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * A range of time in any unit; for bars, in milliseconds since 1970 (UTC).
 *
 * @param from first time, inclusive
 * @param to last time, inclusive; before {@code from} if the range is empty
 */
public record TimeRange(long from, long to) {
  private static final long DAY = 24L * 3600 * 1000;

  /**
   * Divides a range into training, validation and test. The fractions of training and validation
   * are rounded down; the test gets the rest.
   *
   * @param train fraction for training
   * @param validation fraction for validation
   */
  public static List<TimeRange> divide(long first, long last, double train, double validation) {
    double span = last - first;
    long trainEnd = first + (long) Math.floor(train * span);
    List<TimeRange> parts = new ArrayList<>();
    parts.add(new TimeRange(first, trainEnd));
    long validationEnd = trainEnd;
    if (validation > 0) {
      validationEnd = trainEnd + 1 + (long) Math.floor(validation * span);
      parts.add(new TimeRange(trainEnd + 1, validationEnd));
    } else {
      parts.add(new TimeRange(trainEnd + 1, trainEnd));
    }
    parts.add(new TimeRange(validationEnd + 1, last));
    return parts;
  }

  /** Whether {@link #parse} accepts the text. */
  public static boolean isValid(String dates) {
    try {
      parse(dates);
      return true;
    } catch (DateTimeException | IllegalArgumentException wrong) {
      return false;
    }
  }

  /**
   * Parses {@code FROM/TO} in ISO-8601. A date without time means the beginning of the day in FROM
   * and its end in TO; a time without zone is UTC.
   */
  public static TimeRange parse(String dates) {
    String[] ends = dates.strip().split("/", -1);
    if (ends.length != 2) {
      throw new IllegalArgumentException("dates must be FROM/TO, were " + dates);
    }
    TimeRange span = new TimeRange(instant(ends[0].strip(), false), instant(ends[1].strip(), true));
    if (span.from > span.to) {
      throw new IllegalArgumentException("FROM must not be after TO, was " + dates);
    }
    return span;
  }

  private static long instant(String text, boolean endOfDay) {
    if (!text.contains("T")) {
      long start = LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
      // A bar that closes at midnight belongs to the day before.
      return endOfDay ? start + DAY : start + 1;
    }
    boolean zoned = text.endsWith("Z") || text.matches(".*T.*[+-]\\d\\d(:?\\d\\d)?");
    return zoned
        ? OffsetDateTime.parse(text).toInstant().toEpochMilli()
        : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  boolean isEmpty() {
    return from > to;
  }

  @Override
  public String toString() {
    return Instant.ofEpochMilli(from) + "/" + Instant.ofEpochMilli(to);
  }
}
