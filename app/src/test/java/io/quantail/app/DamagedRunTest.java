package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.common.ExitCode;
import io.quantail.io.AtomicFiles;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files of a run that were damaged: each damage is named in one line, or it does no harm. */
@Requirement("CKPT-4")
class DamagedRunTest {
  @TempDir static Path directory;
  private static Path whole;
  private Path run;

  @BeforeAll
  static void train() {
    whole = directory.resolve("whole");
    Invocation training = Invocation.train(whole);
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
  }

  @BeforeEach
  void copy() throws IOException {
    run = directory.resolve("run");
    AtomicFiles.deleteDirectory(run);
    try (Stream<Path> files = Files.walk(whole)) {
      for (Path file : files.toList()) {
        Files.copy(file, run.resolve(whole.relativize(file)));
      }
    }
  }

  /** Changes of the text of {@code metrics.csv}, one character a byte. */
  static Map<String, UnaryOperator<String>> damages() {
    Map<String, UnaryOperator<String>> all = new TreeMap<>();
    all.put("01 empty", text -> "");
    all.put("02 header only", text -> text.substring(0, text.indexOf('\n') + 1));
    all.put("03 no header", text -> text.substring(text.indexOf('\n') + 1));
    all.put("04 other header", text -> text.replaceFirst("update", "iteration"));
    all.put("05 header twice", text -> text.substring(0, text.indexOf('\n') + 1) + text);
    all.put("06 byte order mark", text -> "\u00ef\u00bb\u00bf" + text);
    all.put("07 line ends of Windows", text -> text.replace("\n", "\r\n"));
    all.put("08 zeros", text -> "\0".repeat(text.length()));
    all.put("09 zeros at the end", text -> text.substring(0, text.length() - 40) + "\0".repeat(40));
    all.put("10 zeros in the middle", text -> replace(text, text.length() / 2, "\0".repeat(20)));
    all.put("11 zeros appended", text -> text + "\0".repeat(4096));
    all.put("12 half", text -> text.substring(0, text.length() / 2));
    all.put("13 last byte missing", text -> text.substring(0, text.length() - 1));
    all.put(
        "14 last line missing",
        text -> text.substring(0, text.lastIndexOf('\n', text.length() - 2) + 1));
    all.put("15 first row missing", text -> change(text, rows -> rows.remove(1)));
    all.put("16 middle row missing", text -> change(text, rows -> rows.remove(rows.size() / 2)));
    all.put("17 row twice", text -> change(text, rows -> rows.add(5, rows.get(5))));
    all.put("18 rows exchanged", text -> change(text, rows -> Collections.swap(rows, 3, 4)));
    all.put(
        "19 all rows reversed",
        text -> change(text, rows -> Collections.reverse(rows.subList(1, rows.size()))));
    all.put("20 all rows twice", text -> text + text.substring(text.indexOf('\n') + 1));
    all.put(
        "21 other digit",
        text ->
            change(
                text,
                rows ->
                    rows.set(
                        4,
                        rows.get(4)
                            .replaceFirst("\\d$", "x")
                            .replace('x', rows.get(4).endsWith("1") ? '2' : '1'))));
    all.put("22 other update", text -> text.replaceFirst("\n1,", "\n7,"));
    all.put("23 negative update", text -> text.replaceFirst("\n1,", "\n-1,"));
    all.put("24 huge update", text -> text.replaceFirst("\n1,", "\n99999999999999999999,"));
    all.put("25 other steps", text -> text.replaceFirst("\n1,128", "\n1,129"));
    all.put("26 no name", text -> change(text, rows -> rows.set(2, "1,128,,0.5")));
    all.put(
        "27 other name",
        text -> change(text, rows -> rows.set(2, rows.get(2).replaceFirst("/", "-"))));
    all.put("28 not a number", text -> change(text, rows -> rows.set(2, "1,128,train/loss,NaN")));
    all.put("29 infinity", text -> change(text, rows -> rows.set(2, "1,128,train/loss,Infinity")));
    all.put("30 too many commas", text -> change(text, rows -> rows.set(2, rows.get(2) + ",")));
    all.put(
        "31 too few commas",
        text -> change(text, rows -> rows.set(2, rows.get(2).replaceFirst(",", ";"))));
    all.put("32 endless line", text -> text + "9".repeat(1 << 20));
    all.put("33 rows of the future", text -> text + "3,384,train/loss,0.5\n4,512,train/loss,0.5\n");
    all.put("34 half a row appended", text -> text + "3,384,train/lo");
    return all;
  }

  private static String replace(String text, int position, String other) {
    return text.substring(0, position) + other + text.substring(position + other.length());
  }

  private static String change(String text, Consumer<List<String>> change) {
    List<String> rows = new ArrayList<>(text.lines().toList());
    change.accept(rows);
    return String.join("\n", rows) + "\n";
  }

  static Stream<String> names() {
    return damages().keySet().stream();
  }

  private static void requireOneLine(Invocation command) {
    assertThat(command.err()).doesNotContain("\tat ", "Exception in");
    if (command.code() != ExitCode.OK) {
      assertThat(command.err().lines().filter(line -> line.startsWith("quantail: "))).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void shouldNameDamagedMetricsInOneLineOrResumeToTheSameBytes(String name) throws IOException {
    Path file = run.resolve("metrics.csv");
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    String damaged = damages().get(name).apply(text);
    assertThat(damaged).isNotEqualTo(text);
    Files.writeString(file, damaged, StandardCharsets.ISO_8859_1);

    Invocation verified = Invocation.of("verify", run.toString());
    assertThat(verified.err()).isEmpty();
    assertThat(verified.code()).as(verified.out()).isEqualTo(ExitCode.DATA);
    assertThat(verified.out()).contains("metrics.csv");
    requireOneLine(Invocation.of("compare", run.toString(), whole.toString()));

    Invocation resumed = Invocation.of("resume", run.toString(), "--json");
    requireOneLine(resumed);
    if (resumed.code() == ExitCode.OK) {
      assertThat(file).hasSameBinaryContentAs(whole.resolve("metrics.csv"));
      assertThat(resumed.err()).contains("metrics.csv");
      assertThat(run.resolve("alerts.jsonl")).hasSameBinaryContentAs(whole.resolve("alerts.jsonl"));
    } else {
      assertThat(resumed.err()).hasLineCount(1).contains("metrics.csv");
      assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).isEqualTo(damaged);
    }
  }

  @Test
  void shouldNameMissingMetrics() throws IOException {
    Files.delete(run.resolve("metrics.csv"));
    Refusal.require(
        Invocation.of("resume", run.toString()), ExitCode.FAILED, "metrics.csv is missing");
    Files.createDirectory(run.resolve("metrics.csv"));
    Refusal.require(
        Invocation.of("resume", run.toString()), ExitCode.FAILED, "metrics.csv is missing");
  }

  @Test
  void shouldFindNothingInAWholeRun() throws IOException {
    Invocation verified = Invocation.of("verify", run.toString(), "--json");
    assertThat(verified.code()).as(verified.out()).isEqualTo(ExitCode.OK);
    assertThat(verified.json().get("findings")).isEmpty();
    // Commands that write into a run leave it whole.
    assertThat(Invocation.of("evaluate", run.toString()).code()).isEqualTo(ExitCode.OK);
    Invocation again = Invocation.of("verify", run.toString());
    assertThat(again.code()).as(again.out()).isEqualTo(ExitCode.OK);
    assertThat(again.out()).contains("all as they were written");
  }

  /** Every byte of every file is covered, except the lock and the settings' own formatting. */
  @Test
  void shouldNoticeAChangedByteInEveryFile() throws IOException {
    long seed = System.nanoTime();
    RandomStream random = RandomStream.of(seed, "damage", 0);
    List<Path> files;
    try (Stream<Path> tree = Files.walk(run)) {
      files =
          tree.filter(Files::isRegularFile)
              .filter(file -> Files.notExists(file) || file.toFile().length() > 0)
              .filter(file -> !file.endsWith("config.yaml") && !file.endsWith("status.json"))
              .toList();
    }
    assertThat(files).hasSizeGreaterThan(12);
    for (Path file : files) {
      byte[] good = Files.readAllBytes(file);
      byte[] bad = good.clone();
      bad[random.nextInt(bad.length)] ^= (byte) (1 + random.nextInt(255));
      Files.write(file, bad);
      Invocation verified = Invocation.of("verify", run.toString(), "--json");
      assertThat(verified.err()).isEmpty();
      assertThat(verified.code())
          .as("seed %d: %s: %s", seed, file, verified.out())
          .isEqualTo(ExitCode.DATA);
      Files.write(file, good);
    }
  }

  @Test
  void shouldRepairWhatFollowsFromOtherFiles() throws IOException {
    Files.writeString(run.resolve("alerts.jsonl"), "{}\n");
    Files.writeString(run.resolve("config.yaml"), "ppo: [");
    Files.delete(run.resolve("status.json"));
    Files.writeString(run.resolve("report.html"), "<p>");
    Files.writeString(run.resolve("metrics.parquet"), "PAR1");
    Files.delete(run.resolve("result.json"));
    Path events;
    try (Stream<Path> list = Files.list(run.resolve("tensorboard"))) {
      events = list.findFirst().orElseThrow();
    }
    Files.write(events, Arrays.copyOf(Files.readAllBytes(events), 100));

    Invocation found = Invocation.of("verify", run.toString(), "--json");
    assertThat(found.code()).isEqualTo(ExitCode.DATA);
    List<String> names = new ArrayList<>();
    for (JsonNode finding : found.json().get("findings")) {
      names.add(finding.get("file").asText());
      assertThat(finding.get("repair").isNull()).as(finding.toString()).isFalse();
    }
    assertThat(names)
        .contains(
            "alerts.jsonl",
            "config.yaml",
            "status.json",
            "report.html",
            "metrics.parquet",
            "result.json",
            run.relativize(events).toString());

    Invocation repaired = Invocation.of("verify", run.toString(), "--repair", "--json");
    assertThat(repaired.code()).as(repaired.out() + repaired.err()).isEqualTo(ExitCode.OK);
    Invocation after = Invocation.of("verify", run.toString());
    assertThat(after.code()).as(after.out()).isEqualTo(ExitCode.OK);
    assertThat(run.resolve("alerts.jsonl")).hasSameBinaryContentAs(whole.resolve("alerts.jsonl"));
    assertThat(run.resolve("metrics.csv")).hasSameBinaryContentAs(whole.resolve("metrics.csv"));
    assertThat(run.resolve("config.yaml")).hasSameBinaryContentAs(whole.resolve("config.yaml"));
    assertThat(Files.readString(run.resolve("report.html"))).endsWith("</html>\n");
  }

  @Test
  void shouldRefuseWhatIsNoRun() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    Refusal.require(Invocation.of("verify", empty.toString()), ExitCode.USAGE, "is not a run");
    Refusal.require(
        Invocation.of("verify", directory.resolve("none").toString()),
        ExitCode.USAGE,
        "is not a directory");
  }
}
