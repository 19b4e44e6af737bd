package io.quantail.run.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.metrics.MetricRow;
import io.quantail.testing.Requirement;
import io.quantail.train.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Makes each fault happen in training and sees its alert; prints which, and when. */
@Requirement("HEALTH-1")
class FaultTableTest {
  /** What only a defect of the program can bring about: the metric itself is put into a row. */
  private static final Map<String, Map<String, Double>> ROWS =
      Map.of(
          "advantages-missing", Map.of("warn/empty_advantages_buffer", 1.0),
          "advantages-not-centred", Map.of("train/advantages_norm_mean", -0.01),
          "advantages-not-scaled", Map.of("train/advantages_norm_std", 3.0),
          "upgd-frozen", Map.of("optim/gate_mean", 0.001));

  private static final Map<String, String> TABLE = new TreeMap<>();

  static List<Fault> faults() {
    return Faults.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void shouldRaiseTheAlertsOfAFault(Fault fault) {
    Map<String, Long> raised = new HashMap<>();
    HealthMonitor health = new HealthMonitor(HealthRules.builtIn());
    try (Trainer trainer = new Trainer(fault.config(), fault.environments())) {
      fault.tamper().accept(trainer);
      for (int i = 0; i < fault.updates() && !raised.keySet().containsAll(fault.rules()); i++) {
        for (AlertEvent event : health.inspect(trainer.iterate())) {
          raised.putIfAbsent(event.rule(), event.update());
        }
      }
    }
    assertThat(raised.keySet()).containsAll(fault.rules());
    fault.rules().forEach(rule -> record(rule, fault.what(), raised.get(rule)));
  }

  @Test
  void shouldRaiseTheAlertsThatOnlyARowCanShow() {
    ROWS.forEach(
        (rule, values) -> {
          HealthMonitor health = new HealthMonitor(HealthRules.builtIn());
          List<AlertEvent> events = new ArrayList<>();
          long update = 0;
          while (events.isEmpty() && update < 50) {
            update++;
            events.addAll(health.inspect(new MetricRow(update, update, 0, values)));
          }
          assertThat(events).extracting(AlertEvent::rule).containsExactly(rule);
          record(rule, "the metric in a row made by hand", update);
        });
  }

  @Test
  void shouldHaveAFaultForEveryRule() {
    Set<String> covered = new TreeSet<>(ROWS.keySet());
    Faults.all().forEach(fault -> covered.addAll(fault.rules()));
    assertThat(covered)
        .isEqualTo(
            HealthRules.builtIn().all().stream()
                .filter(HealthRule::enabled)
                .map(HealthRule::name)
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  private static void record(String rule, String what, long update) {
    TABLE.put(rule, "| `%s` | %s | %d |".formatted(rule, what, update));
  }

  @AfterAll
  static void print() throws IOException {
    String table =
        "| rule | fault | raised at update |\n|---|---|---|\n"
            + String.join("\n", TABLE.values())
            + "\n";
    System.out.println(table);
    Files.writeString(
        Path.of(System.getProperty("quantail.module.target"), "health-faults.md"), table);
  }
}
