package io.quantail.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.Invocation;
import io.quantail.app.common.ExitCode;
import io.quantail.run.RunStatus;
import io.quantail.testing.Requirement;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("CLI-1")
class RunsCommandTest {
  private static final String TERMINAL = "quantail.terminal";

  @TempDir private Path runs;

  @BeforeEach
  void train() {
    Invocation.train(runs.resolve("first"));
    Invocation.train(runs.resolve("second"), "--seed", "7");
  }

  private JsonNode list(String... options) {
    String[] all = new String[options.length + 4];
    System.arraycopy(options, 0, all, 4, options.length);
    all[0] = "runs";
    all[1] = "--json";
    all[2] = "--in";
    all[3] = runs.toString();
    Invocation printed = Invocation.of(all);
    assertThat(printed.code()).as(printed.err()).isEqualTo(ExitCode.OK);
    assertThat(printed.out()).hasLineCount(1);
    return printed.json().get("runs");
  }

  private List<String> names(String... options) {
    return list(options).findValuesAsText("run").stream()
        .map(run -> Path.of(run).getFileName().toString())
        .toList();
  }

  @Test
  void shouldListRunsWithTheirResults() throws IOException {
    Files.createDirectory(runs.resolve("notes"));
    Files.writeString(runs.resolve("ledger.jsonl"), "");
    JsonNode first = list("--sort", "name").get(0);

    assertThat(names("--sort", "name")).containsExactly("first", "second");
    assertThat(first.get("kind").textValue()).isEqualTo("RUN");
    assertThat(first.get("state").textValue()).isEqualTo("FINISHED");
    assertThat(first.get("environment").textValue()).isEqualTo("CartPoleNoVelocity-v1");
    assertThat(first.get("seed").longValue()).isEqualTo(1);
    assertThat(first.get("steps").longValue()).isEqualTo(256);
    assertThat(first.get("result").isNumber()).isTrue();
    assertThat(Invocation.of("runs", "--in", runs.toString()).out())
        .containsPattern("first +finished +[0-9.]+ ");
  }

  @Test
  void shouldFilterAndSort() {
    status("second", RunStatus.State.INTERRUPTED);

    assertThat(names("--state", "interrupted")).containsExactly("second");
    assertThat(names("--filter", "FIR")).containsExactly("first");
    assertThat(names("--filter", "cartpole", "--kind", "run")).hasSize(2);
    assertThat(names("--kind", "sweep")).isEmpty();
    List<Double> results =
        list("--sort", "result").findValues("result").stream().map(JsonNode::doubleValue).toList();
    assertThat(results).isSorted();
    assertThat(names()).as("the newest last").endsWith("second");
  }

  private void status(String run, RunStatus.State state) {
    RunStatus.now(state, 2, Instant.now()).write(runs.resolve(run));
  }

  @Test
  void shouldRefuseADirectoryThatIsMissing() {
    Invocation refused = Invocation.of("runs", "--in", runs.resolve("none").toString());
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("there is no directory");
  }

  @Test
  void shouldRemoveWithoutAQuestionWhenToldTo() {
    Invocation removed = remove("--yes", "first");

    assertThat(removed.code()).as(removed.err()).isEqualTo(ExitCode.OK);
    assertThat(runs.resolve("first")).doesNotExist();
    assertThat(runs.resolve("second")).exists();
  }

  private Invocation remove(String option, String... names) {
    String[] all = new String[names.length + 3];
    all[0] = "runs";
    all[1] = "remove";
    all[2] = option;
    for (int i = 0; i < names.length; i++) {
      all[i + 3] = runs.resolve(names[i]).toString();
    }
    return Invocation.of(all);
  }

  @Test
  void shouldAskOnATerminalAndRemoveOnlyAfterYes() {
    assertThat(answer("n\n").code()).isEqualTo(ExitCode.FAILED);
    assertThat(answer("").code()).as("the input ended").isEqualTo(ExitCode.FAILED);
    assertThat(runs.resolve("first")).exists();
    Invocation removed = answer("yes\n");
    assertThat(removed.code()).isEqualTo(ExitCode.OK);
    assertThat(removed.err()).contains("Remove it for good? [y/N]");
    assertThat(runs.resolve("first")).doesNotExist();
  }

  private Invocation answer(String typed) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)));
    System.setProperty(TERMINAL, "err");
    try {
      return remove("--quiet", "first");
    } finally {
      System.setIn(before);
      System.clearProperty(TERMINAL);
    }
  }

  @Test
  void shouldRefuseWhereNobodyCanBeAsked() {
    Invocation refused = Invocation.of("runs", "remove", runs.resolve("first").toString());
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("add --yes");
    assertThat(runs.resolve("first")).exists();
  }

  @Test
  void shouldRefuseDirectoriesThatAreNoRuns() throws IOException {
    Path notes = Files.createDirectory(runs.resolve("notes"));
    Files.writeString(notes.resolve("mine.txt"), "text");
    Invocation refused = remove("--yes", "first", "notes");

    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("notes is not a run");
    assertThat(notes.resolve("mine.txt")).exists();
    assertThat(runs.resolve("first")).as("nothing is removed if one is refused").exists();
    assertThat(Invocation.of("runs", "remove", "--yes", runs.toString()).code())
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void shouldRefuseALinkToARun() throws IOException {
    Path link = Files.createSymbolicLink(runs.resolve("link"), runs.resolve("first"));

    assertThat(remove("--yes", "link").code()).isEqualTo(ExitCode.USAGE);
    assertThat(link).exists();
    assertThat(names()).doesNotContain("link");
  }

  @Test
  void shouldRefuseARunInProgress() {
    status("first", RunStatus.State.RUNNING);
    Invocation refused = remove("--yes", "first");

    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("first is in progress");
    assertThat(runs.resolve("first").resolve("config.yaml")).exists();
    assertThat(names("--state", "running")).containsExactly("first");
  }
}
