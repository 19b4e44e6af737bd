package io.quantail.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.metrics.Metrics;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

@Requirement("EV-1")
class ExplainedVarianceAlarmTest {
  private static final String LOW = "warn/explained_variance_low";

  private final ExplainedVarianceAlarm watch = new ExplainedVarianceAlarm();

  @Test
  void shouldWarnFromTheThirdLowUpdateInARow() {
    assertThat(observe(watch, 0.3)).isEmpty();
    assertThat(observe(watch, -1)).isEmpty();
    assertThat(observe(watch, 0.2)).containsEntry(LOW, 0.2);
    assertThat(observe(watch, 0.1)).containsEntry(LOW, 0.1);
    assertThat(observe(watch, 0.31)).isEmpty();
    assertThat(observe(watch, 0.1)).isEmpty();
  }

  @Test
  void shouldNotTakeUndefinedForLowNorForGood() {
    Metrics metrics = new Metrics();
    observe(watch, 0);
    observe(watch, 0);
    watch.observe(metrics, OptionalDouble.empty());

    assertThat(metrics.snapshot()).isEmpty();
    assertThat(observe(watch, 0)).containsKey(LOW);
  }

  @Test
  void shouldGoOnCountingAfterRestore() {
    observe(watch, 0);
    observe(watch, 0);
    StateMap state = new StateMap();
    watch.save(state);
    ExplainedVarianceAlarm restored = new ExplainedVarianceAlarm();
    restored.load(state);

    assertThat(observe(restored, 0)).containsKey(LOW);
  }

  private static Map<String, Double> observe(ExplainedVarianceAlarm watch, double explained) {
    Metrics metrics = new Metrics();
    watch.observe(metrics, OptionalDouble.of(explained));
    return metrics.snapshot();
  }
}
