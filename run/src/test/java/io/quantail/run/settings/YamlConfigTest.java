package io.quantail.run.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigException;
import io.quantail.config.CriticConfig;
import io.quantail.config.NetworkConfig;
import io.quantail.config.OptimizerConfig;
import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("CLI-2")
class YamlConfigTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing but a comment\n", "---\n", "{}"})
  void shouldUseDefaultsWhenNothingIsGiven(String yaml) {
    assertThat(parse(yaml)).isEqualTo(YamlConfig.defaults());
  }

  @Test
  void shouldPreferOverridesToFileAndFileToDefaults() throws IOException {
    Path file = directory.resolve("run.yaml");
    Files.writeString(file, "seed: 7\nppo:\n  epochs: 4\n  kl:\n    target: 0.02\n");

    RunConfig config =
        YamlConfig.load(file, List.of("ppo.epochs=5", "ppo.kl.target=0.03", "ppo.epochs=6"));

    assertThat(config.seed()).isEqualTo(7);
    assertThat(config.ppo().epochs()).isEqualTo(6);
    assertThat(config.ppo().kl().target()).isEqualTo(0.03);
    assertThat(config.ppo().kl().smoothWindow()).isEqualTo(10);
    assertThat(config.network()).isEqualTo(NetworkConfig.defaults());
  }

  @Test
  void shouldTakeNullForNullableSettings() {
    RunConfig config =
        parse("ppo: {kl: {target: 0.1, absoluteStopFactor: null}}", "ppo.kl.target=null");

    assertThat(config.ppo().kl().target()).isNull();
    assertThat(config.ppo().kl().absoluteStopFactor()).isNull();
  }

  @Test
  void shouldReplaceNullGradientNormByItsDefaultAndKeepZeroAsOff() {
    assertThat(parse("optimizer: {maxGradientNorm: null}").optimizer().maxGradientNorm())
        .isEqualTo(0.5);
    assertThat(parse("optimizer: {maxGradientNorm: 0}").optimizer().maxGradientNorm()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"leaky-relu", "leaky_relu", "LEAKY_RELU", "LeakyRelu"})
  void shouldAcceptAnySpellingOfAnEnum(String written) {
    assertThat(parse("", "network.activation=" + written).network().activation())
        .isEqualTo(NetworkConfig.Activation.LEAKY_RELU);
  }

  @ParameterizedTest
  @ValueSource(strings = {"AdamW", "adam-w", "ADAM_W"})
  void shouldAcceptAnySpellingOfAdamW(String written) {
    assertThat(parse("", "optimizer.name=" + written).optimizer().name())
        .isEqualTo(OptimizerConfig.Name.ADAMW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"AdaptiveUPGD", "adaptive_upgd", "adaptive-upgd", "ADAPTIVEUPGD"})
  void shouldAcceptAnySpellingOfAdaptiveUpgd(String written) {
    assertThat(parse("", "optimizer.name=" + written).optimizer().name())
        .isEqualTo(OptimizerConfig.Name.ADAPTIVE_UPGD);
  }

  @ParameterizedTest
  @CsvSource({"3e-4,3e-4", "3.0E-4,3e-4", "1e-2,0.01", ".5,0.5", "+0.25,0.25", "1,1"})
  void shouldReadNumbersInEveryCommonNotation(String written, double expected) {
    assertThat(parse("", "optimizer.learningRate=" + written).optimizer().learningRate())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"1e6,1000000", "1_000_000,1000000", "9007199254740993,9007199254740993", "12.0,12"})
  void shouldReadWholeNumbersExactly(String written, long expected) {
    assertThat(parse("", "training.steps=" + written).training().steps()).isEqualTo(expected);
  }

  @Test
  void shouldIgnoreByteOrderMark() {
    assertThat(parse("\uFEFFseed: 3").seed()).isEqualTo(3);
  }

  @Test
  void shouldAcceptWholeSectionAsOverride() {
    RunConfig config = parse("", "ppo.kl={target: 0.1, consecutive: 2}");

    assertThat(config.ppo().kl().target()).isEqualTo(0.1);
    assertThat(config.ppo().kl().consecutive()).isEqualTo(2);
  }

  @Test
  void shouldSayThatFileIsMissingOrNotText() throws IOException {
    Path binary = Files.write(directory.resolve("binary.yaml"), new byte[] {(byte) 0xC3, 0x28});

    assertThatThrownBy(() -> YamlConfig.load(directory.resolve("no.yaml"), List.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessage("configuration file " + directory.resolve("no.yaml") + " does not exist");
    assertThatThrownBy(() -> YamlConfig.load(directory, List.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessage("configuration file " + directory + " is a directory");
    assertThatThrownBy(() -> YamlConfig.load(binary, List.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessage("configuration file " + binary + " is not UTF-8 text");
  }

  @Test
  void shouldNameFileWithoutItsDirectoriesInMessages() throws IOException {
    Path file = Files.writeString(directory.resolve("cartpole.yaml"), "ppo: {clipRnage: 0.1}");

    assertThatThrownBy(() -> YamlConfig.load(file, List.of()))
        .hasMessage("unknown setting ppo.clipRnage in cartpole.yaml; did you mean ppo.clipRange?");
  }

  @Test
  void shouldWriteAFormatNumberIntoStoredSettings() throws IOException {
    RunConfig config = parse("", "ppo.epochs=5");
    Path file = directory.resolve("config.yaml");
    Files.writeString(file, YamlConfig.toStoredYaml(config));
    assertThat(file).content().isEqualTo("format: 3\n" + YamlConfig.toYaml(config));
    assertThat(YamlConfig.loadStored(file)).isEqualTo(config);
    assertThat(YamlConfig.load(file, List.of())).isEqualTo(config);
  }

  /** The section {@code shop} was added later; a stored run without a setting has two boards. */
  @Test
  void shouldTakeMissingSettingsOfAStoredFileAsBefore() throws IOException {
    Path file = directory.resolve("config.yaml");
    Files.writeString(file, "shop: {}");
    assertThat(boards(YamlConfig.load(file, List.of()))).isEqualTo("3");
    assertThat(boards(YamlConfig.loadStored(file))).isEqualTo("2");
    Files.writeString(file, "format: 1\nshop: {}");
    assertThat(boards(YamlConfig.load(file, List.of()))).isEqualTo("2");
  }

  /** The critics of builds before format 2 regressed on GAE returns and had no mean heads. */
  @ParameterizedTest
  @ValueSource(strings = {"", "format: 1\n"})
  void shouldTakeCriticsOfEarlierFormatsAsTheyWere(String format) throws IOException {
    Path file = directory.resolve("config.yaml");
    Files.writeString(file, format + "critic: {type: quantile}");
    CriticConfig critic = YamlConfig.loadStored(file).critic();
    assertThat(critic.targets()).isEqualTo(CriticConfig.Targets.GAE);
    assertThat(critic.meanHead()).isFalse();
    assertThat(critic.quantiles()).isEqualTo(32);
    assertThat(critic.huberKappa()).isEqualTo(1);
    assertThat(critic.atoms()).isEqualTo(51);
    assertThat(YamlConfig.loadStored(file).risk().method())
        .isEqualTo(RiskConfig.CvarMethod.POINT_MASS);
  }

  private static String boards(RunConfig config) {
    return ConfigDiff.flat(config).get("shop.shelf.boards");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4", "0", "one", "null", "1.5", "[1]"})
  void shouldRefuseAnotherFormat(String format) {
    assertThatThrownBy(() -> parse("format: " + format))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("format in test.yaml must be in [1, 3], was ")
        .hasMessageContaining("read the file with the build that wrote it");
    assertThatThrownBy(() -> parse("", "format=1"))
        .hasMessageStartingWith("unknown setting format in --set");
  }

  private static RunConfig parse(String yaml, String... overrides) {
    return YamlConfig.parse(yaml, "test.yaml", List.of(overrides));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{a: ", "- "})
  void shouldRefuseDeepNestingInOneLine(String level) {
    for (int levels : new int[] {40, 2000, 200_000}) {
      assertThatThrownBy(
              () -> YamlConfig.parse("seed: " + level.repeat(levels), "deep.yaml", List.of()))
          .isInstanceOf(ConfigException.class)
          .message()
          .startsWith("deep.yaml")
          .hasLineCount(1);
    }
  }
}
