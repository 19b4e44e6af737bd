package io.quantail.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/reference/metrics.md} in step with the catalogue. */
@Requirement("MON-1")
class MetricDocumentationTest {
  private static final Map<String, String> GROUPS = new LinkedHashMap<>();

  static {
    GROUPS.put("rollout", "Collection");
    GROUPS.put("train", "Learning");
    GROUPS.put("optim", "Optimiser");
    GROUPS.put("vgs", "Variance gradient scaling, when it is enabled");
    GROUPS.put("diag", "Policy after the update, continuous actions");
    GROUPS.put("sa_ppo", "Robustness, when it is trained");
    GROUPS.put("lstm", "Memory");
    GROUPS.put("debug", "Observation normaliser");
    GROUPS.put(
        "validation", "Passes over the validation bars of a market, in updates that have one");
    GROUPS.put("time", "Time");
    GROUPS.put("env", "Environments, when those that fail are replaced");
    GROUPS.put("info", "Notes, emitted when they apply");
    GROUPS.put("warn", "Warnings, emitted when they apply");
    GROUPS.put("error", "Errors, emitted when they apply");
    GROUPS.put("health", "Alerts, in the files of a run");
  }

  @Test
  void shouldDocumentTheCatalogue() throws IOException {
    Path rendering = Path.of(System.getProperty("quantail.module.target"), "metrics.md");
    Files.writeString(rendering, render());

    String documented =
        Files.readString(
            Path.of(System.getProperty("quantail.root"), "docs", "reference/metrics.md"));

    assertThat(documented)
        .as("docs/reference/metrics.md must begin with the text of %s; copy it there", rendering)
        .startsWith(render());
  }

  @Test
  void shouldHaveTitleForEveryGroup() {
    assertThat(byGroup().keySet()).containsExactlyElementsOf(GROUPS.keySet());
  }

  private static Map<String, List<MetricDescription>> byGroup() {
    return MetricCatalogue.entries().stream()
        .collect(
            Collectors.groupingBy(
                entry -> entry.name().substring(0, entry.name().indexOf('/')),
                LinkedHashMap::new,
                Collectors.toList()));
  }

  private static String render() {
    StringBuilder text = new StringBuilder("# Metrics\n\n");
    text.append("Every training iteration yields one row of these metrics, in the run's metric\n");
    text.append("file and as TensorBoard scalars. A metric is there only when it is defined: a\n");
    text.append("value that is not finite is left out and counted. Losses, ratios and gradient\n");
    text.append("norms are means over the update unless the meaning says otherwise.\n");
    byGroup().forEach((group, entries) -> render(text, GROUPS.get(group), entries));
    return text.toString();
  }

  private static void render(StringBuilder text, String title, List<MetricDescription> entries) {
    text.append("\n## ").append(title).append("\n\n| name | meaning | unit |\n|---|---|---|\n");
    for (MetricDescription entry : entries) {
      text.append("| `%s` | %s | %s |\n".formatted(entry.name(), entry.meaning(), entry.unit()));
    }
  }
}
