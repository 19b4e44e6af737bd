package io.quantail.run.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.metrics.MetricRow;
import io.quantail.run.health.AlertEvent.State;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** When alerts begin and end. */
@Requirement("HEALTH-1")
class HealthTest {
  private static final String LOSS = "train/reward_raw_p50"; // watched by no built-in rule
  private static final String OTHER = "train/reward_raw_p95";

  @Test
  void shouldRaiseAfterPatienceAndEndAfterCalm() {
    String rule = "when: above, threshold: 5, patience: 2, calm: 3";
    assertThat(events(rule, 9, 1, 9, 9, 9, 1, 1, 9, 1, 1, 1, 9))
        .containsExactly("raised 4", "ended 11");
  }

  @Test
  void shouldNotCountTheWarmup() {
    assertThat(events("when: above, threshold: 5, patience: 2, warmup: 2", 9, 9, 9, 9))
        .containsExactly("raised 4");
  }

  @Test
  void shouldTakeWhatIsMissingForNeitherGoodNorBad() {
    assertThat(events("when: above, threshold: 5, patience: 2, calm: 1", 9, NONE, 9, NONE, 9, 1))
        .containsExactly("raised 3", "ended 6");
  }

  @Test
  void shouldJudgeEachKindAtItsThreshold() {
    assertThat(events("when: above, threshold: 5", 5, 5.1)).containsExactly("raised 2");
    assertThat(events("when: below, threshold: 5", 5, 4.9)).containsExactly("raised 2");
    assertThat(events("when: beyond, threshold: 5", 5, -5, -5.1)).containsExactly("raised 3");
    assertThat(events("when: apart, threshold: 100", 100, 0.01, 101)).containsExactly("raised 3");
    assertThat(events("when: apart, threshold: 100", 1, 0.0099)).containsExactly("raised 2");
    assertThat(events("when: present", NONE, 0)).containsExactly("raised 2");
    assertThat(events("when: absent", 0, NONE)).containsExactly("raised 2");
  }

  @Test
  void shouldCompareWithTheMeanOfTheWindowBefore() {
    assertThat(events("when: grown, threshold: 3, window: 2", 1, 3, 6, 13.6))
        .containsExactly("raised 4"); // means 2 and 4.5
    assertThat(events("when: shrunk, threshold: 3, window: 2", 6, 6, 2, 1.3))
        .containsExactly("raised 4"); // means 6 and 4
    assertThat(events("when: dropped, threshold: 0.5, window: 2", 1, 0, 0, -0.6))
        .containsExactly("raised 4"); // means 0.5 and 0
    assertThat(events("when: grown, threshold: 3, window: 2", 1, 1000)).isEmpty();
  }

  @Test
  void shouldDivideByAnotherMetric() {
    HealthMonitor health =
        health("mine: {metric: " + LOSS + ", per: " + OTHER + ", when: above}", 2);
    assertThat(health.inspect(row(1, Map.of(LOSS, 9.0)))).isEmpty();
    assertThat(health.inspect(row(2, Map.of(LOSS, 9.0, OTHER, 0.0)))).isEmpty();
    assertThat(health.inspect(row(3, Map.of(LOSS, 9.0, OTHER, 4.5)))).isEmpty();
    assertThat(health.inspect(row(4, Map.of(LOSS, 9.0, OTHER, 4.0))))
        .extracting(AlertEvent::value)
        .containsExactly(2.25);
  }

  @Test
  void shouldExcuseWhereAnotherRuleHolds() {
    HealthMonitor health =
        health(
            "quiet: {metric: %s, when: below, threshold: 0, enabled: false}, ".formatted(OTHER)
                + "mine: {metric: %s, when: above, calm: 1, unless: [quiet]}".formatted(LOSS),
            5);
    assertThat(health.inspect(row(1, Map.of(LOSS, 9.0, OTHER, -1.0)))).isEmpty();
    assertThat(health.inspect(row(2, Map.of(LOSS, 9.0, OTHER, 1.0))))
        .extracting(AlertEvent::state)
        .containsExactly(State.RAISED);
    assertThat(health.inspect(row(3, Map.of(LOSS, 9.0, OTHER, -1.0))))
        .extracting(AlertEvent::state)
        .containsExactly(State.ENDED);
  }

  @Test
  void shouldNameTheWorstOfSeveral() {
    HealthMonitor health = new HealthMonitor(HealthRules.builtIn());
    Map<String, Double> values =
        Map.of(
            "train/lstm_grad_norm/actor.lstm.0", 60.0,
            "train/lstm_grad_norm/critic.lstm.0", 70.0);
    health.inspect(row(1, values));
    health.inspect(row(2, values));
    assertThat(health.inspect(row(3, values)))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.rule()).isEqualTo("lstm-gradient");
              assertThat(event.metric()).isEqualTo("train/lstm_grad_norm/critic.lstm.0");
              assertThat(event.seen())
                  .isEqualTo("train/lstm_grad_norm/critic.lstm.0 is 70, above 50 for 3 updates");
            });
  }

  @Test
  void shouldTellOtherValuesBeside() {
    HealthMonitor health = new HealthMonitor(HealthRules.builtIn());
    Map<String, Double> values = Map.of("train/loss", -2345.678, "train/policy_loss", 1e-9);
    assertThat(health.inspect(row(7, values)))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.seen())
                  .isEqualTo("train/loss is -2346, beyond ±1000; train/policy_loss 1e-9");
              assertThat(event.why()).isNotBlank();
              assertThat(event.advice()).isNotBlank();
              assertThat(event.update()).isEqualTo(7);
              assertThat(event.steps()).isEqualTo(700);
            });
  }

  @Test
  void shouldMarkRowsFromTheFirstAlertOn() {
    HealthMonitor health = health("mine: {metric: " + LOSS + ", when: above, calm: 1}", 5);
    List<Double> marks = new ArrayList<>();
    for (double value : new double[] {1, 9, 9, 1, 1}) {
      MetricRow row = row(marks.size() + 1, Map.of(LOSS, value));
      health.inspect(row);
      MetricRow marked = health.mark(row);
      assertThat(marked.values()).containsEntry(LOSS, value);
      marks.add(marked.values().get("health/mine"));
    }
    assertThat(marks).containsExactly(null, 1.0, 1.0, 0.0, 0.0);
  }

  @Test
  void shouldSumUpByAlertMostSevereFirst() {
    HealthMonitor health =
        health(
            ("first: {metric: %s, when: above, severity: info, calm: 1}, "
                    + "second: {metric: %s, when: above, severity: error, threshold: 8},"
                    + "never: {metric: %s, when: above, threshold: 100}")
                .formatted(LOSS, LOSS, LOSS),
            5);
    long update = 0;
    for (double value : new double[] {6, 7, 1, 9, 6}) {
      health.inspect(row(++update, Map.of(LOSS, value)));
    }
    List<AlertSummary> alerts = health.alerts();
    assertThat(alerts).extracting(AlertSummary::rule).containsExactly("second", "first");
    AlertSummary second = alerts.get(0);
    assertThat(second.count()).isEqualTo(1);
    assertThat(second.lastUpdate()).isEqualTo(4);
    assertThat(second.active()).isTrue();
    AlertSummary first = alerts.get(1);
    assertThat(first.count()).isEqualTo(4);
    assertThat(first.firstUpdate()).isEqualTo(1);
    assertThat(first.lastUpdate()).isEqualTo(5);
    assertThat(first.lastValue()).isEqualTo(6);
    assertThat(first.message())
        .startsWith(LOSS + " is 6, above 5 for 2 updates. Why it matters: ")
        .contains(". What to try: ");
  }

  private static final double NONE = Double.NaN;

  /** What a rule of the given kind does with a sequence of values: "raised 3", "ended 9". */
  private static List<String> events(String settings, double... values) {
    HealthMonitor health = health("mine: {metric: " + LOSS + ", " + settings + "}", null);
    List<String> events = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      Map<String, Double> row = Double.isNaN(values[i]) ? Map.of() : Map.of(LOSS, values[i]);
      health.inspect(row(i + 1, row)).stream()
          .filter(event -> event.rule().equals("mine"))
          .forEach(event -> events.add(event.state().written() + " " + event.update()));
    }
    return events;
  }

  /** Rules with a default threshold. */
  private static HealthMonitor health(String rules, Integer threshold) {
    String text =
        threshold == null
            ? rules
            : rules.replaceAll(
                "when: above(?!, severity: error|, threshold)",
                "when: above, threshold: " + threshold);
    return new HealthMonitor(
        HealthRules.of(
            YamlConfig.parse("health: {rules: {" + text + "}}", "test.yaml", List.of())));
  }

  private static MetricRow row(long update, Map<String, Double> values) {
    return new MetricRow(update, 100 * update, 0, new TreeMap<>(values));
  }
}
