package io.quantail.run.health;

import io.quantail.config.Check;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one rule in a configuration; null means that a value is not changed.
 *
 * @param metric that the rule reads: a name of the catalogue, or a pattern such as {@code
 *     lstm/h_std_layer{k}}: the worst of those that match counts
 * @param per metric by which the first one is divided
 * @param when kind of condition
 * @param threshold of the comparison
 * @param window number of earlier updates whose mean a change is measured against; at least 1
 * @param patience consecutive updates after which the alert is raised; at least 1
 * @param warmup number of first updates that are ignored; at least 0
 * @param calm consecutive updates without it after which the alert is cleared; at least 1
 * @param severity of the alert
 * @param unless rules that suppress this one while their condition holds
 * @param with further metrics whose values are reported
 * @param why why it matters
 * @param advice what to try
 * @param source of the rule
 * @param enabled whether it raises alerts
 */
public record RuleSettings(
    @Nullable String metric,
    @Nullable String per,
    @Nullable RuleClause when,
    @Nullable Double threshold,
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

  /** Defaults of all values but the condition. */
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

  /** Refuses numbers out of range and names the rule. */
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

  /** These settings, with the others in place of null. */
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

  @SuppressWarnings("NullAway") // null only where both are, which the caller allows
  private static <T> T first(@Nullable T given, @Nullable T otherwise) {
    return given == null ? otherwise : given;
  }
}
