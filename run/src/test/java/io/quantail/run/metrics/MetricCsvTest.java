package io.quantail.run.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.metrics.MetricRow;
import io.quantail.run.io.DamagedFileException;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("LOG-1")
class MetricCsvTest {
  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void chooseFile() {
    file = directory.resolve("metrics.csv");
  }

  @Test
  void shouldWriteLongFormatWithoutClock() throws IOException {
    try (MetricCsv log = new MetricCsv(file)) {
      log.write(
          new MetricRow(1, 2048, 9.5, Map.of("train/loss", 0.1, "time/fps", 7.0, "a", 1e-300)));
    }

    assertThat(file)
        .hasContent("update,steps,metric,value\n1,2048,a,1.0E-300\n1,2048,train/loss,0.1\n");
    assertThat(Files.readString(file)).endsWith("0.1\n");
  }

  @Test
  void shouldReadBackExactValues() {
    double awkward = 0.1 + 0.2;
    write(1, awkward);
    write(2, -Double.MIN_VALUE);

    assertThat(MetricCsv.read(file))
        .containsExactly(
            new MetricCsv.Entry(1, 100, "train/loss", awkward),
            new MetricCsv.Entry(2, 200, "train/loss", -Double.MIN_VALUE));
  }

  @Test
  void shouldShowEachRowBeforeTheLogIsClosed() {
    try (MetricCsv log = new MetricCsv(file)) {
      log.write(new MetricRow(1, 1, 0, Map.of("a", 1.0)));

      assertThat(MetricCsv.read(file)).hasSize(1);
    }
  }

  @Test
  void shouldContinueAfterTruncationAsIfNothingHadFollowed() throws IOException {
    write(1, 1.0);
    write(2, 2.0);
    write(3, 3.0);
    String straight = Files.readString(file);
    write(4, 4.0);
    Files.writeString(file, "5,500,train/lo", StandardOpenOption.APPEND);

    MetricCsv.truncateAfter(file, 2);
    write(3, 3.0);

    assertThat(Files.readString(file)).isEqualTo(straight);
  }

  @Test
  void shouldDropLineThatACrashCutOff() throws IOException {
    write(1, 1.0);
    String whole = Files.readString(file);
    Files.writeString(file, "1,100,train/ratio_mean,0.", StandardOpenOption.APPEND);

    assertThat(MetricCsv.read(file)).hasSize(1);
    assertThatThrownBy(() -> new MetricCsv(file))
        .isInstanceOf(DamagedFileException.class)
        .hasRootCauseMessage("ends in the middle of a line; resume the run, which cuts it");
    MetricCsv.truncateAfter(file, Long.MAX_VALUE);

    assertThat(Files.readString(file)).isEqualTo(whole);
  }

  @Test
  void shouldRefuseUpdatesOutOfOrder() {
    try (MetricCsv log = new MetricCsv(file)) {
      log.write(new MetricRow(2, 1, 0, Map.of("a", 1.0)));

      assertThatThrownBy(() -> log.write(new MetricRow(2, 1, 0, Map.of("a", 1.0))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("update must be greater than 2, the last in %s, was 2", file);
    }
  }

  @Test
  void shouldRefuseFileThatIsNoMetricCsv() throws IOException {
    Files.writeString(file, "date,open,close\n1,2,3\n");

    assertThatThrownBy(() -> new MetricCsv(file))
        .isInstanceOf(DamagedFileException.class)
        .hasRootCauseMessage("is damaged: its first line must be update,steps,metric,value");
  }

  @Test
  void shouldWriteOneTimePerUpdateBesideTheMetrics() throws IOException {
    try (MetricCsv log = new MetricCsv(file, at(5_000))) {
      log.write(new MetricRow(1, 2048, 9.5, Map.of("a", 1.0, "b", 2.0)));
      log.write(new MetricRow(2, 4096, 19.25, Map.of("a", 1.0)));
    }

    assertThat(Files.readString(clock()))
        .isEqualTo("update,steps,seconds,epochMillis\n1,2048,9.5,5000\n2,4096,19.25,5000\n");
    assertThat(MetricCsv.read(file)).hasSize(3);
  }

  @Test
  void shouldWriteTheSameMetricsWithAndWithoutTimes() throws IOException {
    write(1, 1.0);
    Path other = directory.resolve("other.csv");
    try (MetricCsv log = new MetricCsv(other, at(0))) {
      log.write(new MetricRow(1, 100, 1, Map.of("train/loss", 1.0)));
    }

    assertThat(other).hasSameBinaryContentAs(file);
  }

  @Test
  void shouldWriteNoTimesWithoutAClock() {
    write(1, 1.0);

    assertThat(clock()).doesNotExist();
  }

  /** Killed in the middle of update 5, resumed from a snapshot of update 2. */
  @Test
  void shouldTruncateTimesWithTheMetrics() throws IOException {
    try (MetricCsv log = new MetricCsv(file, at(1_000))) {
      for (int update = 1; update <= 4; update++) {
        log.write(row(update));
      }
    }
    Files.writeString(clock(), "5,500,5.", StandardOpenOption.APPEND);

    MetricCsv.truncateAfter(file, 2);
    try (MetricCsv log = new MetricCsv(file, at(9_000))) {
      log.write(row(3));
    }

    assertThat(Files.readString(clock()).lines())
        .containsExactly(
            "update,steps,seconds,epochMillis",
            "1,100,1.0,1000",
            "2,200,2.0,1000",
            "3,300,3.0,9000");
    assertThat(MetricCsv.read(file))
        .extracting(MetricCsv.Entry::update)
        .containsExactly(1L, 2L, 3L);
  }

  @Test
  void shouldResumeARunOfAnOlderBuildWithoutTimes() throws IOException {
    write(1, 1.0);
    write(2, 2.0);

    MetricCsv.truncateAfter(file, 1);
    try (MetricCsv log = new MetricCsv(file, at(9_000))) {
      log.write(row(2));
    }

    assertThat(Files.readString(clock()).lines())
        .containsExactly("update,steps,seconds,epochMillis", "2,200,2.0,9000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "update,st", "update,steps,seconds,epochMillis\n\0\0\0\n9,9,9,9\n"})
  void shouldResumeWithDamagedTimes(String content) throws IOException {
    write(1, 1.0);
    Files.writeString(clock(), content);

    MetricCsv.truncateAfter(file, 1);
    try (MetricCsv log = new MetricCsv(file, at(9_000))) {
      log.write(row(2));
    }

    assertThat(Files.readString(clock()).lines())
        .containsExactly("update,steps,seconds,epochMillis", "2,200,2.0,9000");
  }

  @Test
  void shouldReadOnFromAnOffset() throws IOException {
    write(1, 1.0);
    Files.writeString(file, "2,200,train/lo", StandardOpenOption.APPEND);
    List<MetricCsv.Entry> entries = new ArrayList<>();
    List<Long> malformed = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(file)) {
      long offset = MetricCsv.readMetrics(channel, 0, entries::add, malformed::add);
      assertThat(entries).hasSize(1);
      Files.writeString(file, "ss,2.0\nx,y\n", StandardOpenOption.APPEND);
      long next = MetricCsv.readMetrics(channel, offset, entries::add, malformed::add);
      assertThat(next).isEqualTo(channel.size());
      assertThat(malformed).containsExactly(next - 4);
    }

    assertThat(entries)
        .containsExactly(
            new MetricCsv.Entry(1, 100, "train/loss", 1.0),
            new MetricCsv.Entry(2, 200, "train/loss", 2.0));
  }

  @Test
  void shouldNameADamagedLine() throws IOException {
    write(1, 1.0);
    Files.writeString(file, "2,200,train/loss,x\n", StandardOpenOption.APPEND);

    assertThatThrownBy(() -> MetricCsv.read(file))
        .isInstanceOf(DamagedFileException.class)
        .hasRootCauseMessage("is damaged: line 3 is not update,steps,metric,value");
    assertThatThrownBy(() -> MetricCsv.truncateAfter(file, 5))
        .isInstanceOf(DamagedFileException.class)
        .hasRootCauseMessage("is damaged: 2,200,train/loss,x is not update,steps,metric,value");
  }

  private Path clock() {
    return directory.resolve("clock.csv");
  }

  private static Clock at(long epochMillis) {
    return Clock.fixed(Instant.ofEpochMilli(epochMillis), ZoneOffset.UTC);
  }

  private static MetricRow row(long update) {
    return new MetricRow(update, 100 * update, update, Map.of("train/loss", 1.0));
  }

  private void write(long update, double loss) {
    try (MetricCsv log = new MetricCsv(file)) {
      log.write(new MetricRow(update, update * 100, update, Map.of("train/loss", loss)));
    }
  }
}
