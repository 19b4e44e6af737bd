package io.quantail.market.feature;

import io.quantail.config.SettingNames;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One market feature. Its written form is, for example, {@code return(12)}, {@code macd(12,26)},
 * {@code range} or {@code extra(x_mood)}.
 *
 * @param kind formula of the feature
 * @param windows window lengths in bars; their number depends on the kind
 * @param column extra column of an {@link FeatureKind#EXTRA}, else empty
 */
public record Feature(FeatureKind kind, List<Integer> windows, String column) {
  private static final Pattern FORM = Pattern.compile("([a-z-]+)(?:\\(([^()]*)\\))?");
  private static final int LONGEST = 100_000;

  public Feature {
    windows = List.copyOf(windows);
  }

  /**
   * Parses the written form.
   *
   * @throws IllegalArgumentException if the text is not the written form of a feature
   */
  public static Feature parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a feature; write for example return(12) or range");
    }
    FeatureKind kind = kind(form.group(1));
    String inside = form.group(2) == null ? "" : form.group(2).strip();
    if (kind == FeatureKind.EXTRA) {
      if (!inside.startsWith("x_")) {
        throw new IllegalArgumentException(
            "\"" + text + "\" must name a column that starts with x_, as in extra(x_mood)");
      }
      return new Feature(kind, List.of(), inside);
    }
    return new Feature(kind, windows(text, kind, inside), "");
  }

  private static FeatureKind kind(String name) {
    return Arrays.stream(FeatureKind.values())
        .filter(kind -> SettingNames.fold(kind.name()).equals(SettingNames.fold(name)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "\"%s\" is not a kind of feature; use one of %s"
                        .formatted(name, String.join(", ", FeatureKind.allWritten()))));
  }

  private static List<Integer> windows(String text, FeatureKind kind, String inside) {
    String[] parts = inside.isEmpty() ? new String[0] : inside.split(",", -1);
    if (parts.length != kind.windows()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "\"%s\" must have %d windows, had %d",
              text,
              kind.windows(),
              parts.length));
    }
    return Arrays.stream(parts).map(part -> window(text, part.strip())).toList();
  }

  private static int window(String text, String part) {
    if (part.matches("[0-9]{1,6}")) {
      int window = Integer.parseInt(part);
      if (window >= 1 && window <= LONGEST) {
        return window;
      }
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "\"%s\" must have windows of 1 to %d bars, had \"%s\"",
            text,
            LONGEST,
            part));
  }

  int window(int index) {
    return windows.get(index);
  }

  /** The number of bars that the first value needs. */
  public int lookback() {
    return kind.lookback(windows);
  }

  @Override
  public String toString() {
    String inside =
        kind == FeatureKind.EXTRA
            ? column
            : windows.stream().map(String::valueOf).collect(Collectors.joining(","));
    return inside.isEmpty() ? kind.written() : kind.written() + "(" + inside + ")";
  }
}
