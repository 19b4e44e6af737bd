package io.quantail.run.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingRule;
import io.quantail.config.SettingRules;
import io.quantail.io.Sha256;
import io.quantail.testing.Requirement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every setting has a row in the table of what settings are for, and every row has a setting. */
@Requirement("CLI-2")
class SettingRulesTest {
  private static final SettingRules RULES = SettingRules.all();

  private static ObjectNode schema() {
    ObjectNode tree = YamlConfig.toTree(RunConfig.defaults());
    ExtensionTrees.addDefaults(tree);
    return tree;
  }

  @Test
  void shouldHaveOneRowForEverySetting() {
    List<String> rows = RULES.rows().stream().map(SettingRule::path).sorted().toList();
    Set<String> settings = new TreeSet<>(ConfigDiff.values(schema()).keySet());
    assertThat(rows).containsExactlyElementsOf(settings);
  }

  @Test
  void shouldNameSettingsAndTheirValuesInConditions() {
    Set<String> settings = ConfigDiff.values(schema()).keySet();
    for (SettingRule rule : RULES.rows()) {
      rule.idle()
          .ifPresent(
              idle -> {
                assertThat(settings).as(rule.path()).contains(idle.path());
                for (String value : idle.values()) {
                  String override = idle.path() + "=" + value;
                  RunConfig config = YamlConfig.parse("", "rules", List.of(override));
                  assertThat(ConfigDiff.flat(config)).containsEntry(idle.path(), value);
                }
              });
    }
  }

  /**
   * What a stored run without a setting means must be written as settings are, and must never
   * change: hashes of stored runs depend on it. Add lines for new settings; do not edit others.
   */
  @Test
  void shouldNeverChangeWhatAStoredRunMeans() {
    Map<String, String> defaults = ConfigDiff.flat(RunConfig.defaults());
    String formatZero =
        RULES.rows().stream()
            .filter(rule -> rule.since() == 0)
            .map(rule -> rule.path() + "=" + rule.before())
            .sorted()
            .collect(Collectors.joining("\n"));
    assertThat(Sha256.hex(formatZero))
        .isEqualTo("ea96914a1028207f059ed616da7f34e39b8df0c6982971e431b61484ac136360");
    for (SettingRule rule : RULES.rows()) {
      assertThat(rule.since()).as(rule.path()).isBetween(0, SettingRules.FORMAT);
      if (defaults.containsKey(rule.path())) {
        String parsed = ConfigDiff.written(YamlReader.parse(rule.before(), rule.path()));
        assertThat(parsed).as(rule.path()).isEqualTo(rule.before());
      }
    }
  }

  @Test
  void shouldSayWhichSettingMakesAnotherOneIdle() {
    Map<String, String> settings = ConfigDiff.flat(RunConfig.defaults());
    assertThatThrownBy(
            () -> RULES.requireEffect("--grid ", "risk.alpha", settings, Set.of("risk.alpha")))
        .isInstanceOf(ConfigException.class)
        .hasMessage("--grid risk.alpha has no effect while risk.mode is off; set risk.mode first");
    RULES.requireEffect("--grid ", "risk.alpha", settings, Set.of("risk.alpha", "risk.mode"));
    RULES.requireEffect("--grid ", "risk.mode", settings, Set.of("risk.mode"));
    assertThatThrownBy(() -> RULES.requireEffect("--grid ", "training.threads", settings, Set.of()))
        .hasMessage("--grid training.threads does not change what an agent learns");
  }

  @Test
  void shouldBeStrictAboutSettingsWithoutARow() {
    SettingRule unknown = RULES.of("of.some.module");
    assertThat(unknown.resume()).isEqualTo(SettingRule.Resume.KEEP);
    assertThat(unknown.population()).isEqualTo(SettingRule.Population.FIXED);
    assertThat(unknown.isBefore("1")).isFalse();
    assertThat(unknown.isBefore(SettingRule.NOT_GIVEN)).isFalse();
  }

  @Test
  void shouldFindRowsOfNamesThatTheUserChooses() {
    assertThat(RULES.of("health.rules.mine.threshold").path())
        .isEqualTo("health.rules.*.threshold");
    assertThat(RULES.of("population.hyperparameters.ppo.clipRange.min").path())
        .isEqualTo("population.hyperparameters.*.min");
  }
}
