package io.quantail.health;

import io.quantail.config.Check;
import java.util.List;

/**
 * What a configuration says about one rule; what it does not say is null and stays as it is.
 *
 * @param metric what is watched; a name of the catalogue, or a pattern such as {@code
 *     lstm/h_std_layer{k}}: the worst of those that match counts
 * @param per a metric the first one is divided by
 * @param when what is looked for
 * @param threshold the number it is compared with
 * @param window updates whose mean a change is measured against; at least 1
 * @param patience updates in a row after which the alert is raised; at least 1
 * @param warmup first updates of a run that do not count; at least 0
 * @param calm updates in a row without it after which the alert ends; at least 1
 * @param severity how much it matters
 * @param unless rules whose condition, where it holds, excuses this one
 * @param with metrics whose values are told beside
 * @param why why it matters
 * @param advice what to try
 * @param source where the rule comes from
 * @param enabled whether it raises alerts
 */
public record RuleSettings(
    String metric,
    String per,
    When when,
    Double threshold,
    Integer window,
    Integer patience,
    Integer warmup,
    Integer calm,
    Severity severity,
    List<String> unless,
    List<String> with,
    String why,
    String advice,
    String source,
    Boolean enabled) {

  /** What a rule has that says no more than what it watches. */
  static final RuleSettings DEFAULTS =
      new RuleSettings(
          null,
          null,
          null,
          null,
          10,
          1,
          0,
          10,
          Severity.WARNING,
          List.of(),
          List.of(),
          "a rule of this configuration",
          "look at the metric and its neighbours",
          "configuration",
          true);

  /** Refuses numbers out of range, naming the rule. */
  void check(String path) {
    atLeast(path + ".window", window, 1);
    atLeast(path + ".patience", patience, 1);
    atLeast(path + ".warmup", warmup, 0);
    atLeast(path + ".calm", calm, 1);
    if (threshold != null) {
      Check.finite(path + ".threshold", threshold);
    }
  }

  private static void atLeast(String path, Integer value, int low) {
    if (value != null) {
      Check.atLeast(path, value, low);
    }
  }

  /** These settings where they say something, those where they do not. */
  RuleSettings or(RuleSettings those) {
    return new RuleSettings(
        first(metric, those.metric),
        first(per, those.per),
        first(when, those.when),
        first(threshold, those.threshold),
        first(window, those.window),
        first(patience, those.patience),
        first(warmup, those.warmup),
        first(calm, those.calm),
        first(severity, those.severity),
        first(unless, those.unless),
        first(with, those.with),
        first(why, those.why),
        first(advice, those.advice),
        first(source, those.source),
        first(enabled, those.enabled));
  }

  private static <T> T first(T given, T otherwise) {
    return given == null ? otherwise : given;
  }
}
