package io.quantail.app;

import io.quantail.health.Alert;
import io.quantail.health.AlertEvent;
import io.quantail.health.AlertHistory;
import io.quantail.health.AlertLog;
import io.quantail.health.Health;
import io.quantail.health.Rules;
import io.quantail.health.Severity;
import io.quantail.metrics.MetricRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tells people about the health of a run: in the run's {@code alerts.jsonl}, on the console once
 * when an alert begins and once when it ends, and at the end.
 */
final class AlertDesk implements AutoCloseable {
  /** Where alerts are, in the directory of a run. */
  static final String FILE = "alerts.jsonl";

  private static final int LINE_LENGTH = 120;

  private final Health health;
  private final AlertLog log;

  /**
   * @param directory of the run
   * @param earlier rows that are on disk already: their alerts are known, nobody is told again
   */
  AlertDesk(Rules rules, Path directory, List<MetricRow> earlier) {
    health = new Health(rules);
    List<AlertEvent> known = new ArrayList<>();
    earlier.forEach(row -> known.addAll(health.inspect(row)));
    log = new AlertLog(directory.resolve(FILE), known);
  }

  /** Takes in a row, tells what begins and ends with it, and marks what stands. */
  MetricRow inspect(MetricRow row, Consumer<String> console) {
    List<AlertEvent> events = health.inspect(row);
    log.append(events);
    events.stream()
        .filter(event -> event.severity() != Severity.INFO)
        .map(AlertDesk::line)
        .forEach(console);
    return health.mark(row);
  }

  /** The alerts of a run on disk; none if there is no such file. */
  static AlertHistory history(Path run) {
    Path file = run.resolve(FILE);
    try {
      return Files.isRegularFile(file)
          ? AlertHistory.parse(Files.readString(file))
          : AlertHistory.NONE;
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
  }

  List<Alert> alerts() {
    return health.alerts();
  }

  /** One line, short enough for a terminal; the file has the rest. */
  static String line(AlertEvent event) {
    String text =
        "quantail: %s%s: %s at update %d: %s"
            .formatted(
                event.severity().written(),
                event.state() == AlertEvent.State.ENDED ? " over" : "",
                event.rule(),
                event.update(),
                event.seen());
    return text.length() <= LINE_LENGTH ? text : text.substring(0, LINE_LENGTH - 1) + "…";
  }

  @Override
  public void close() {
    log.close();
  }
}
