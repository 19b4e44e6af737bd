package io.quantail.run.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.run.io.DurableFiles;
import io.quantail.testing.Requirement;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that dashboards and scripts read. */
@Requirement("HEALTH-1")
class AlertLogTest {
  private static final AlertEvent RAISED =
      new AlertEvent(
          12,
          24576,
          "gradient-norm",
          Severity.WARNING,
          AlertEvent.State.RAISED,
          "train/grad_norm_pre_clip",
          73.2,
          "seen",
          "why",
          "advice");

  private static final String LINE =
      "{\"update\":12,\"steps\":24576,\"rule\":\"gradient-norm\",\"severity\":\"warning\","
          + "\"state\":\"raised\",\"metric\":\"train/grad_norm_pre_clip\",\"value\":73.2,"
          + "\"seen\":\"seen\",\"why\":\"why\",\"try\":\"advice\"}\n";

  @TempDir private Path directory;

  @Test
  void shouldWriteOneObjectPerLineAtOnce() {
    Path file = directory.resolve("alerts.jsonl");
    try (AlertLog log = new AlertLog(file, List.of(), new DurableFiles())) {
      assertThat(file).hasContent("");
      log.append(List.of(RAISED));
      assertThat(file).content().isEqualTo(LINE);
      log.append(List.of(RAISED, RAISED));
    }
    assertThat(file).content().isEqualTo(LINE + LINE + LINE);
  }

  @Test
  void shouldReplaceWhatAnEarlierProcessWrote() {
    Path file = directory.resolve("alerts.jsonl");
    try (AlertLog log = new AlertLog(file, List.of(RAISED, RAISED, RAISED), new DurableFiles())) {
      log.append(List.of());
    }
    try (AlertLog log = new AlertLog(file, List.of(RAISED), new DurableFiles())) {
      log.append(List.of(RAISED));
    }
    assertThat(file).content().isEqualTo(LINE + LINE);
    assertThat(directory.toFile().list()).containsExactly("alerts.jsonl");
  }
}
