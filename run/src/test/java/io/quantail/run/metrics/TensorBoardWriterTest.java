package io.quantail.run.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.metrics.EventReader;
import io.quantail.metrics.EventReader.Event;
import io.quantail.metrics.MetricCatalogue;
import io.quantail.metrics.MetricDescription;
import io.quantail.metrics.MetricRow;
import io.quantail.metrics.Metrics;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("LOG-1")
class TensorBoardWriterTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.ofEpochMilli(1_700_000_000_250L), ZoneOffset.UTC);

  @TempDir Path directory;

  @Test
  void shouldKnowThePublishedChecksum() {
    // RFC 3720, appendix B.4, and the check value of CRC-32C.
    assertThat(EventReader.castagnoli(new byte[32])).isEqualTo(0x8A9136AA);
    assertThat(EventReader.castagnoli("123456789".getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo(0xE3069283);
  }

  @Test
  void shouldWriteVersionThenScalars() throws IOException {
    try (TensorBoardWriter sink = new TensorBoardWriter(directory.resolve("new/run"), CLOCK)) {
      sink.write(new MetricRow(1, 2048, 0.5, Map.of("train/loss", 0.25, "rollout/win_rate", -1.5)));
      sink.write(new MetricRow(2, 5_000_000_000L, 1.0, Map.of("train/loss", 1e-10)));
    }

    List<Event> events = EventReader.read(onlyFile(directory.resolve("new/run")));

    assertThat(events)
        .containsExactly(
            new Event(1_700_000_000.25, 0, "brain.Event:2", Map.of()),
            new Event(
                1_700_000_000.25,
                2048,
                null,
                Map.of("rollout/win_rate", -1.5f, "train/loss", 0.25f)),
            new Event(1_700_000_000.25, 5_000_000_000L, null, Map.of("train/loss", 1e-10f)));
  }

  @Test
  void shouldShowEachRowBeforeTheSinkIsClosed() throws IOException {
    try (TensorBoardWriter sink = new TensorBoardWriter(directory, CLOCK)) {
      sink.write(new MetricRow(1, 1, 0, Map.of("a", 1.0)));

      assertThat(EventReader.read(onlyFile(directory))).hasSize(2);
    }
  }

  @Test
  void shouldLeaveOutWhatSinglePrecisionCannotHold() throws IOException {
    try (TensorBoardWriter sink = new TensorBoardWriter(directory, CLOCK)) {
      sink.write(new MetricRow(1, 1, 0, Map.of("huge", 1e300, "usual", 2.0)));
    }

    assertThat(EventReader.read(onlyFile(directory)).get(1).scalars())
        .containsExactly(Map.entry("usual", 2.0f));
  }

  @Test
  void shouldEncodeRowsOfManyMetrics() throws IOException {
    Metrics metrics = new Metrics();
    for (MetricDescription entry : MetricCatalogue.entries()) {
      metrics.put(entry.name().replaceAll("\\{\\w+}", "0"), entry.name().length());
    }
    try (TensorBoardWriter sink = new TensorBoardWriter(directory, CLOCK)) {
      sink.write(new MetricRow(1, 1, 0, metrics.snapshot()));
    }

    assertThat(EventReader.read(onlyFile(directory)).get(1).scalars())
        .hasSameSizeAs(MetricCatalogue.entries())
        .containsEntry("lstm/h_mean_layer0", 20f);
  }

  @Test
  void shouldMakeFilesThatSortInTheOrderOfTheirMaking() throws IOException {
    for (int i = 0; i < 3; i++) {
      new TensorBoardWriter(directory, CLOCK).close();
    }

    assertThat(files(directory))
        .extracting(path -> path.getFileName().toString())
        .containsExactly(
            "events.out.tfevents.1700000000.quantail.0000",
            "events.out.tfevents.1700000000.quantail.0001",
            "events.out.tfevents.1700000000.quantail.0002");
  }

  private static Path onlyFile(Path directory) throws IOException {
    List<Path> files = files(directory);
    assertThat(files).hasSize(1);
    return files.get(0);
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }
}
