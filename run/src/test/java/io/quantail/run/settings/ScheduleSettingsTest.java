package io.quantail.run.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.config.CoefficientSchedule;
import io.quantail.config.CoefficientSchedule.Shape;
import io.quantail.config.ConfigException;
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

/** Schedules in files and overrides. */
@Requirement({"POL-4", "CLI-2"})
class ScheduleSettingsTest {
  private static final CoefficientSchedule FALLING = new CoefficientSchedule(0.2, 0, Shape.LINEAR);

  private static RunConfig parse(String yaml, String... overrides) {
    return YamlConfig.parse(yaml, "run.yaml", List.of(overrides));
  }

  private static CoefficientSchedule clipRange(String yaml, String... overrides) {
    return parse(yaml, overrides).ppo().clipRange();
  }

  @Test
  void shouldReadSchedulesFromFilesAndOverrides() {
    assertThat(clipRange("ppo: {clipRange: {from: 0.2, to: 0.0}}")).isEqualTo(FALLING);
    assertThat(clipRange("", "ppo.clipRange={from: 0.2, to: 0.0}")).isEqualTo(FALLING);
    assertThat(clipRange("", "ppo.clipRange={from: 0.2, to: 0, shape: Cosine}"))
        .isEqualTo(new CoefficientSchedule(0.2, 0, Shape.COSINE));
    assertThat(clipRange("", "ppo.clipRange=0.1")).isEqualTo(CoefficientSchedule.constant(0.1));
    assertThat(clipRange("", "ppo.clipRange={from: 0.1, to: 0.1}"))
        .isEqualTo(CoefficientSchedule.constant(0.1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ppo.clipRange",
        "ppo.entropy.coefficient",
        "ppo.cloning.coefficient",
        "critic.coefficient",
        "risk.penalty.weight"
      })
  void shouldScheduleEachCoefficientAndReadBackWhatItWrote(String path) {
    RunConfig config = parse("", path + "={from: 0.25, to: 0.0625, shape: cosine}");

    assertThat(ConfigDiff.flat(config))
        .containsEntry(path, "{from: 0.25, to: 0.0625, shape: cosine}");
    assertThat(config).isNotEqualTo(YamlConfig.defaults());
    assertThat(parse(YamlConfig.toYaml(config))).isEqualTo(config);
  }

  @Test
  void shouldChangeOnlyTheGivenPart() {
    String cosine = "ppo: {clipRange: {from: 0.3, to: 0.1, shape: cosine}}";

    assertThat(clipRange("", "ppo.clipRange.to=0")).isEqualTo(FALLING);
    assertThat(clipRange("ppo: {clipRange: 0.4}", "ppo.clipRange.to=0"))
        .isEqualTo(new CoefficientSchedule(0.4, 0, Shape.LINEAR));
    assertThat(clipRange(cosine, "ppo.clipRange.to=0"))
        .isEqualTo(new CoefficientSchedule(0.3, 0, Shape.COSINE));
    assertThat(clipRange(cosine, "ppo.clipRange.from=0.2", "ppo.clipRange.shape=linear"))
        .isEqualTo(new CoefficientSchedule(0.2, 0.1, Shape.LINEAR));
    assertThat(clipRange(cosine, "ppo.clipRange={from: 0.2, to: 0}")).isEqualTo(FALLING);
    assertThat(clipRange(cosine, "ppo.clipRange=0.2")).isEqualTo(CoefficientSchedule.constant(0.2));
    assertThat(clipRange("", "ppo.clipRange.to=0", "ppo.clipRange=0.3", "ppo.clipRange.to=0.1"))
        .isEqualTo(new CoefficientSchedule(0.3, 0.1, Shape.LINEAR));
  }

  @Test
  void shouldWriteAConstantAsANumber() {
    RunConfig config = parse("", "ppo.clipRange=0.20");

    assertThat(YamlConfig.toYaml(config)).contains("  clipRange: 0.2\n");
    assertThat(config).isEqualTo(YamlConfig.defaults());
    assertThat(ConfigDiff.hash(config)).isEqualTo(ConfigDiff.hash(YamlConfig.defaults()));
  }

  @Test
  void shouldHashAndCompareAScheduleAsOneSetting() {
    RunConfig config = parse("", "ppo.clipRange={from: 0.2, to: 0}");
    ObjectNode before = YamlConfig.toTree(YamlConfig.defaults());

    assertThat(ConfigDiff.hash(config)).isNotEqualTo(ConfigDiff.hash(YamlConfig.defaults()));
    assertThat(ConfigDiff.hash(config))
        .isEqualTo(ConfigDiff.hash(parse("", "ppo.clipRange={to: 0.0, from: 2e-1}")));
    assertThat(ConfigDiff.changes(before, config))
        .extracting(Object::toString)
        .containsExactly("ppo.clipRange is {from: 0.2, to: 0, shape: linear}, was 0.2");
    JsonNode value = ConfigDiff.find("--grid ", "ppo.clipRange", config);
    assertThat(ConfigDiff.written(value)).isEqualTo(config.ppo().clipRange().toString());
  }

  @Test
  void shouldReadAStoredScheduleBack(@TempDir Path directory) throws IOException {
    RunConfig config = parse("", "ppo.clipRange={from: 0.2, to: 0}", "critic.coefficient.to=0.1");
    Path file = directory.resolve("config.yaml");
    Files.writeString(file, YamlConfig.toStoredYaml(config));

    assertThat(YamlConfig.loadStored(file)).isEqualTo(config);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "ppo.clipRange={from: 0.2, too: 0} | unknown setting ppo.clipRange.too; ppo.clipRange is a"
            + " number or {from: 0.2, to: 0, shape: linear}",
        "ppo.clipRange={from: 0.2} | ppo.clipRange needs an end, such as to in {from: 0.2, to: 0,"
            + " shape: linear}",
        "ppo.clipRange={from: 0.2, to: 0, shape: steps} | ppo.clipRange.shape must be one of linear,"
            + " cosine, was \"steps\"",
        "ppo.clipRange={from: 0.2, to: 0, shape: cosin} | ppo.clipRange.shape must be one of linear,"
            + " cosine, was \"cosin\"; did you mean cosine?",
        "ppo.clipRange={from: 0.2, to: 0, shape: constant} | ppo.clipRange.shape must be one of"
            + " linear, cosine, was \"constant\"",
        "ppo.clipRange={from: wide, to: 0} | ppo.clipRange.from must be a finite number, was"
            + " \"wide\"",
        "ppo.clipRange={from: 0.2, to: .nan} | ppo.clipRange.to must be a finite number, was"
            + " \".nan\"",
        "ppo.clipRange={from: 0.2, to: null} | ppo.clipRange needs an end, such as to in {from: 0.2,"
            + " to: 0, shape: linear}",
        "ppo.clipRange={from: null, to: 0} | ppo.clipRange.from needs a value, was null",
        "ppo.clipRange=[0.2, 0] | ppo.clipRange must be a finite number, was a list",
        "ppo.clipRange={from: 1.2, to: 0} | ppo.clipRange.from must be in (0, 1), was 1.2",
        "rollout.gamma={from: 0.9, to: 0.99} | rollout.gamma must be a finite number, was a section",
        "rollout.gamma.to=0.99 | rollout.gamma must be a finite number, was a section",
        "risk.multiplier.rate={from: 1, to: 0} | risk.multiplier.rate must be a finite number, was"
            + " a section",
      })
  void shouldRefuseInOneLine(String override, String message) {
    assertThatThrownBy(() -> parse("", override))
        .isInstanceOf(ConfigException.class)
        .hasMessage(message);
  }
}
