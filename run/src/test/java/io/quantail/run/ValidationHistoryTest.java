package io.quantail.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.config.TrainingConfig;
import io.quantail.config.TrainingConfig.Keep;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.metrics.MetricRow;
import io.quantail.run.evaluation.ValidationPass;
import io.quantail.run.evaluation.ValidationSchedule;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("VALID-1")
class ValidationHistoryTest {
  private static MetricRow row(long update, double score) {
    return new MetricRow(update, 64 * update, 0, Map.of(ValidationPass.SCORE, score));
  }

  /** Scores 1, 3, 3, 2: the second is the best, the third is not better. */
  @Test
  void shouldFindTheEarliestOfTheBestPasses() {
    ValidationHistory history = ValidationHistory.NONE;
    assertThat(history.exhausts(1)).isFalse();
    history = history.with(row(2, 1)).with(row(4, 3));
    assertThat(history).isEqualTo(new ValidationHistory(2, 4, 3, 0));
    history = history.with(new MetricRow(5, 320, 0, Map.of("train/loss", 9.0)));
    assertThat(history.passes()).as("a row without a pass").isEqualTo(2);
    history = history.with(row(6, 3)).with(row(8, 2));
    assertThat(history).isEqualTo(new ValidationHistory(4, 4, 3, 2));
    assertThat(history.exhausts(3)).isFalse();
    assertThat(history.exhausts(2)).isTrue();
    assertThat(history.exhausts(null)).isFalse();
    assertThat(history.with(row(10, 4))).isEqualTo(new ValidationHistory(5, 10, 4, 0));
  }

  @Test
  void shouldTellWhichAgentIsKeptAndWhyTrainingEnded() {
    ValidationHistory history = new ValidationHistory(12, 37, 0.01, 5);
    TrainedAgent best = TrainedAgent.of(settings(Keep.BEST_VALIDATION, 5), 52, false, history);
    assertThat(best.update()).isEqualTo(37);
    assertThat(best.ended()).isEqualTo(TrainedAgent.End.PATIENCE);
    assertThat(best.choice()).contains("agent of update 37, the best of 12 validation passes");
    assertThat(best.earlyEnd())
        .contains("ended at update 52: 5 validation passes without a higher return");

    TrainedAgent last = TrainedAgent.of(settings(Keep.LAST, null), 52, true, history);
    assertThat(last.update()).isEqualTo(52);
    assertThat(last.ended()).isEqualTo(TrainedAgent.End.STEPS);
    assertThat(last.choice()).isEmpty();
    assertThat(last.earlyEnd()).isEmpty();

    TrainedAgent running =
        TrainedAgent.of(settings(Keep.BEST_VALIDATION, 6), 52, false, ValidationHistory.NONE);
    assertThat(running.update()).isEqualTo(52);
    assertThat(running.ended()).isNull();
    assertThat(running.validation()).isNull();
    assertThat(running.choice()).isEmpty();
    assertThat(TrainedAgent.choice(3, null))
        .isEqualTo("agent of update 3, the best of the validation passes");
  }

  private static TrainingConfig settings(Keep keep, Integer patience) {
    return new TrainingConfig(1000, 0, 50, 0, 1, null, 20, keep, patience);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "training.keep=best-validation | training.keep best-validation needs validation passes, and"
            + " CartPole-v1 has them only with training.validationUpdates; set training.keep to"
            + " last",
        "training.patience=4 | training.patience 4 needs validation passes, and CartPole-v1 has"
            + " them only with training.validationUpdates; set training.patience to null",
      })
  void shouldRefuseAChoiceByValidationWithoutPasses(String setting, String message) {
    RunConfig config = YamlConfig.parse("", "run.yaml", List.of(setting));
    assertThatThrownBy(() -> ValidationSchedule.of(config, EnvironmentRegistry.of(config)))
        .isInstanceOf(ConfigException.class)
        .hasMessage(message);
  }

  @Test
  void shouldValidateByEpisodesWhereThereAreNoPartsOfDataIfItIsRequested() {
    RunConfig config = YamlConfig.parse("", "run.yaml", List.of("training.validationUpdates=2"));
    assertThat(ValidationSchedule.of(config, EnvironmentRegistry.of(config)))
        .hasValueSatisfying(schedule -> assertThat(schedule.interval()).isEqualTo(2));
  }

  @Test
  void shouldNotValidateWhereThereAreNoPartsOfDataOrItIsSwitchedOff() {
    for (String setting : List.of("seed=2", "training.validationUpdates=0")) {
      RunConfig config = YamlConfig.parse("", "run.yaml", List.of(setting));
      assertThat(ValidationSchedule.of(config, EnvironmentRegistry.of(config))).isEmpty();
    }
    assertThatThrownBy(
            () ->
                YamlConfig.parse(
                    "",
                    "run.yaml",
                    List.of("training.validationUpdates=0", "training.keep=best-validation")))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "training.keep best-validation needs validation passes, and training.validationUpdates"
                + " is 0; set training.keep to last");
  }

  @Test
  void shouldBeDueEveryIntervalAndAfterTheLastUpdate() {
    ValidationSchedule schedule = new ValidationSchedule(null, 3);
    assertThat(List.of(1L, 2L, 3L, 4L, 6L).stream().filter(u -> schedule.due(u, false)))
        .containsExactly(3L, 6L);
    assertThat(schedule.due(4, true)).isTrue();
    assertThatThrownBy(() -> new ValidationSchedule(null, 0))
        .hasMessage("interval must be at least 1, was 0");
  }
}
