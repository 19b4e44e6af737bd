package io.quantail.app.console;

import java.time.Duration;
import java.util.Locale;

/** Lengths of time in words. */
final class Times {
  private Times() {}

  /** The two largest units, such as {@code 1 h 20 min}. */
  static String written(double seconds) {
    Duration time = Duration.ofSeconds(Math.round(seconds));
    return time.toDays() > 0
        ? format("%d d %d h", time.toDays(), time.toHoursPart())
        : time.toHours() > 0
            ? format("%d h %d min", time.toHours(), time.toMinutesPart())
            : time.toMinutes() > 0
                ? format("%d min %d s", time.toMinutes(), time.toSecondsPart())
                : format("%d s", time.toSeconds());
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
