package io.quantail.app.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Group of the commands for files of bars. */
@Command(
    name = "data",
    description = "Validates, imports and generates files of bars.",
    mixinStandardHelpOptions = true,
    subcommands = {
      DataValidateCommand.class,
      DataImportCommand.class,
      DataGenerateCommand.class,
      CommandLine.HelpCommand.class
    })
public final class DataCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
