package io.quantail.market.data;

import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts between bar lengths in milliseconds and their written form: {@code 30s}, {@code 5m},
 * {@code 4h}, {@code 1d}.
 */
public final class BarLength {
  /** The written form that leaves the bar length to the data. */
  public static final String AUTO = "auto";

  private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,5})([smhd])");
  private static final Map<String, Long> UNITS =
      Map.of("s", 1000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  private BarLength() {}

  /**
   * Tells whether {@link #millis} accepts a text.
   *
   * @param text written form of a bar length
   * @return whether the text is {@value #AUTO} or a number with a unit
   */
  public static boolean isValid(String text) {
    return text.equals(AUTO) || FORM.matcher(text).matches();
  }

  /**
   * Converts a written bar length to milliseconds.
   *
   * @param text {@value #AUTO}, or a number with s, m, h or d, such as {@code 5m}
   * @return the bar length in milliseconds; 0 for {@value #AUTO}
   * @throws IllegalArgumentException if the text has another form
   */
  public static long millis(String text) {
    if (text.equals(AUTO)) {
      return 0;
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "a bar length must be auto or a number with s, m, h or d, such as 5m, was \""
              + text
              + "\"");
    }
    return Long.parseLong(form.group(1)) * Objects.requireNonNull(UNITS.get(form.group(2)));
  }

  /**
   * Writes a bar length in the largest unit that divides it.
   *
   * @param millis bar length in milliseconds
   * @return the written form, such as {@code 5m}; with the unit {@code ms} if no other divides it
   */
  public static String written(long millis) {
    for (String unit : new String[] {"d", "h", "m", "s"}) {
      if (millis % Objects.requireNonNull(UNITS.get(unit)) == 0) {
        return millis / UNITS.get(unit) + unit;
      }
    }
    return millis + "ms";
  }
}
