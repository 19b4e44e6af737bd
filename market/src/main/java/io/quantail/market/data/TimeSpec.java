package io.quantail.market.data;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How the times of a file are written, and in which zone.
 *
 * @param format epoch numbers, ISO-8601, dates, or a pattern
 * @param pattern pattern of {@link TimeFormat#PATTERN} and {@link TimeFormat#PATTERN_DATE}; empty
 *     for other formats
 * @param zone of times that do not state theirs
 */
record TimeSpec(TimeFormat format, String pattern, ZoneId zone) {
  /** The setting that leaves the format to the file. */
  static final String AUTO = "auto";

  private static final Pattern FORM = Pattern.compile("([^%'\"]|%[YmdbBHMS])*");
  private static final String OFFSET = "(Z|[+-][0-9]{2}(:?[0-9]{2})?)$";

  static boolean isValid(String setting) {
    return setting.equals(AUTO) || named(setting) != null || isPattern(setting);
  }

  private static boolean isPattern(String setting) {
    return FORM.matcher(setting).matches()
        && setting.contains("%Y")
        && (setting.contains("%m") || setting.contains("%b") || setting.contains("%B"))
        && setting.contains("%d");
  }

  private static @Nullable TimeFormat named(String setting) {
    for (TimeFormat format : TimeFormat.values()) {
      if (!format.isPattern() && format.name().toLowerCase(Locale.ROOT).equals(setting)) {
        return format;
      }
    }
    return null;
  }

  /** The declared format; null if it must be taken from the file. */
  static @Nullable TimeSpec declared(BarFileLayout layout) {
    String setting = layout.timeFormat();
    if (setting.equals(AUTO)) {
      return null;
    }
    ZoneId zone = ZoneId.of(layout.zone());
    TimeFormat named = named(setting);
    if (named != null) {
      return new TimeSpec(named, "", zone);
    }
    boolean clock = setting.contains("%H");
    return new TimeSpec(clock ? TimeFormat.PATTERN : TimeFormat.PATTERN_DATE, setting, zone);
  }

  /** SQL of the time as a number: as in the file, or milliseconds of a written time. */
  String number(String cell) {
    String value =
        switch (format) {
          case SECONDS, MILLISECONDS, MICROSECONDS, NANOSECONDS ->
              "TRY_CAST(" + cell + " AS DOUBLE)";
          case ISO -> written("TRY_CAST(" + withoutOffset(cell) + " AS TIMESTAMP)");
          case DATE -> written("TRY_CAST(left(trim(" + cell + "), 10) AS TIMESTAMP)");
          case PATTERN, PATTERN_DATE ->
              written("try_strptime(trim(" + cell + "), '" + pattern + "')");
        };
    return "COALESCE(" + value + ", 'NaN'::DOUBLE)";
  }

  private static String written(String timestamp) {
    return "epoch_ms(" + timestamp + ")::DOUBLE";
  }

  /** Local times of another zone must not state an offset, which would be applied first. */
  private String withoutOffset(String cell) {
    return isUtc()
        ? cell
        : "CASE WHEN length(trim(%1$s)) > 10 AND regexp_matches(trim(%1$s), '%2$s') THEN NULL ELSE %1$s END"
            .formatted(cell, OFFSET);
  }

  private boolean isUtc() {
    return zone.normalized().equals(ZoneOffset.UTC);
  }

  /**
   * The time in milliseconds since 1970.
   *
   * @param number value of {@link #number}
   * @param previous time of the row before, which decides between the two times that a clock shows
   *     twice when it is put back
   */
  long millis(double number, long previous) {
    if (!Double.isFinite(number) || (format.isNumber() && !format.fits(number))) {
      return BarsFileReader.NO_TIME;
    }
    if (format.isNumber()) {
      return format.millis(number);
    }
    long local = Math.round(number);
    return format.toClose() > 0 || isUtc() ? local : zoned(local, previous);
  }

  /** Milliseconds from a time to its bar's close, if times are not declared as opens. */
  long toClose() {
    return format.toClose();
  }

  private long zoned(long local, long previous) {
    LocalDateTime clock = LocalDateTime.ofInstant(Instant.ofEpochMilli(local), ZoneOffset.UTC);
    long first = clock.atZone(zone).withEarlierOffsetAtOverlap().toInstant().toEpochMilli();
    return first > previous
        ? first
        : clock.atZone(zone).withLaterOffsetAtOverlap().toInstant().toEpochMilli();
  }

  @Override
  public String toString() {
    String form = format.isPattern() ? "\"" + pattern + "\"" : format.toString();
    boolean local = !format.isNumber() && format.toClose() == 0 && !isUtc();
    String date = format == TimeFormat.PATTERN_DATE ? ", each bar closing with its day" : "";
    return local ? form.replace(" (UTC)", "") + " in " + zone : form + date;
  }
}
