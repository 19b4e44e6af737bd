package io.quantail.run.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.Check;
import io.quantail.config.ConfigException;
import io.quantail.config.ConfigExtension;
import io.quantail.config.ConfigExtensions;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingRule;
import io.quantail.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A module's section is as strict as the learner's own, and there only if it is asked for. */
@Requirement("CLI-2")
class SectionsTest {
  /** What the section of a module may hold. */
  public record Shop(String name, List<Double> prices, Shelf shelf) {
    public Shop {
      Check.notBlank("shop.name", name);
    }
  }

  /** A section inside it. */
  public record Shelf(int boards, Double width) {
    public Shelf {
      Check.within("shop.shelf.boards", boards, 1, 9);
    }
  }

  /** Found through {@code META-INF/services} of the test resources. */
  public static final class ShopSection implements ConfigExtension {
    @Override
    public String name() {
      return "shop";
    }

    @Override
    public Record defaults() {
      return new Shop("corner", List.of(1.0), new Shelf(3, null));
    }

    /** As if the section had been added after runs were stored, when shelves had two boards. */
    @Override
    public List<SettingRule> rules() {
      return SettingRule.parse(
          List.of(
              "setting           | resume | population | effect   | idle | since | before",
              "shop.name         | keep   | fixed      | learning |      | 1     | corner",
              "shop.prices       | keep   | fixed      | learning |      | 1     | [1]",
              "shop.shelf.boards | keep   | fixed      | learning |      | 1     | 2",
              "shop.shelf.width  | keep   | fixed      | learning |      | 1     | null"));
    }
  }

  @Test
  void shouldBeAbsentUnlessNamed() {
    RunConfig config = YamlConfig.parse("seed: 3", "run.yaml", List.of());
    assertThat(config.modules()).isEqualTo(ConfigExtensions.none());
    assertThat(YamlConfig.toYaml(config)).doesNotContain("shop", "modules");
  }

  @Test
  void shouldOverlayItsDefaults() {
    RunConfig config =
        YamlConfig.parse("shop: {prices: [2, 2.5]}", "run.yaml", List.of("shop.shelf.boards=4"));
    Shop expected = new Shop("corner", List.of(2.0, 2.5), new Shelf(4, null));
    assertThat(config.modules().find(Shop.class)).contains(expected);
  }

  @Test
  void shouldReadBackWhatItWrote() {
    RunConfig config = YamlConfig.parse("shop: {name: \"12\", prices: []}", "run.yaml", List.of());
    String yaml = YamlConfig.toYaml(config);
    assertThat(YamlConfig.parse(yaml, "copy.yaml", List.of())).isEqualTo(config);
    assertThat(config.withSeed(8).modules()).isEqualTo(config.modules());
  }

  @Test
  void shouldRefuseLikeTheOtherSections() {
    refused("shop: {nmae: x}", "unknown setting shop.nmae in run.yaml; did you mean shop.name?");
    refused("shop: {shelf: {boards: 10}}", "shop.shelf.boards must be in [1, 9], was 10");
    refused("shop: {prices: 3}", "shop.prices must be a list, was 3");
    refused("shop: {prices: [1, two]}", "shop.prices[1] must be a finite number, was \"two\"");
    refused("shop: {prices: [1, null]}", "shop.prices[1] needs a value, was null");
    refused("modules: {shop: {}}", "unknown setting modules in run.yaml; allowed here: ");
  }

  private static void refused(String yaml, String message) {
    assertThatThrownBy(() -> YamlConfig.parse(yaml, "run.yaml", List.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(message);
  }
}
