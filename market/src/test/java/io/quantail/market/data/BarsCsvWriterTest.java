package io.quantail.market.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.market.SampleBars;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Canonical CSV gives back the bars that were written. */
@Requirement("DATA-1")
class BarsCsvWriterTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"bars.csv", "bars.csv.gz"})
  void shouldKeepTheFingerprint(String name) {
    Bars bars = SampleBars.random(200, 3);
    Path file = directory.resolve(name);
    BarsCsvWriter.write(bars, file);
    Bars read = BarsReader.read(file.toString(), SampleBars.UNDECLARED).orThrow();
    assertThat(read.fingerprint()).isEqualTo(bars.fingerprint());
    assertThat(directory).isDirectoryNotContaining("glob:**.part");
  }

  @Test
  void shouldWriteTimesOfClosesAndLeaveHolesEmpty() throws IOException {
    BarsBuilder builder =
        new BarsBuilder("A, \"B\"", SampleBars.HOUR, List.of(), List.of("x_mood"), 1);
    builder.add(SampleBars.START + SampleBars.HOUR, 1, 2, 0.5, 1.5, 1e9, Double.NaN);
    Path file = directory.resolve("bars.csv");
    BarsCsvWriter.write(builder.build(), file);
    assertThat(Files.readString(file))
        .isEqualTo(
            "ts,symbol,open,high,low,close,volume,x_mood\n"
                + "2024-01-01T01:00:00Z,\"A, \"\"B\"\"\",1.0,2.0,0.5,1.5,1.0E9,\n");
  }

  @Test
  void shouldSayWhatCannotBeWritten() {
    Path file = directory.resolve("missing").resolve("bars.csv");
    assertThatThrownBy(() -> BarsCsvWriter.write(SampleBars.golden(), file))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("cannot write " + file);
  }
}
