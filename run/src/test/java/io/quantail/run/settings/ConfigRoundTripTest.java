package io.quantail.run.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.CoefficientSchedule;
import io.quantail.config.ConfigExtensions;
import io.quantail.config.EnvironmentConfig;
import io.quantail.config.NetworkConfig;
import io.quantail.config.RunConfig;
import io.quantail.testing.Requirement;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Requirement("CLI-2")
class ConfigRoundTripTest {
  @Example
  void shouldWriteDefaultsAsPlainYaml() {
    assertThat(YamlConfig.toYaml(YamlConfig.defaults()))
        .startsWith("seed: 1\nenvironment:\n  name: CartPole-v1\n  count: 16\n")
        .contains("  learningRate: 0.0003\n")
        .contains("  epsilon: 0.00000001\n")
        .contains("    target: null\n")
        .contains("  mode: z-score\n");
  }

  @Example
  void shouldReadBackWhatItWroteForDefaults() {
    assertThat(roundTrip(YamlConfig.defaults())).isEqualTo(YamlConfig.defaults());
  }

  @Property(tries = 400)
  void shouldReadBackWhatItWroteForAnyOverrides(@ForAll("overrides") List<String> overrides) {
    RunConfig config = YamlConfig.parse("", "test.yaml", overrides);

    assertThat(roundTrip(config)).isEqualTo(config);
  }

  @Property(tries = 400)
  void shouldKeepAnyEnvironmentName(@ForAll("names") String name) {
    RunConfig defaults = YamlConfig.defaults();
    RunConfig config =
        new RunConfig(
            2,
            new EnvironmentConfig(name, 16, true, 10, 300, EnvironmentConfig.Faults.defaults()),
            defaults.network(),
            defaults.critic(),
            defaults.returns(),
            defaults.risk(),
            defaults.robust(),
            defaults.rollout(),
            defaults.ppo(),
            defaults.optimizer(),
            defaults.training(),
            defaults.evaluation(),
            ConfigExtensions.none());

    assertThat(roundTrip(config)).isEqualTo(config);
  }

  @Example
  void shouldChangeOnlyTheSeed() {
    RunConfig config = YamlConfig.defaults().withSeed(99);

    assertThat(config.seed()).isEqualTo(99);
    assertThat(config.withSeed(1)).isEqualTo(YamlConfig.defaults());
  }

  @Provide
  Arbitrary<List<String>> overrides() {
    Arbitrary<String> one =
        Arbitraries.oneOf(
            setting("seed", Arbitraries.longs()),
            setting("training.steps", Arbitraries.longs().greaterOrEqual(1)),
            setting("ppo.clipRange", exclusiveUnit()),
            setting("ppo.clipRange", schedules()),
            setting("critic.coefficient", schedules()),
            setting("ppo.clipRange.to", exclusiveUnit()),
            setting("rollout.gaeLambda", exclusiveUnit()),
            setting("optimizer.beta2", exclusiveUnit()),
            setting("optimizer.epsilon", Arbitraries.doubles().between(1e-12, 1e12).ofScale(20)),
            setting("optimizer.maxGradientNorm", Arbitraries.doubles().between(-1e30, 1e30)),
            setting("returns.scaleCap", Arbitraries.of(5e-324, 1e-3, 0.1 + 0.2, Double.MAX_VALUE)),
            setting("ppo.kl.target", exclusiveUnit().injectNull(0.3)),
            setting("ppo.kl.absoluteStopFactor", Arbitraries.of(null, 0.5, 3.0)),
            setting("network.activation", Arbitraries.of(NetworkConfig.Activation.class)),
            setting("optimizer.schedule", Arbitraries.of("one-cycle", "ONE_CYCLE", "Cosine")),
            setting("optimizer.name", Arbitraries.of("SGD", "adam-w", "Adam")),
            setting("critic.twin", Arbitraries.of(true, false)),
            setting("critic.quantiles", Arbitraries.integers().between(1, 1024)));
    return one.list().ofMaxSize(8);
  }

  @Provide
  Arbitrary<String> names() {
    Arbitrary<String> awkward =
        Arbitraries.of(
            "null",
            "~",
            "true",
            "yes",
            "no",
            "12",
            "1e5",
            "0x1F",
            "010",
            "1_000",
            ".inf",
            ".nan",
            "# x",
            "a: b",
            "- a",
            "*a",
            "&a",
            "!a",
            "%a",
            "@a",
            "`a`",
            "{a",
            "[a",
            "'",
            "\"",
            " a ",
            "a\nb",
            "a\tb",
            "a #b",
            "?",
            "-",
            "|",
            ">",
            "<<",
            "=",
            "é",
            "2001-01-01",
            "---",
            "...");
    return Arbitraries.oneOf(awkward, Arbitraries.strings().ascii().ofMinLength(1).ofMaxLength(8))
        .filter(name -> !name.isBlank());
  }

  private static Arbitrary<Double> exclusiveUnit() {
    return Arbitraries.doubles().between(0, 1).ofScale(17).filter(value -> value > 0 && value < 1);
  }

  private static Arbitrary<CoefficientSchedule> schedules() {
    return Combinators.combine(
            exclusiveUnit(),
            exclusiveUnit(),
            Arbitraries.of(CoefficientSchedule.Shape.LINEAR, CoefficientSchedule.Shape.COSINE))
        .as(CoefficientSchedule::new);
  }

  private static Arbitrary<String> setting(String path, Arbitrary<?> values) {
    return values.map(value -> path + "=" + value);
  }

  private static RunConfig roundTrip(RunConfig config) {
    return YamlConfig.parse(YamlConfig.toYaml(config), "resolved.yaml", List.of());
  }
}
