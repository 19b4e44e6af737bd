package io.quantail.run.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.SettingNames;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/reference/health-rules.md} in step with the rules and their settings. */
@Requirement("HEALTH-1")
class HealthDocumentationTest {
  @Test
  void shouldListEveryRule() throws IOException {
    String table =
        "| rule | severity | source | metric | condition | patience |\n|---|---|---|---|---|---|\n"
            + HealthRules.builtIn().all().stream()
                .map(HealthDocumentationTest::line)
                .collect(Collectors.joining());
    Files.writeString(
        Path.of(System.getProperty("quantail.module.target"), "health-rules.md"), table);
    assertThat(documentation("reference/health-rules.md"))
        .as(
            "docs/reference/health-rules.md must contain core/target/health-rules.md; copy it there")
        .contains(table);
  }

  @Test
  void shouldListTheFaultOfEveryRule() throws IOException {
    String documented = documentation("reference/health-rules.md");
    assertThat(HealthRules.builtIn().all())
        .filteredOn(HealthRule::enabled)
        .allSatisfy(
            rule ->
                assertThat(documented)
                    .as(rule.name())
                    .containsPattern(
                        "(?m)^\\| `%s` \\| [^|]+ \\| \\d+ \\|$".formatted(rule.name())));
  }

  @Test
  void shouldDescribeEverySetting() throws IOException {
    String documented = documentation("reference/settings.md");
    assertThat(
            Arrays.stream(RuleSettings.class.getRecordComponents()).map(RecordComponent::getName))
        .allSatisfy(
            name -> assertThat(documented).contains("| `health.rules.<rule>." + name + "` |"));
  }

  private static String line(HealthRule rule) {
    RuleCondition condition = rule.condition();
    String metric =
        "`"
            + condition.metric().text()
            + "`"
            + condition.per().map(p -> " / `" + p + "`").orElse("");
    String threshold =
        condition.when().ignoresValue() ? "" : " " + RuleFigures.shown(condition.threshold());
    String window = condition.when().looksBack() ? " over " + condition.window() : "";
    String unless = rule.unless().isEmpty() ? "" : "; unless " + String.join(", ", rule.unless());
    String patience = rule.patience() + (rule.warmup() > 0 ? ", after " + rule.warmup() : "");
    return "| `%s` | %s | %s | %s | %s%s%s%s | %s |%n"
        .formatted(
            rule.name(),
            rule.enabled() ? rule.severity().written() : "off",
            rule.source(),
            metric,
            SettingNames.written(condition.when()),
            threshold,
            window,
            unless,
            patience);
  }

  private static String documentation(String name) throws IOException {
    return Files.readString(Path.of(System.getProperty("quantail.root"), "docs", name));
  }
}
