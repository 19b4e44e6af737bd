package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.ConfigLoader;
import io.quantail.train.Evaluator.Evaluation;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class SummaryTest {
  private static final Evaluation EVALUATION = new Evaluation(100, 487.25, 20.5, 401, 500, 487.25);

  @Test
  void shouldTellWhatAPersonWantsToKnow() {
    String text = summary(List.of(), List.of(20.0, 250.0, 480.0));

    assertThat(text)
        .isEqualToNormalizingNewlines(
            """

            CartPole-v1, seed 1: 100,000 steps in 12.5 s (8,000 steps/s)

              learning    ▁▅█  20.0 → 480.0
              evaluation  487.3 ± 20.5 over 100 deterministic episodes (worst 401.0, best 500.0)
              alerts      none
              run         runs/demo-001
              look closer tensorboard --logdir runs/demo-001

            report: runs/demo-001/report.html
            """);
  }

  @Test
  void shouldNameAlerts() {
    List<Alerts.Alert> alerts =
        List.of(new Alerts.Alert("warn/a", 3, 1, 2.0), new Alerts.Alert("warn/b", 1, 9, 1.0));

    assertThat(summary(alerts, List.of(1.0)))
        .containsSubsequence(
            "  alerts      warn/a, updates: 3\n", "              warn/b, updates: 1\n");
  }

  @Test
  void shouldLeaveOutCurveWhenNoEpisodeEnded() {
    assertThat(summary(List.of(), List.of())).doesNotContain("learning");
  }

  @Test
  void shouldSaySampled() {
    assertThat(Summary.evaluation(EVALUATION, false)).contains("over 100 sampled episodes");
  }

  @Test
  void shouldWriteNumbersTheSameInEveryCountry() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(summary(List.of(), List.of())).contains("100,000 steps in 12.5 s");
    } finally {
      Locale.setDefault(before);
    }
  }

  private static String summary(List<Alerts.Alert> alerts, List<Double> curve) {
    TrainingSession.Result result =
        new TrainingSession.Result(
            "runs/demo-001",
            100_000,
            12.5,
            8000,
            new EpisodeAssessment.Episodes(EVALUATION, true, 1),
            alerts,
            "runs/demo-001/report.html");
    return Summary.of(ConfigLoader.defaults(), result, curve);
  }
}
