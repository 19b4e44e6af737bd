package io.quantail.run.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.metrics.MetricCatalogue;
import io.quantail.metrics.MetricDescription;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How built-in rules are changed and others added, and what is refused. */
@Requirement("HEALTH-1")
class HealthRulesTest {
  /** Flags the learner sets beside a metric that a rule watches itself, with its threshold. */
  private static final Map<String, String> SAME_AS =
      Map.ofEntries(
          Map.entry("warn/twin_critics_collapsed", "twin-collapsed"),
          Map.entry("warn/advantages_norm_large", "advantages-large"),
          Map.entry("warn/advantages_norm_extreme", "advantages-extreme"),
          Map.entry("warn/twin_critics_gradient_imbalance", "twin-imbalance"),
          Map.entry("warn/critics_grad_imbalance_ratio", "twin-imbalance"),
          Map.entry("warn/critic1_vanishing_gradients", "critic1-gradient-vanished"),
          Map.entry("warn/critic2_vanishing_gradients", "critic2-gradient-vanished"),
          Map.entry("warn/explained_variance_low", "explained-variance-low"),
          Map.entry("warn/log_ratio_concerning", "log-ratio-concerning"),
          Map.entry("warn/log_ratio_severe_instability", "log-ratio-outlier"),
          Map.entry("warn/tail_understated", "tail-understated"),
          Map.entry("warn/tail_overstated", "tail-overstated"),
          Map.entry("warn/miscalibrated", "miscalibrated"));

  /** Parts of what a rule watches. */
  private static final Set<String> PARTS =
      Set.of(
          "warn/log_ratio_extreme_batch",
          "warn/ratio_all_nonfinite",
          "error/log_ratio_nan_or_inf_detected",
          "error/log_ratio_total_samples",
          "error/log_ratio_issue_type");

  @Test
  void shouldHearEveryWarningAndErrorOfTheLearner() {
    Set<String> heard = new TreeSet<>(PARTS);
    heard.addAll(SAME_AS.keySet());
    for (HealthRule rule : HealthRules.builtIn().all()) {
      heard.add(rule.condition().metric().text());
      heard.addAll(rule.with());
    }
    assertThat(byName().keySet()).containsAll(SAME_AS.values());
    assertThat(
            MetricCatalogue.entries().stream()
                .map(MetricDescription::name)
                .filter(name -> name.matches("(warn|error)/.*")))
        .isSubsetOf(heard);
  }

  @Test
  void shouldHaveShortReasonsAdviceAndRequirements() {
    assertThat(HealthRules.builtIn().all())
        .hasSizeGreaterThan(50)
        .allSatisfy(
            rule -> {
              assertThat(rule.why()).as(rule.name()).hasSizeBetween(20, 140).doesNotEndWith(".");
              assertThat(rule.advice()).as(rule.name()).hasSizeBetween(10, 140).doesNotEndWith(".");
              assertThat(rule.source()).as(rule.name()).matches("[A-Z]+-\\d+(, [A-Z]+-\\d+)*");
            });
  }

  @Test
  void shouldChangeOnlyTheGivenSettings() {
    HealthRule before = byName().get("gradient-norm");
    HealthRule after =
        rules("gradient-norm: {threshold: 80, patience: 7, severity: error}").get("gradient-norm");
    assertThat(after.condition().threshold()).isEqualTo(80);
    assertThat(after.patience()).isEqualTo(7);
    assertThat(after.severity()).isEqualTo(Severity.ERROR);
    assertThat(after.condition().metric().text()).isEqualTo("train/grad_norm_pre_clip");
    assertThat(after.advice()).isEqualTo(before.advice());
    assertThat(before.enabled()).isTrue();
    assertThat(rules("gradient-norm: {enabled: false}").get("gradient-norm").enabled()).isFalse();
    assertThat(rules("gradient-norm: {unless: []}").get("gradient-norm").unless()).isEmpty();
  }

  @Test
  void shouldAddRulesWithDefaults() {
    HealthRule rule =
        rules("short-episodes: {metric: rollout/ep_len_mean, when: below, threshold: 3}")
            .get("short-episodes");
    assertThat(rule.patience()).isEqualTo(1);
    assertThat(rule.calm()).isEqualTo(10);
    assertThat(rule.severity()).isEqualTo(Severity.WARNING);
    assertThat(rule.enabled()).isTrue();
  }

  @Test
  void shouldTakeOverridesFromTheCommandLine() {
    RunConfig config =
        YamlConfig.parse("", "run.yaml", List.of("health.rules.kl-high.threshold=0.05"));
    assertThat(byName(HealthRules.of(config)).get("kl-high").condition().threshold())
        .isEqualTo(0.05);
  }

  @Test
  void shouldReadBackWhatItWrote() {
    RunConfig config =
        YamlConfig.parse(
            "health: {rules: {kl-high: {threshold: 0.05, unless: [returns-settled]}, "
                + "mine: {metric: train/loss, when: above, threshold: 1, why: \"a: b\"}}}",
            "run.yaml",
            List.of());
    String yaml = YamlConfig.toYaml(config);
    assertThat(yaml)
        .endsWith(
            """
            health:
              rules:
                kl-high:
                  threshold: 0.05
                  unless:
                  - returns-settled
                mine:
                  metric: train/loss
                  when: above
                  threshold: 1
                  why: "a: b"
            """);
    assertThat(YamlConfig.parse(yaml, "copy.yaml", List.of())).isEqualTo(config);
    assertThat(YamlConfig.toYaml(YamlConfig.defaults())).doesNotContain("health");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "gradiant-norm: {threshold: 3} | health.rules.gradiant-norm is no built-in rule and has no metric; did you mean gradient-norm?",
        "xyz: {threshold: 3} | health.rules.xyz is no built-in rule and has no metric; a rule of your own needs metric, when and threshold",
        "My_Rule: {metric: train/loss} | health.rules.My_Rule: the name of a rule has lower-case letters, digits and single - only, such as my-rule",
        "mine: {metric: train/los, when: above, threshold: 1} | health.rules.mine.metric must be a metric of docs/reference/metrics.md, was \"train/los\"; did you mean train/loss?",
        "mine: {metric: train/loss, per: xyzzy, when: above, threshold: 1} | health.rules.mine.per must be a metric of docs/reference/metrics.md, was \"xyzzy\"",
        "mine: {metric: train/loss, with: [lr], when: above, threshold: 1} | health.rules.mine.with must be a metric of docs/reference/metrics.md, was \"lr\"",
        "mine: {metric: time/fps, when: below, threshold: 1} | health.rules.mine.metric must not begin with time/, was time/fps; alerts have to be the same when a run is repeated and cannot watch the clock or themselves",
        "mine: {metric: health/kl-high, when: above, threshold: 1} | health.rules.mine.metric must not begin with health/, was health/kl-high; alerts have to be the same when a run is repeated and cannot watch the clock or themselves",
        "mine: {metric: train/loss} | health.rules.mine.when needs a value: one of above, below, beyond, apart, present, absent, grown, shrunk, dropped",
        "mine: {metric: train/loss, when: abov} | health.rules.mine.when must be one of above, below, beyond, apart, present, absent, grown, shrunk, dropped, was \"abov\"; did you mean above?",
        "mine: {metric: train/loss, when: above} | health.rules.mine.threshold needs a value, was null",
        "mine: {metric: train/loss, when: grown, threshold: 1} | health.rules.mine.threshold must be greater than 1, the factor of a change, was 1",
        "mine: {metric: train/loss, when: dropped, threshold: -1} | health.rules.mine.threshold must be at least 0, was -1",
        "loss-nonfinite: {threshold: 3} | health.rules.loss-nonfinite.threshold has no effect when health.rules.loss-nonfinite.when is present; remove it",
        "`mine: {metric: 'lstm/h_std_layer{k}', when: grown, threshold: 2}` | `health.rules.mine.metric must be one metric and no pattern when health.rules.mine.when is grown, was lstm/h_std_layer{k}`",
        "kl-high: {unless: [returns-setled]} | health.rules.kl-high.unless must be a rule, was \"returns-setled\"; did you mean returns-settled?",
        "kl-high: {severity: fatal} | health.rules.kl-high.severity must be one of info, warning, error, was \"fatal\"",
        "kl-high: {thresold: 3} | unknown setting health.rules.kl-high.thresold in run.yaml; did you mean health.rules.kl-high.threshold?",
        "kl-high: off | health.rules.kl-high must be a section with settings (metric, per, when, threshold, window, patience, warmup, calm, severity, unless, with, why, advice, source, enabled), was \"off\"",
        "kl-high: {patience: 0} | health.rules.kl-high.patience must be at least 1, was 0",
        "kl-high: {calm: 0} | health.rules.kl-high.calm must be at least 1, was 0",
        "kl-high: {window: 0} | health.rules.kl-high.window must be at least 1, was 0",
        "kl-high: {warmup: -1} | health.rules.kl-high.warmup must be at least 0, was -1",
        "kl-high: {patience: 1.5} | health.rules.kl-high.patience must be a whole number, was 1.5",
        "`'*': {patience: 1}` | unknown setting health.rules.* in run.yaml; allowed here: names that you choose",
      })
  void shouldRefuse(String rule, String message) {
    assertThatThrownBy(() -> rules(rule)).isInstanceOf(ConfigException.class).hasMessage(message);
  }

  @Test
  void shouldTakeNumbersOnTheirBounds() {
    HealthRule rule = rules("kl-high: {patience: 1, calm: 1, window: 1, warmup: 0}").get("kl-high");
    assertThat(List.of(rule.patience(), rule.calm(), rule.condition().window(), rule.warmup()))
        .containsExactly(1, 1, 1, 0);
  }

  @Test
  void shouldWriteNumbersShortly() {
    assertThat(
            Arrays.stream(new double[] {0, -2345.678, 1.5e-9, 0.05, 1e6, 12345678, 3, 1e-4})
                .mapToObj(RuleFigures::shown))
        .containsExactly("0", "-2346", "1.5e-9", "0.05", "1000000", "1.235e7", "3", "0.0001");
  }

  private static Map<String, HealthRule> rules(String yaml) {
    return byName(
        HealthRules.of(YamlConfig.parse("health: {rules: {" + yaml + "}}", "run.yaml", List.of())));
  }

  private static Map<String, HealthRule> byName() {
    return byName(HealthRules.builtIn());
  }

  private static Map<String, HealthRule> byName(HealthRules rules) {
    Collection<HealthRule> all = rules.all();
    return all.stream().collect(Collectors.toMap(HealthRule::name, Function.identity()));
  }
}
