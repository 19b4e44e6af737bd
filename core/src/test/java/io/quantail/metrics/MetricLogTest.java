package io.quantail.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("LOG-1")
class MetricLogTest {
  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void chooseFile() {
    file = directory.resolve("metrics.csv");
  }

  @Test
  void shouldWriteLongFormatWithoutClock() throws IOException {
    try (MetricLog log = new MetricLog(file)) {
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

    assertThat(MetricLog.read(file))
        .containsExactly(
            new MetricLog.Entry(1, 100, "train/loss", awkward),
            new MetricLog.Entry(2, 200, "train/loss", -Double.MIN_VALUE));
  }

  @Test
  void shouldShowEachRowBeforeTheLogIsClosed() {
    try (MetricLog log = new MetricLog(file)) {
      log.write(new MetricRow(1, 1, 0, Map.of("a", 1.0)));

      assertThat(MetricLog.read(file)).hasSize(1);
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

    MetricLog.truncateAfter(file, 2);
    write(3, 3.0);

    assertThat(Files.readString(file)).isEqualTo(straight);
  }

  @Test
  void shouldDropLineThatACrashCutOff() throws IOException {
    write(1, 1.0);
    String whole = Files.readString(file);
    Files.writeString(file, "1,100,train/ratio_mean,0.", StandardOpenOption.APPEND);

    assertThat(MetricLog.read(file)).hasSize(1);
    assertThatThrownBy(() -> new MetricLog(file))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ends in the middle of a line");
    MetricLog.truncateAfter(file, Long.MAX_VALUE);

    assertThat(Files.readString(file)).isEqualTo(whole);
  }

  @Test
  void shouldRefuseUpdatesOutOfOrder() {
    try (MetricLog log = new MetricLog(file)) {
      log.write(new MetricRow(2, 1, 0, Map.of("a", 1.0)));

      assertThatThrownBy(() -> log.write(new MetricRow(2, 1, 0, Map.of("a", 1.0))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("update must be greater than 2, the last in %s, was 2", file);
    }
  }

  @Test
  void shouldRefuseFileThatIsNoMetricLog() throws IOException {
    Files.writeString(file, "date,open,close\n1,2,3\n");

    assertThatThrownBy(() -> new MetricLog(file))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageEndingWith("is no metric log: its first line must be update,steps,metric,value");
  }

  private void write(long update, double loss) {
    try (MetricLog log = new MetricLog(file)) {
      log.write(new MetricRow(update, update * 100, update, Map.of("train/loss", loss)));
    }
  }
}
