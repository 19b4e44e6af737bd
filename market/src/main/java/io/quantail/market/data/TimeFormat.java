package io.quantail.market.data;

/** Formats of times. A file has one format, which is determined from all its rows. */
enum TimeFormat {
  SECONDS("seconds since 1970", 0, 1e11),
  MILLISECONDS("milliseconds since 1970", 1e11, 1e14),
  MICROSECONDS("microseconds since 1970", 1e14, 1e17),
  NANOSECONDS("nanoseconds since 1970", 1e17, 1e20),
  ISO("ISO-8601 (UTC)", 0, 0),
  DATE("dates, each bar closing with its day", 0, 0),
  PATTERN("a pattern with a time of day", 0, 0),
  PATTERN_DATE("a pattern without a time of day", 0, 0);

  private static final long DAY = 24L * 3600 * 1000;

  private final String written;
  private final double low;
  private final double high;

  TimeFormat(String written, double low, double high) {
    this.written = written;
    this.low = low;
    this.high = high;
  }

  /** The format of written times, all of which have the ten characters of a date or not. */
  static TimeFormat ofWritten(boolean days) {
    return days ? DATE : ISO;
  }

  static TimeFormat ofNumber(double typical) {
    for (TimeFormat format : new TimeFormat[] {SECONDS, MILLISECONDS, MICROSECONDS}) {
      if (Math.abs(typical) < format.high) {
        return format;
      }
    }
    return NANOSECONDS;
  }

  boolean isPattern() {
    return this == PATTERN || this == PATTERN_DATE;
  }

  boolean isNumber() {
    return high > 0;
  }

  /** Whether the magnitude of a number fits this format. */
  boolean fits(double number) {
    double size = Math.abs(number);
    return size >= low && size < high;
  }

  long millis(double number) {
    return switch (this) {
      case SECONDS -> Math.round(number * 1000);
      case MILLISECONDS -> Math.round(number);
      case MICROSECONDS -> Math.round(number / 1000);
      case NANOSECONDS -> Math.round(number / 1_000_000);
      case ISO, DATE, PATTERN, PATTERN_DATE ->
          throw new IllegalStateException(this + " is not a numeric format");
    };
  }

  /** Milliseconds from a time to its bar's close, if the column does not name open or close. */
  long toClose() {
    return this == DATE || this == PATTERN_DATE ? DAY : 0;
  }

  @Override
  public String toString() {
    return written;
  }
}
