package io.quantail.app.command;

import io.quantail.app.common.ErrorText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** The command that the user gave, as a line that resumes what it began. */
final class RepeatedCommand {
  private static final String RUN = "--run";

  private RepeatedCommand() {}

  /**
   * The line, with all arguments of the user.
   *
   * @param directory of the study
   */
  static String of(CommandSpec spec, Path directory) {
    return line(spec.root().commandLine().getParseResult().originalArgs(), directory);
  }

  static String line(List<String> given, Path directory) {
    List<String> arguments = new ArrayList<>(List.of("quantail"));
    boolean isDirectory = false;
    for (String argument : given) {
      if (!isDirectory && !argument.equals(RUN) && !argument.startsWith(RUN + "=")) {
        arguments.add(argument);
      }
      isDirectory = argument.equals(RUN);
    }
    arguments.add(RUN);
    arguments.add(directory.toString());
    return arguments.stream().map(ErrorText::quoted).collect(Collectors.joining(" "));
  }
}
