package io.quantail.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.Invocation;
import io.quantail.app.Refusal;
import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement({"DATA-1", "DATA-2"})
class DataCommandTest {
  private static final String HEAD = "ts,open,high,low,close,volume\n";

  @TempDir private Path directory;

  @Test
  void shouldListEveryProblemOfEveryFile() throws IOException {
    Path good = file("good.csv", "1704070800,10,12,9,11,1", "1704074400,11,12,9,11,0");
    Path bad = file("bad.csv", "1704070800,10,8,9,11,1", "1704074400,ten,12,9,11,1");
    Invocation invocation =
        Invocation.of("data", "validate", good.toString(), bad.toString(), "--bar-length", "1h");
    assertThat(invocation.code()).isEqualTo(ExitCode.DATA);
    assertThat(invocation.out())
        .contains(
            good + ": 2 rows, times are seconds since 1970",
            "  warning: " + good + ", line 3, column volume",
            "good, 2 bars of 1h, 2024-01-01T01:00:00Z to 2024-01-01T02:00:00Z",
            "  fingerprint ",
            "  error: " + bad + ", line 2, column high",
            "  error: " + bad + ", line 3, column open",
            bad + " is refused, errors: 2");
  }

  @Test
  void shouldReportAsJson() {
    Invocation invocation = Invocation.of("data", "validate", "demo:AAPL", "--json");
    assertThat(invocation.code()).isEqualTo(ExitCode.OK);
    JsonNode report = invocation.json().get(0);
    assertThat(report.get("bars").get("symbol").textValue()).isEqualTo("AAPL");
    assertThat(report.get("bars").get("barLength").textValue()).isEqualTo("1d");
    assertThat(report.get("errors")).isEmpty();
  }

  @Test
  void shouldImportToCanonicalForm() throws IOException {
    Path in =
        file(
            "in.csv", "1704067200,10,12,9,11,1", "1704070800,11,12,9,11,2", "1704074400,1,3,1,2,2");
    Path out = directory.resolve("out.csv");
    Invocation invocation =
        Invocation.of(
            "data", "import", in.toString(), out.toString(), "--ts-is-open", "--symbol", "ABC");
    assertThat(invocation.code()).as(invocation.err()).isEqualTo(ExitCode.OK);
    assertThat(Files.readAllLines(out))
        .startsWith(
            "ts,symbol,open,high,low,close,volume",
            "2024-01-01T01:00:00Z,ABC,10.0,12.0,9.0,11.0,1.0");
    assertThat(Invocation.of("data", "validate", out.toString()).out())
        .contains(fingerprint(invocation.out()));
    Refusal.require(
        Invocation.of("data", "import", in.toString(), out.toString()),
        ExitCode.USAGE,
        out + " exists");
  }

  @Test
  void shouldWriteNothingWhenTheInputIsRefused() throws IOException {
    Path in = file("in.csv", "1704067200,10,8,9,11,1");
    Path out = directory.resolve("out.csv");
    assertThat(Invocation.of("data", "import", in.toString(), out.toString()).code())
        .isEqualTo(ExitCode.DATA);
    assertThat(directory).isDirectoryNotContaining("glob:**out*");
  }

  @ParameterizedTest
  @ValueSource(strings = {"trend", "noise", "mean-reversion", "regime-switch", "jumps"})
  void shouldGenerateTheSameBarsForTheSameSeed(String model) throws IOException {
    String first = generate(model, "first.csv", "7");
    assertThat(generate(model, "second.csv", "7")).isEqualTo(first);
    assertThat(generate(model, "third.csv", "8")).isNotEqualTo(first);
    Path made = directory.resolve("first.csv");
    assertThat(Files.readAllLines(made)).hasSize(301);
    Invocation validation = Invocation.of("data", "validate", made.toString());
    assertThat(validation.code()).as(validation.out()).isEqualTo(ExitCode.OK);
    assertThat(validation.out()).contains(first);
  }

  @Test
  void shouldRefuseInvalidOptionsOfGenerate() {
    String out = directory.resolve("out.csv").toString();
    Refusal.require(
        Invocation.of("data", "generate", "noise", out, "--bars", "2"),
        ExitCode.USAGE,
        "--bars must be from 3 to 10000000, was 2");
    Refusal.require(
        Invocation.of("data", "generate", "noise", out, "--bar-length", "1y"),
        ExitCode.USAGE,
        "--bar-length must be a number with s, m, h or d, such as 5m, was \"1y\"");
    assertThat(directory).isEmptyDirectory();
  }

  private String generate(String model, String name, String seed) {
    String out = directory.resolve(name).toString();
    Invocation invocation =
        Invocation.of("data", "generate", model, out, "--seed", seed, "--bars", "300");
    assertThat(invocation.code()).as(invocation.err()).isEqualTo(ExitCode.OK);
    return fingerprint(invocation.out());
  }

  private static String fingerprint(String output) {
    return output.substring(output.indexOf("fingerprint")).strip();
  }

  private Path file(String name, String... rows) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(file, HEAD + String.join("\n", rows) + "\n");
    return file;
  }
}
