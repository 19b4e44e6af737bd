package io.quantail.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsTest {
  private final Metrics metrics = new Metrics();

  @Test
  void shouldSortNamesAndKeepLastValue() {
    metrics.put("train/loss", 1.0);
    metrics.put("rollout/win_rate", 0.5);
    metrics.put("train/loss", 2.0);

    assertThat(metrics.snapshot())
        .containsExactly(Map.entry("rollout/win_rate", 0.5), Map.entry("train/loss", 2.0));
  }

  @Test
  void shouldAddUpCounts() {
    metrics.add("warn/empty_microbatch_group", 1);
    metrics.add("warn/empty_microbatch_group", 2);

    assertThat(metrics.snapshot()).containsExactly(Map.entry("warn/empty_microbatch_group", 3.0));
  }

  @Test
  void shouldLeaveOutAndCountNonFiniteValues() {
    metrics.put("train/loss", 1.0);
    metrics.put("train/loss", Double.NaN);
    metrics.put("train/ratio_mean", Double.POSITIVE_INFINITY);
    metrics.add("train/loss", Double.NEGATIVE_INFINITY);

    assertThat(metrics.snapshot())
        .containsExactly(Map.entry("train/loss", 1.0), Map.entry(Metrics.NONFINITE, 3.0));
  }

  @Test
  void shouldGiveSnapshotsThatDoNotChange() {
    metrics.put("train/loss", 1.0);
    Map<String, Double> snapshot = metrics.snapshot();
    metrics.put("train/loss", 2.0);

    assertThat(snapshot).containsEntry("train/loss", 1.0);
    assertThatThrownBy(() -> snapshot.put("train/loss", 3.0))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a,b", "a b", "a\nb", "\"a\"", "é"})
  void shouldRefuseNamesThatBreakFiles(String name) {
    assertThatThrownBy(() -> metrics.put(name, 1.0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was \"" + name + "\"");
    assertThatThrownBy(() -> new MetricRow(1, 1, 0, Map.of(name, 1.0)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldCopyAndCheckRowValues() {
    Map<String, Double> values = new HashMap<>(Map.of("b", 1.0, "a", 2.0));
    MetricRow row = new MetricRow(1, 2, 3, values);
    values.clear();

    assertThat(row.values().keySet()).containsExactly("a", "b");
    assertThatThrownBy(() -> new MetricRow(1, 1, 0, Map.of("a", Double.NaN)))
        .hasMessage("metric a must be finite, was NaN");
  }
}
