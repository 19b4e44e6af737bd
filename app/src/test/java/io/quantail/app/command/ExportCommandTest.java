package io.quantail.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.app.Invocation;
import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("EXPORT-1")
class ExportCommandTest {
  @TempDir private static Path directory;
  private static Path run;

  @BeforeAll
  static void train() {
    run = directory.resolve("run");
    assertThat(Invocation.train(run, "--seed", "3").code()).isEqualTo(ExitCode.OK);
  }

  @Test
  void shouldWriteModelAndRows() throws IOException {
    Path model = directory.resolve("agent.onnx");
    Path rows = directory.resolve("rows.jsonl");
    Invocation first =
        export("--onnx", model.toString(), "--rows", rows.toString(), "--steps", "30", "--json");

    assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.OK);
    assertThat(first.json().get("bytes").longValue()).isEqualTo(Files.size(model));
    assertThat(first.json().get("inputs").get(0).textValue())
        .isEqualTo("observation float [batch, 2]");
    List<String> lines = Files.readAllLines(rows);
    assertThat(lines).hasSize(31);
    JsonNode row = new ObjectMapper().readTree(lines.get(1));
    assertThat(row.get("start").booleanValue()).isTrue();
    assertThat(row.get("action_probabilities")).hasSize(2);

    Invocation again = export("--onnx", model.toString());
    assertThat(again.code()).isEqualTo(ExitCode.USAGE);
    assertThat(again.err()).contains("exists", "--force").hasLineCount(1);
    assertThat(export("--onnx", model.toString(), "--force", "--json").json().get("sha256"))
        .isEqualTo(first.json().get("sha256"));
  }

  @Test
  void shouldExportARunOfAnOlderVersionWithoutItsSpaces() throws IOException {
    Path spaces = run.resolve("spaces.json");
    String text = Files.readString(spaces);
    Path first = directory.resolve("first.onnx");
    Path second = directory.resolve("second.onnx");
    export("--onnx", first.toString());
    Files.delete(spaces);
    export("--onnx", second.toString());
    Files.writeString(spaces, text);

    assertThat(second).hasSameBinaryContentAs(first);
  }

  @Test
  void shouldRefuseInOneLine() {
    refuse("nothing to write");
    refuse("name their file with --rows", "--onnx", "a", "--steps", "5");
    refuse("must be from 1", "--rows", "a", "--steps", "0");
    refuse("are the same file", "--rows", "a", "--onnx", "a");
    refuse("there is no directory", "--onnx", directory.resolve("missing/a.onnx").toString());
    refuse("is a directory", "--onnx", directory.toString(), "--force");
  }

  private static void refuse(String reason, String... options) {
    Invocation refused = export(options);
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains(reason).hasLineCount(1);
  }

  private static Invocation export(String... options) {
    String[] arguments = new String[options.length + 2];
    arguments[0] = "export";
    arguments[1] = run.toString();
    System.arraycopy(options, 0, arguments, 2, options.length);
    return Invocation.of(arguments);
  }
}
