package io.quantail.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.app.report.Notice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code alerts.jsonl} of a run: one line when an alert is raised, one when it ends. */
final class AlertFile {
  private static final ObjectMapper JSON = new ObjectMapper();

  private AlertFile() {}

  /** All alerts in the order they were raised; empty if there is no such file. */
  static List<Notice> read(Path run) {
    Path file = run.resolve(AlertDesk.FILE);
    if (!Files.isRegularFile(file)) {
      return List.of();
    }
    List<JsonNode> raised = new ArrayList<>();
    Map<JsonNode, Long> ends = new LinkedHashMap<>();
    for (JsonNode line : lines(file)) {
      if (line.path("state").asText().equals("raised")) {
        raised.add(line);
      } else {
        raised.stream()
            .filter(alert -> alert.path("rule").equals(line.path("rule")))
            .reduce((before, later) -> later)
            .ifPresent(alert -> ends.put(alert, line.path("update").asLong()));
      }
    }
    return raised.stream().map(alert -> notice(alert, ends.get(alert))).toList();
  }

  private static List<JsonNode> lines(Path file) {
    List<JsonNode> lines = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(file)) {
        lines.add(JSON.readTree(line));
      }
    } catch (JsonProcessingException cutOff) {
      return lines; // a run that was killed leaves half a line
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
    return lines;
  }

  private static Notice notice(JsonNode alert, Long end) {
    String when =
        "%d to %s"
            .formatted(alert.path("update").asLong(), end == null ? "the end" : end.toString());
    String text =
        "%s %s Try: %s"
            .formatted(
                alert.path("seen").asText(),
                alert.path("why").asText(),
                alert.path("try").asText());
    return new Notice(alert.path("severity").asText(), alert.path("rule").asText(), when, text);
  }
}
