package io.quantail.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.run.RunResult;
import io.quantail.run.TrainedAgent;
import io.quantail.run.ValidationHistory;
import io.quantail.run.evaluation.EpisodeEvaluationResult;
import io.quantail.run.health.AlertSummary;
import io.quantail.run.health.Severity;
import io.quantail.run.settings.YamlConfig;
import io.quantail.train.EvaluationSummary;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class TrainingSummaryTest {
  private static final EvaluationSummary EVALUATION =
      new EvaluationSummary(100, 487.25, 20.5, 401, 500, 487.25, 0.05, 1, 410, List.of(0.5, 0.5));

  @Test
  void shouldShowStepsCurveAndEvaluation() {
    String text = summary(List.of(), List.of(20.0, 250.0, 480.0));

    assertThat(text)
        .isEqualToNormalizingNewlines(
            """

            CartPole-v1, seed 1: 100,000 steps in 12.5 s (8,000 steps/s)

              learning    ▁▅█  20.0 → 480.0
              evaluation  487.3 ± 20.5 over 100 deterministic episodes (worst 401.0, best
                          500.0)
              alerts      none
              run         runs/demo-001
              look closer tensorboard --logdir runs/demo-001

            report: runs/demo-001/report.html
            """);
  }

  @Test
  void shouldListAlerts() {
    List<AlertSummary> alerts =
        List.of(
            alert("kl-high", Severity.WARNING, 9, true),
            alert("kl-stops", Severity.WARNING, 3, false),
            alert("return-scale", Severity.INFO, 9, false));

    assertThat(summary(alerts, List.of()))
        .containsIgnoringNewLines(
            """
              alerts      2 warnings, 1 info; more in alerts.jsonl
                warning   kl-high, updates 3 to 9, still active
                          seen: metric is 4, above 2
                          try:  something else
                warning   kl-stops, update 3
                          seen: metric is 4, above 2
                          try:  something else
                info      return-scale
            """);
  }

  private static AlertSummary alert(String rule, Severity severity, long last, boolean active) {
    return new AlertSummary(
        rule,
        severity,
        "metric",
        5,
        3,
        last,
        4,
        active,
        "message",
        "metric is 4, above 2",
        "something else");
  }

  @Test
  void shouldLeaveOutCurveWhenNoEpisodeEnded() {
    assertThat(summary(List.of(), List.of())).doesNotContain("learning");
  }

  @Test
  void shouldMarkSampledEvaluations() {
    assertThat(
            EvaluationText.line(new EpisodeEvaluationResult(EVALUATION, false, 1, null, List.of())))
        .contains("over 100 sampled episodes");
  }

  @Test
  void shouldTellTheChoiceByValidationWithin80Columns() {
    ValidationHistory passes = new ValidationHistory(1_200, 37_000, -0.01234, 115);
    TrainedAgent agent =
        new TrainedAgent("best-validation", 37_000, 52_000, TrainedAgent.End.PATIENCE, passes);
    String text = TrainedAgentText.lines(agent);
    assertThat(text)
        .isEqualToNormalizingNewlines(
            """
              validation  1,200 passes; the highest return is -0.0123, at update 37,000
              training    ended at update 52000: 115 validation passes without a higher
                          return
              chosen      agent of update 37000, the best of 1200 validation passes on the
                          validation bars, so its result there is not out of sample
            """);
    assertThat(TrainedAgentText.lines(new TrainedAgent("last", 1, 1, null, null))).isEmpty();
  }

  @Test
  void shouldNotDependOnTheLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(summary(List.of(), List.of())).contains("100,000 steps in 12.5 s");
    } finally {
      Locale.setDefault(before);
    }
  }

  private static String summary(List<AlertSummary> alerts, List<Double> curve) {
    RunResult result =
        new RunResult(
            "runs/demo-001",
            100_000,
            12.5,
            8000,
            new TrainedAgent("last", 50, 50, TrainedAgent.End.STEPS, null),
            new EpisodeEvaluationResult(EVALUATION, true, 1, null, List.of()),
            alerts,
            "runs/demo-001/report.html");
    return TrainingSummary.of(YamlConfig.defaults(), result, curve, null);
  }
}
