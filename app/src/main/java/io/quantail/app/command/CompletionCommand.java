package io.quantail.app.command;

import io.quantail.app.common.ExitCode;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a script with which a shell completes commands and options. */
@Command(
    name = "completion",
    description = {
      "Prints a script with which a shell completes commands and options.",
      "For this shell: source <(quantail completion bash). For all: add this line to "
          + "~/.bashrc, or with zsh to ~/.zshrc."
    },
    mixinStandardHelpOptions = true)
public final class CompletionCommand implements Callable<Integer> {
  /** Shells; the script is the same and finds out which one reads it. */
  enum Shell {
    BASH,
    ZSH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec private CommandSpec spec;

  /** Checked only: one script serves both shells. */
  @SuppressWarnings("UnusedVariable") // picocli checks it
  @Parameters(index = "0", paramLabel = "SHELL", description = "Shell: ${COMPLETION-CANDIDATES}.")
  private Shell shell;

  @Override
  public Integer call() {
    CommandLine whole = spec.root().commandLine();
    PrintWriter output = spec.commandLine().getOut();
    output.print(AutoComplete.bash(whole.getCommandName(), whole));
    output.flush();
    return ExitCode.OK;
  }
}
