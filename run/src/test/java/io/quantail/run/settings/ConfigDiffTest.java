package io.quantail.run.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.config.RunConfig;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hashes depend on settings that differ from what a stored run means, and on nothing else. */
@Requirement("CKPT-1")
class ConfigDiffTest {
  private static RunConfig parse(String... overrides) {
    return YamlConfig.parse("", "run.yaml", List.of(overrides));
  }

  /** The defaults of builds of format 0, and overrides. */
  private static RunConfig formatZero(String... overrides) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "critic.quantiles=32",
                "critic.huberKappa=1",
                "critic.atoms=51",
                "critic.meanHead=false",
                "critic.targets=gae",
                "returns.adaptiveFloor=0",
                "optimizer.maxGradientNorm=0.5",
                "risk.method=point-mass"));
    all.addAll(List.of(overrides));
    return parse(all.toArray(String[]::new));
  }

  /** The section {@code shop} is one that was added later; see {@link SectionsTest}. */
  @Test
  void shouldNotHashASettingThatIsAsBefore() {
    RunConfig config = parse("ppo.epochs=3");
    RunConfig same = parse("ppo.epochs=3", "shop.shelf.boards=2");
    RunConfig other = parse("ppo.epochs=3", "shop.shelf.boards=3");
    assertThat(ConfigDiff.hash(same)).isEqualTo(ConfigDiff.hash(config));
    assertThat(ConfigDiff.resumeHash(same)).isEqualTo(ConfigDiff.resumeHash(config));
    assertThat(ConfigDiff.hash(other)).isNotEqualTo(ConfigDiff.hash(config));
    assertThat(ConfigDiff.resumeHash(other)).isNotEqualTo(ConfigDiff.resumeHash(config));
  }

  @Test
  void shouldHashWhatHasAnEffect() {
    RunConfig config = parse();
    for (String setting : List.of("seed=2", "ppo.epochs=3", "environment.count=32")) {
      assertThat(ConfigDiff.hash(parse(setting))).isNotEqualTo(ConfigDiff.hash(config));
      assertThat(ConfigDiff.resumeHash(parse(setting))).isNotEqualTo(ConfigDiff.resumeHash(config));
    }
    for (String setting : List.of("training.steps=7", "evaluation.episodes=7")) {
      assertThat(ConfigDiff.hash(parse(setting))).isNotEqualTo(ConfigDiff.hash(config));
      assertThat(ConfigDiff.resumeHash(parse(setting))).isEqualTo(ConfigDiff.resumeHash(config));
    }
    for (String setting : List.of("training.threads=2", "health.rules.kl-high.threshold=1")) {
      assertThat(ConfigDiff.hash(parse(setting))).isEqualTo(ConfigDiff.hash(config));
      assertThat(ConfigDiff.resumeHash(parse(setting))).isEqualTo(ConfigDiff.resumeHash(config));
    }
  }

  /** The hash of the manifests that builds of format 0 wrote with default settings. */
  @Test
  void shouldRecogniseHashesOfFormatZero() {
    String stored = "5e2f2a8dc622af175da9d1f98e57172a338ba8da90c49754d0313406419d4aa8";
    assertThat(ConfigDiff.isResumeHash(stored, formatZero())).isTrue();
    assertThat(ConfigDiff.isResumeHash(stored, formatZero("shop.shelf.boards=2"))).isTrue();
    assertThat(ConfigDiff.isResumeHash(stored, formatZero("shop.shelf.boards=3"))).isFalse();
    assertThat(ConfigDiff.isResumeHash(stored, formatZero("ppo.epochs=3"))).isFalse();
    assertThat(FormatZero.yaml(formatZero("shop.shelf.boards=2")).orElseThrow())
        .contains("  quantiles: 32\n")
        .doesNotContain("meanHead", "targets", "particles", "shop");
    assertThat(FormatZero.yaml(formatZero("critic.meanHead=true"))).isEmpty();
  }

  @Test
  void shouldCompareMissingSettingsAsBefore() {
    ObjectNode stored = YamlConfig.toTree(parse());
    ((ObjectNode) stored.get("ppo")).remove("epochs");
    assertThat(ConfigDiff.changes(stored, parse())).isEmpty();
    assertThat(ConfigDiff.changes(stored, parse("ppo.epochs=3", "training.steps=7")))
        .extracting(Object::toString)
        .containsExactly("ppo.epochs is 3, was 10", "training.steps is 7, was 100000");
    assertThat(ConfigDiff.changes(stored, parse("shop.shelf.boards=3")))
        .extracting(Object::toString)
        .containsExactly("shop.shelf.boards is 3, was 2");
    assertThat(ConfigDiff.changes(MissingNode.getInstance(), parse("ppo.epochs=3"))).isEmpty();
  }
}
