package io.quantail.app.console;

import io.quantail.app.common.ErrorText;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * Prints messages to standard error, as few or as many as {@code --quiet} and {@code --verbose} of
 * any command ask for. On a terminal they are broken into lines; elsewhere each is one line.
 */
public final class Messages {
  private static final String PREFIX = "quantail: ";
  private static final String MIXIN = "messages";

  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description = "Print the result and errors, but no progress and no notes.")
  private boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Print alerts of severity info too, and where an error came from.")
  private boolean verbose;

  private PrintWriter errors = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
  private @Nullable ProgressLine progress; // drawn below the messages

  /** Adds the options to a command and all commands below it. */
  public static void addTo(CommandSpec command) {
    command.addMixin(MIXIN, CommandSpec.forAnnotatedObject(new Messages()));
  }

  /** The messages of a command. */
  public static Messages of(CommandSpec command) {
    Messages messages =
        (Messages) Objects.requireNonNull(command.root().mixins().get(MIXIN)).userObject();
    messages.errors = command.commandLine().getErr();
    return messages;
  }

  /** Prints messages above a line of progress from now on. */
  void use(ProgressLine line) {
    progress = line;
  }

  public boolean isQuiet() {
    return quiet;
  }

  public boolean isVerbose() {
    return verbose;
  }

  /** What the user should know; not printed with {@code --quiet}. */
  public void note(String text) {
    if (!quiet) {
      print("", text);
    }
  }

  /** A setting or a result that is probably not what the user wants. */
  public void warning(String text) {
    if (!quiet) {
      print(Style.YELLOW.onErrors("warning:") + " ", text);
    }
  }

  /** Why the command did not do what it should. */
  public void error(String text) {
    endActivity();
    print("", Style.RED.onErrors(PREFIX), text);
  }

  /** A line of progress, such as that of a trained agent. */
  public void progress(String text) {
    if (!quiet) {
      println(fitted(text, "    "));
    }
  }

  /**
   * Shows what the command does at present.
   *
   * @return whether it was shown: only a terminal shows it, and not with {@code --quiet}
   */
  public boolean activity(String text) {
    if (quiet || !Terminal.redraws()) {
      return quiet;
    }
    if (progress == null) {
      progress = new ProgressLine(System.err, true, System::nanoTime);
    }
    progress.show(text);
    return true;
  }

  /** Removes what is shown of the present activity. */
  public void endActivity() {
    if (progress != null) {
      progress.end();
    }
  }

  private void print(String kind, String text) {
    print(kind, PREFIX, text);
  }

  private void print(String kind, String prefix, String text) {
    // A list of problems has one on each line.
    println(
        text.lines()
            .map(line -> fitted(kind + line, "  "))
            .collect(Collectors.joining(System.lineSeparator(), prefix, "")));
  }

  private void println(String lines) {
    if (progress == null || !progress.redraws()) {
      errors.println(lines);
    } else {
      progress.print(lines);
    }
  }

  /** A line, broken where it is longer than the terminal is wide. */
  static String fitted(String line, String others) {
    return Terminal.isErrors()
        ? WrappedText.of(line, " ".repeat(PREFIX.length()), others).strip()
        : line;
  }

  /** A failure that was expected, on one line, and with {@code --verbose} its trace. */
  public void failure(Exception failure, boolean list) {
    // The message of some is a list of problems, one per line.
    error(list ? String.valueOf(failure.getMessage()) : ErrorText.of(failure));
    if (verbose) {
      failure.printStackTrace(errors);
    }
  }
}
