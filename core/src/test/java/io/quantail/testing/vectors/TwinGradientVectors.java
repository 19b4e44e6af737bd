package io.quantail.testing.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.metrics.Metrics;
import io.quantail.telemetry.CriticGradientBalance;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Alerts from the gradient norms of the two critics' heads. */
final class TwinGradientVectors implements VectorFamily {
  /** Carries the ratio of another alert; the vectors list alerts only. */
  private static final String RATIO_OF_ALERT = "warn/critics_grad_imbalance_ratio";

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("twin_grad_monitor", this::checkNames, "twin_gradient_monitor", this::checkFlags);
  }

  private void checkNames(VectorCase vector) {
    List<CriticGradientBalance> monitors = monitors(vector.matrix("pairs"));
    vector.expect("ratio", ratios(monitors));
    JsonNode warnings = vector.expected("warnings");
    for (int i = 0; i < monitors.size(); i++) {
      Metrics metrics = new Metrics();
      monitors.get(i).report(metrics);
      assertThat(metrics.snapshot().keySet())
          .filteredOn(name -> name.startsWith("warn/") && !name.equals(RATIO_OF_ALERT))
          .as("%s: warnings[%d]", vector.name(), i)
          .containsExactlyInAnyOrderElementsOf(texts(warnings.get(i)));
    }
  }

  private void checkFlags(VectorCase vector) {
    List<CriticGradientBalance> monitors = monitors(vector.matrix("norms"));
    JsonNode results = vector.expected("results");
    assertThat(results.size()).isEqualTo(monitors.size());
    for (int i = 0; i < monitors.size(); i++) {
      CriticGradientBalance monitor = monitors.get(i);
      String label = "results[" + i + "].";
      JsonNode expected = results.get(i);
      vector.compareWith(
          label + "ratio", expected.get("ratio"), monitor.ratio().orElse(Double.NaN));
      vector.compareWith(
          label + "imbalance", expected.get("imbalance"), flag(monitor.imbalanced()));
      vector.compareWith(
          label + "critic1_vanishing",
          expected.get("critic1_vanishing"),
          flag(monitor.firstVanishing()));
      vector.compareWith(
          label + "critic2_vanishing",
          expected.get("critic2_vanishing"),
          flag(monitor.secondVanishing()));
    }
  }

  private static double flag(boolean raised) {
    return raised ? 1 : 0;
  }

  private static List<CriticGradientBalance> monitors(double[][] norms) {
    return Arrays.stream(norms).map(pair -> new CriticGradientBalance(pair[0], pair[1])).toList();
  }

  private static double[] ratios(List<CriticGradientBalance> monitors) {
    return monitors.stream().mapToDouble(monitor -> monitor.ratio().orElse(Double.NaN)).toArray();
  }

  private static List<String> texts(JsonNode array) {
    return IntStream.range(0, array.size()).mapToObj(i -> array.get(i).asText()).toList();
  }
}
