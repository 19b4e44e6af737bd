package io.quantail.metrics;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A metric's name, or a pattern for several: {@code lstm/h_mean_layer{k}} matches {@code
 * lstm/h_mean_layer0}. A placeholder in braces never matches a slash.
 */
public final class MetricPattern {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{[a-z]+}");
  private static final String WORD = "[A-Za-z0-9_.-]+";

  private final String text;
  private final String prefix; // up to the first placeholder: most names differ there
  private final Optional<Pattern> pattern; // empty for a plain name

  /** Compiles a name or pattern. */
  public MetricPattern(String text) {
    this.text = text;
    this.prefix = text.replaceFirst("\\{.*", "");
    // Names hold no character that is special in a pattern except the dot.
    String literal = text.replace(".", "\\.");
    this.pattern =
        text.indexOf('{') < 0
            ? Optional.empty()
            : Optional.of(Pattern.compile(PLACEHOLDER.matcher(literal).replaceAll(WORD)));
  }

  /** The name or pattern as written. */
  public String text() {
    return text;
  }

  /** Whether it is a plain name without placeholders. */
  public boolean isName() {
    return pattern.isEmpty();
  }

  /** Whether a metric's name matches. */
  public boolean matches(String name) {
    return pattern
        .map(words -> name.startsWith(prefix) && words.matcher(name).matches())
        .orElseGet(() -> text.equals(name));
  }
}
