package io.quantail.run.health;

import io.quantail.config.Check;
import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingNames;
import io.quantail.metrics.MetricCatalogue;
import io.quantail.metrics.MetricDescription;
import io.quantail.metrics.MetricPattern;
import io.quantail.run.settings.YamlConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Rules of a run: those of the resource {@code rules.yaml}, with the changes and additions of the
 * configuration.
 *
 * <p>The resource has the form of a configuration, so its rules can be copied into one. Invalid
 * rules are refused with a {@link ConfigException}; {@code HealthRulesTest} pins the messages.
 */
public final class HealthRules {
  private static final String RESOURCE = "rules.yaml";
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
  private static final HealthConfig BUILT_IN = load();

  private final Map<String, HealthRule> rules;

  private HealthRules(Map<String, HealthRule> rules) {
    this.rules = rules;
  }

  /** The rules of a run with the given settings. */
  public static HealthRules of(RunConfig config) {
    return of(config.modules().find(HealthConfig.class).orElse(HealthConfig.UNCHANGED));
  }

  /** The built-in rules. */
  public static HealthRules builtIn() {
    return of(HealthConfig.UNCHANGED);
  }

  private static HealthRules of(HealthConfig changes) {
    Map<String, RuleSettings> settings = new LinkedHashMap<>(BUILT_IN.rules());
    changes
        .rules()
        .forEach(
            (name, change) -> {
              checkChange(name, change);
              RuleSettings before = settings.get(name);
              settings.put(name, before == null ? change : change.or(before));
            });
    Map<String, HealthRule> rules = new LinkedHashMap<>();
    settings.forEach(
        (name, complete) ->
            rules.put(name, rule(name, complete.or(RuleSettings.DEFAULTS), settings.keySet())));
    return new HealthRules(rules);
  }

  Collection<HealthRule> all() {
    return rules.values();
  }

  /** Path of a rule in a configuration. */
  static String path(String name) {
    return "health.rules." + name;
  }

  private static void checkChange(String name, RuleSettings change) {
    if (!NAME.matcher(name).matches()) {
      throw new ConfigException(
          "%s: the name of a rule has lower-case letters, digits and single - only, such as my-rule"
              .formatted(path(name)));
    }
    RuleSettings before = BUILT_IN.rules().get(name);
    if (before == null && change.metric() == null) {
      throw new ConfigException(
          "%s is no built-in rule and has no metric; %s"
              .formatted(
                  path(name),
                  SettingNames.nearest(name, BUILT_IN.rules().keySet())
                      .map(near -> "did you mean " + near + "?")
                      .orElse("a rule of your own needs metric, when and threshold")));
    }
    RuleClause when = change.when() == null && before != null ? before.when() : change.when();
    if (when != null && when.ignoresValue() && change.threshold() != null) {
      throw new ConfigException(
          "%s.threshold has no effect when %s.when is %s; remove it"
              .formatted(path(name), path(name), SettingNames.written(when)));
    }
  }

  private static HealthRule rule(String name, RuleSettings settings, Collection<String> names) {
    String path = path(name);
    for (String other : settings.unless()) {
      if (!names.contains(other)) {
        throw unknown(path + ".unless", "a rule", other, names);
      }
    }
    settings.with().forEach(metric -> checkMetric(path + ".with", metric));
    return new HealthRule(
        name,
        condition(path, settings),
        settings.patience(),
        settings.warmup(),
        settings.calm(),
        settings.severity(),
        settings.unless(),
        settings.with(),
        settings.why().strip(),
        settings.advice().strip(),
        settings.source(),
        settings.enabled());
  }

  private static RuleCondition condition(String path, RuleSettings settings) {
    checkMetric(path + ".metric", Objects.requireNonNull(settings.metric()));
    if (settings.per() != null) {
      checkMetric(path + ".per", settings.per());
    }
    RuleClause when = settings.when();
    if (when == null) {
      throw new ConfigException(
          "%s.when needs a value: one of %s"
              .formatted(path, String.join(", ", SettingNames.written(RuleClause.class))));
    }
    MetricPattern metric = new MetricPattern(Objects.requireNonNull(settings.metric()));
    if (when.looksBack() && !metric.isName()) {
      throw new ConfigException(
          "%s.metric must be one metric and no pattern when %s.when is %s, was %s"
              .formatted(path, path, SettingNames.written(when), settings.metric()));
    }
    double threshold = when.ignoresValue() ? 0 : threshold(path + ".threshold", settings);
    return new RuleCondition(
        metric, Optional.ofNullable(settings.per()), when, threshold, settings.window());
  }

  private static double threshold(String path, RuleSettings settings) {
    Check.present(path, settings.threshold());
    if (Objects.requireNonNull(settings.when()).comparesByFactor()
        && Objects.requireNonNull(settings.threshold()) <= 1) {
      throw new ConfigException(
          "%s must be greater than 1, the factor of a change, was %s"
              .formatted(path, Check.plain(settings.threshold())));
    }
    if (settings.when() == RuleClause.DROPPED || settings.when() == RuleClause.BEYOND) {
      Check.notNegative(path, Objects.requireNonNull(settings.threshold()));
    }
    return Objects.requireNonNull(settings.threshold());
  }

  private static void checkMetric(String path, String metric) {
    List<String> known =
        MetricCatalogue.entries().stream().map(MetricDescription::name).sorted().toList();
    if (!MetricCatalogue.contains(metric) && !known.contains(metric)) {
      throw unknown(path, "a metric of docs/reference/metrics.md", metric, known);
    }
    if (metric.startsWith("time/") || metric.startsWith("health/")) {
      throw new ConfigException(
          "%s must not begin with %s, was %s; alerts have to be the same when a run is repeated"
                  .formatted(path, metric.substring(0, metric.indexOf('/') + 1), metric)
              + " and cannot watch the clock or themselves");
    }
  }

  private static ConfigException unknown(
      String path, String kind, String name, Collection<String> candidates) {
    return new ConfigException(
        "%s must be %s, was \"%s\"%s"
            .formatted(
                path,
                kind,
                name,
                SettingNames.nearest(name, candidates)
                    .map(near -> "; did you mean " + near + "?")
                    .orElse("")));
  }

  private static HealthConfig load() {
    try (InputStream stream = HealthRules.class.getResourceAsStream(RESOURCE)) {
      String yaml = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      return YamlConfig.parse(yaml, RESOURCE, List.of())
          .modules()
          .find(HealthConfig.class)
          .orElseThrow();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + RESOURCE, failure);
    }
  }
}
