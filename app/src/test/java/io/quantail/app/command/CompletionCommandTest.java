package io.quantail.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.Invocation;
import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script of completion in a real bash, which is asked as if Tab had been pressed. */
@Requirement("CLI-1")
class CompletionCommandTest {
  @TempDir private Path directory;

  @Test
  void shouldCompleteCommandsAndOptionsInBash() throws Exception {
    Invocation printed = Invocation.of("completion", "bash");
    assertThat(printed.code()).as(printed.err()).isEqualTo(ExitCode.OK);
    Files.writeString(directory.resolve("script"), printed.out());

    assertThat(complete("quantail", "wa")).containsExactly("walkforward");
    assertThat(complete("quantail", "train", "--st")).containsExactly("--steps");
    assertThat(complete("quantail", "runs", "rem")).containsExactly("remove");
    assertThat(complete("quantail", "data", "generate", "mean")).containsExactly("mean-reversion");
    assertThat(complete("quantail", "")).contains("train", "resume", "compare", "data");
  }

  @Test
  void shouldPrintTheSameForZshAndRefuseOtherShells() {
    assertThat(Invocation.of("completion", "zsh").out())
        .isEqualTo(Invocation.of("completion", "bash").out())
        .contains("bashcompinit");
    assertThat(Invocation.of("completion", "tcsh").code()).isEqualTo(ExitCode.USAGE);
  }

  private List<String> complete(String... words) throws IOException, InterruptedException {
    String script =
        // Bash refuses compopt where it does not complete itself.
        "source ./script; compopt() { :; }; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMP_LINE=\"$*\";"
            + " COMP_POINT=${#COMP_LINE};"
            + " $(complete -p quantail | sed 's/.*-F \\([^ ]*\\).*/\\1/') quantail \"${@: -1}\" \"${@: -2:1}\";"
            + " printf '%s\\n' \"${COMPREPLY[@]}\"";
    List<String> command = new ArrayList<>(List.of("bash", "-c", script, "bash"));
    command.addAll(List.of(words));
    Process bash =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(output).isZero();
    return output.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }
}
