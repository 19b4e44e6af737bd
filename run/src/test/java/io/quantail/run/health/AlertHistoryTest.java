package io.quantail.run.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.run.io.DurableFiles;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("HEALTH-1")
class AlertHistoryTest {
  private static final String RAISED =
      "{\"update\":12,\"steps\":24576,\"rule\":\"gradient-norm\",\"severity\":\"warning\",\"state\":\"raised\",\"metric\":\"train/grad_norm_pre_clip\",\"value\":73.2,\"seen\":\"s\",\"why\":\"w\",\"try\":\"t\"}\n";
  private static final String ENDED =
      "{\"update\":15,\"steps\":30720,\"rule\":\"gradient-norm\",\"state\":\"ended\"}\n";

  @TempDir private Path directory;

  @Test
  void shouldReadWhatWasSeenWhyAndWhatToTry() {
    assertThat(AlertHistory.parse(RAISED).alerts())
        .containsExactly(
            new AlertHistory.Past(
                "gradient-norm",
                "warning",
                "train/grad_norm_pre_clip",
                73.2,
                12,
                24_576,
                null,
                null,
                "s",
                "w",
                "t"));
  }

  /** Writer and reader agree. */
  @Test
  void shouldReadWhatTheLogWrites() throws IOException {
    Path file = directory.resolve("alerts.jsonl");
    AlertEvent raised =
        new AlertEvent(
            3, 30, "a", Severity.ERROR, AlertEvent.State.RAISED, "m", Double.NaN, "s", "w", "t");
    AlertEvent ended =
        new AlertEvent(7, 70, "a", Severity.ERROR, AlertEvent.State.ENDED, "m", 1.0, "s", "w", "t");
    try (AlertLog log = new AlertLog(file, List.of(raised), new DurableFiles())) {
      log.append(List.of(ended));
    }
    AlertHistory history = AlertHistory.parse(Files.readString(file));
    assertThat(history.unreadable()).isZero();
    assertThat(history.alerts())
        .containsExactly(
            new AlertHistory.Past("a", "error", "m", null, 3, 30, 7L, 70L, "s", "w", "t"));
  }

  @Test
  void shouldEndTheNewestOfARule() {
    AlertHistory history = AlertHistory.parse(RAISED + ENDED + RAISED.replace("12", "20"));
    assertThat(history.alerts()).extracting(AlertHistory.Past::update).containsExactly(12L, 20L);
    assertThat(history.alerts())
        .extracting(AlertHistory.Past::endedSteps)
        .containsExactly(30_720L, null);
    assertThat(history.lasting()).isEqualTo(Map.of("warning", 1));
  }

  @Test
  void shouldCountLinesThatAreNoAlertsAndIgnoreAnUnfinishedOne() {
    AlertHistory history =
        AlertHistory.parse(
            "{broken\n[]\n\n{\"rule\":\"x\"}\n"
                + RAISED.replace("\"raised\"", "\"risen\"")
                + ENDED
                + RAISED
                + "{\"rule\":");
    assertThat(history.alerts()).hasSize(1);
    assertThat(history.unreadable()).isEqualTo(4);
  }

  @Test
  void shouldTakeAnUnknownSeverityForAWarning() {
    assertThat(AlertHistory.parse(RAISED.replace("\"warning\"", "\"x onload=y\"")).alerts())
        .extracting(AlertHistory.Past::severity)
        .containsExactly("warning");
  }
}
