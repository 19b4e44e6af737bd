package io.quantail.study.population;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quantail.config.ConfigException;
import io.quantail.config.ConfigExtensions;
import io.quantail.config.RunConfig;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be a hyper-parameter, and how refusals read. */
@Requirement({"PBT-1", "CLI-2"})
class HyperparameterSpaceTest {
  private static RunConfig parse(String population) {
    return YamlConfig.parse("population: " + population, "pop.yaml", List.of());
  }

  private static HyperparameterSpace space(String hyperparameters, String... overrides) {
    RunConfig config =
        YamlConfig.parse(
            "population: {hyperparameters: {" + hyperparameters + "}}",
            "pop.yaml",
            List.of(overrides));
    return HyperparameterSpace.of(
        config.withModules(ConfigExtensions.none()),
        config.modules().find(PopulationConfig.class).orElseThrow());
  }

  @Test
  void shouldTakeNumbersWholeNumbersAndChoices() {
    HyperparameterSpace space =
        space(
            "optimizer.learningRate: {min: 1e-5, max: 1e-2, scale: log, factor: 1.5},"
                + "ppo.epochs: {min: 2, max: 20},"
                + "optimizer.schedule: {values: [constant, linear], resample: 0.5},"
                + "ppo.kl.earlyStop: {values: [true, false]},"
                + "rollout.gamma: {values: [0.9, 0.99, 0.999]}",
            "ppo.kl.target=0.01");
    assertThat(space.hyperparameters())
        .contains(
            new Hyperparameter(
                "optimizer.learningRate",
                new Hyperparameter.Range(1e-5, 1e-2, Hyperparameter.Scale.LOG, false),
                1.5,
                0.25),
            new Hyperparameter(
                "ppo.epochs",
                new Hyperparameter.Range(2, 20, Hyperparameter.Scale.LINEAR, true),
                1.2,
                0.25),
            new Hyperparameter(
                "optimizer.schedule",
                new Hyperparameter.Choice(List.of("constant", "linear")),
                1.2,
                0.5));
    assertThat(space.configured())
        .containsEntry("optimizer.learningRate", "0.0003")
        .containsEntry("ppo.kl.earlyStop", "true")
        .containsEntry("rollout.gamma", "0.99");
  }

  @Test
  void shouldTakeSchedulesAsChoicesButNotInARange() {
    String schedule = "{from: 0.2, to: 0, shape: linear}";
    String choices = "ppo.clipRange: {values: ['" + schedule + "', 0.2]}";
    String range = "ppo.clipRange: {min: 0.1, max: 0.3}";

    assertThat(space(choices, "ppo.clipRange=" + schedule).configured())
        .containsEntry("ppo.clipRange", schedule);
    assertThat(space(choices).configured()).containsEntry("ppo.clipRange", "0.2");
    assertThatThrownBy(() -> space(range, "ppo.clipRange=" + schedule))
        .hasMessage(
            "population.hyperparameters.ppo.clipRange is "
                + schedule
                + " and no number; give values instead of a range");
  }

  @Test
  void shouldReadBackWhatItWrote() {
    RunConfig config =
        parse(
            "{size: 4, hyperparameters: {ppo.epochs: {values: [2, 4]}, ppo.clipRange: {min: 0.1,"
                + " max: 0.3}}}");
    assertThat(YamlConfig.parse(YamlConfig.toYaml(config), "written", List.of())).isEqualTo(config);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "optimizer.learningRat: {min: 1e-5, max: 1e-2} | names no setting; did you mean"
            + " optimizer.learningRate?",
        "optimizer: {min: 1e-5, max: 1e-2} | is a section; name one of its settings, such as"
            + " optimizer.name",
        "optimizer.schedule: {min: 0, max: 1} | is constant and no number; give values instead of a"
            + " range",
        "network.hidden: {min: 8, max: 64} | is the same for all members",
        "seed: {min: 1, max: 64} | is the same for all members",
        "training.steps: {min: 1, max: 64} | is the same for all members",
        "ppo.kl.penalty: {min: 0.1, max: 1} | is only read when a run begins",
        "risk.alpha: {min: 0.01, max: 0.1} | has no effect while risk.mode is off; set risk.mode"
            + " first",
        "robust.epsilon: {min: 0.01, max: 0.2} | has no effect while robust.mode is off; set"
            + " robust.mode first",
        "optimizer.momentum: {min: 0, max: 0.9} | has no effect while optimizer.name is adam",
        "optimizer.sigma: {min: 0, max: 0.9} | has no effect while optimizer.name is adam",
        "optimizer.vgs.beta: {min: 0.1, max: 0.9} | has no effect while optimizer.vgs.enabled is"
            + " false",
        "ppo.kl.epochDecay: {min: 0.1, max: 1} | has no effect while ppo.kl.target is null",
        "ppo.clipRange: {min: 0.1, max: 1.5} | allows what is not possible: ppo.clipRange must be"
            + " in (0, 1), was 1.5",
        "ppo.clipRange: {min: 0.3, max: 0.4} | leaves out the value it begins with: ppo.clipRange"
            + " is 0.2",
        "optimizer.learningRate: {values: [0.1, 0.2]} | leaves out the value it begins with"
      })
  void shouldRefuseWhatCannotBeMoved(String hyperparameter, String message) {
    Throwable thrown = catchThrowable(() -> space(hyperparameter));
    assertThat(thrown).isInstanceOf(ConfigException.class).hasMessageContaining(message);
    assertThat(thrown.getMessage())
        .startsWith("population.hyperparameters." + hyperparameter.split(":")[0] + " ");
  }

  @Test
  void shouldTakeWhatTheModesRead() {
    assertThat(space("robust.epsilon: {min: 0.01, max: 0.2}", "robust.mode=state-adversarial"))
        .isNotNull();
    assertThat(space("risk.margin: {min: 0, max: 0.2}", "risk.mode=policy", "risk.limit=-1"))
        .isNotNull();
    assertThat(space("optimizer.sigma: {min: 0, max: 0.2}", "optimizer.name=upgd")).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{size: 1} | population.size must be at least 2, since a single member has no other to copy;"
            + " was 1",
        "{truncation: 0.6} | population.truncation must be in (0, 0.5]",
        "{truncation: 0} | population.truncation must be in (0, 0.5]",
        "{generations: 0} | population.generations must be at least 1, was 0",
        "{stepsPerGeneration: 0} | population.stepsPerGeneration must be positive, was 0",
        "{quorum: 0} | population.quorum must be in (0, 1], was 0",
        "{sizes: 3} | unknown setting population.sizes in pop.yaml; did you mean population.size?",
        "{hyperparameters: {a.b: {min: 1, max: 2, scael: log}}} | unknown setting"
            + " population.hyperparameters.a.b.scael",
        "{hyperparameters: {a: {min: 0, max: 1, scale: log}}} | population.hyperparameters.a.min"
            + " must be positive when scale is log, was 0",
        "{hyperparameters: {a: {min: 2, max: 1}}} | population.hyperparameters.a.min must be less"
            + " than max (1.0), was 2.0",
        "{hyperparameters: {a: {min: 2}}} | population.hyperparameters.a needs both min and max",
        "{hyperparameters: {a: {}}} | population.hyperparameters.a needs either min and max or"
            + " values",
        "{hyperparameters: {a: {values: [1]}}} | population.hyperparameters.a.values needs two or"
            + " more different ones",
        "{hyperparameters: {a: {min: 1, max: 2, factor: 1}}} | population.hyperparameters.a.factor"
            + " must be greater than 1, was 1.0",
        "{hyperparameters: {a: {min: 1, max: 2, resample: 2}}} |"
            + " population.hyperparameters.a.resample must be in [0, 1], was 2"
      })
  void shouldRefuseSettingsOutOfRange(String population, String message) {
    assertThatThrownBy(() -> parse(population))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{size: 2}", "{truncation: 0.5}", "{quorum: 1}"})
  void shouldTakeTheEndsOfRanges(String population) {
    assertThat(parse(population).modules().find(PopulationConfig.class)).isPresent();
  }
}
