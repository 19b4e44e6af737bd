package io.quantail.app;

import io.quantail.app.command.AuditCommand;
import io.quantail.app.command.BenchCommand;
import io.quantail.app.command.CompareCommand;
import io.quantail.app.command.CompletionCommand;
import io.quantail.app.command.DashboardCommand;
import io.quantail.app.command.DataCommand;
import io.quantail.app.command.EvaluateCommand;
import io.quantail.app.command.EvidenceCommand;
import io.quantail.app.command.ExportCommand;
import io.quantail.app.command.InitCommand;
import io.quantail.app.command.LedgerCommand;
import io.quantail.app.command.PopulationCommand;
import io.quantail.app.command.ReplayCommand;
import io.quantail.app.command.ResumeCommand;
import io.quantail.app.command.RobustnessCommand;
import io.quantail.app.command.RunsCommand;
import io.quantail.app.command.SignalCommand;
import io.quantail.app.command.SweepCommand;
import io.quantail.app.command.TrainCommand;
import io.quantail.app.command.VerifyCommand;
import io.quantail.app.command.WalkForwardCommand;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.Messages;
import io.quantail.app.console.Terminal;
import io.quantail.app.console.WrappedText;
import io.quantail.config.ConfigException;
import io.quantail.env.EnvironmentException;
import io.quantail.evidence.EvidenceException;
import io.quantail.market.data.DataException;
import io.quantail.math.NonFiniteException;
import io.quantail.run.DataChangedException;
import io.quantail.run.RunStoppedException;
import io.quantail.run.Versions;
import io.quantail.run.snapshot.SnapshotException;
import io.quantail.state.StateException;
import io.quantail.study.task.ClusterException;
import java.io.File;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code quantail} command. */
@Command(
    name = "quantail",
    description =
        "Trains recurrent PPO agents with distributional critics and a limit on tail risk.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.class,
    subcommands = {
      InitCommand.class,
      TrainCommand.class,
      ResumeCommand.class,
      EvaluateCommand.class,
      ExportCommand.class,
      RobustnessCommand.class,
      SweepCommand.class,
      PopulationCommand.class,
      SignalCommand.class,
      WalkForwardCommand.class,
      CompareCommand.class,
      RunsCommand.class,
      VerifyCommand.class,
      EvidenceCommand.class,
      LedgerCommand.class,
      DataCommand.class,
      DashboardCommand.class,
      AuditCommand.class,
      ReplayCommand.class,
      BenchCommand.class,
      CompletionCommand.class,
      CommandLine.HelpCommand.class
    },
    footer = {
      "",
      "Exit codes: 0 success, 1 failure, 2 wrong usage or configuration, 3 invalid data, 4 failed"
          + " audit, 130 interrupted and resumable."
    })
public final class Main implements Runnable, CommandLine.IVersionProvider {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  public static void main(String[] arguments) {
    int code;
    try {
      code = commandLine().execute(arguments);
    } catch (RuntimeException | Error failure) {
      Throwable starved = starved(failure);
      if (starved == null) {
        throw failure;
      }
      System.err.println("quantail: " + lacking(starved));
      code = 1; // without another class
    }
    System.exit(code);
  }

  /** The cause that says that memory or a class is missing; null if there is none. */
  private static @Nullable Throwable starved(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError
          || cause instanceof LinkageError
          || cause instanceof ClassNotFoundException) {
        return cause;
      }
    }
    return null;
  }

  /**
   * What the process lacks. Everything is in this class, because no other class may be loadable
   * when it is called.
   */
  private static String lacking(Throwable starved) {
    if (starved instanceof OutOfMemoryError) {
      return "there is too little memory: the heap may have "
          + (Runtime.getRuntime().maxMemory() >> 20)
          + " MB; set QUANTAIL_HEAP to more, such as 2g, or use fewer environments or agents at a"
          + " time";
    }
    File temporary = new File(System.getProperty("java.io.tmpdir"));
    if (!temporary.isDirectory() || !temporary.canWrite()) {
      return "the directory for temporary files, "
          + temporary
          + ", does not exist or cannot be written; make it, or name another one with"
          + " JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR";
    }
    return "a part of the program cannot be loaded ("
        + starved.getMessage()
        + "): the process may open too few files, which ulimit -n shows, or the installation is"
        + " damaged";
  }

  public static CommandLine commandLine() {
    Main main = new Main();
    CommandLine commandLine = new CommandLine(main);
    Messages.addTo(commandLine.getCommandSpec());
    useVersion(commandLine, main);
    commandLine.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
    commandLine.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.setExecutionExceptionHandler(Main::explain);
    commandLine.setParameterExceptionHandler(Main::refuse);
    commandLine.setUsageHelpWidth(Terminal.textWidth());
    commandLine.setColorScheme(
        CommandLine.Help.defaultColorScheme(
            Terminal.colours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
    return commandLine;
  }

  /** Lets {@code --version} of all subcommands print the same. */
  private static void useVersion(CommandLine commandLine, CommandLine.IVersionProvider version) {
    commandLine.getCommandSpec().versionProvider(version);
    commandLine.getSubcommands().values().forEach(command -> useVersion(command, version));
  }

  /** Prints what is wrong with the arguments, and the usage of the command. */
  private static int refuse(CommandLine.ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter errors = command.getErr();
    String problem = String.valueOf(wrong.getMessage());
    errors.print(
        Terminal.isErrors() ? WrappedText.of(problem, "", "  ") : problem + System.lineSeparator());
    if (!CommandLine.UnmatchedArgumentException.printSuggestions(wrong, errors)) {
      command.usage(errors);
    }
    return ExitCode.USAGE;
  }

  /** Prints expected failures as one line, and all others, which are defects, with their trace. */
  private static int explain(
      Exception failure, CommandLine commandLine, CommandLine.ParseResult parsed) {
    int code = exitCode(failure);
    Throwable starved = code == ExitCode.DEFECT ? starved(failure) : null;
    if (starved != null) {
      commandLine.getErr().println("quantail: " + lacking(starved));
      return ExitCode.FAILED;
    }
    if (code == ExitCode.DEFECT) {
      failure.printStackTrace(commandLine.getErr());
      return ExitCode.FAILED;
    }
    Messages.of(commandLine.getCommandSpec()).failure(failure, failure instanceof DataException);
    return code;
  }

  private static int exitCode(Exception failure) {
    if (failure instanceof ConfigException
        || failure instanceof UsageException
        || failure instanceof EnvironmentException.Unknown) {
      return ExitCode.USAGE;
    }
    if (failure instanceof DataException
        || failure instanceof EvidenceException
        || failure instanceof DataChangedException) {
      return ExitCode.DATA;
    }
    boolean known =
        failure instanceof RunStoppedException
            || failure instanceof ClusterException
            || failure instanceof EnvironmentException
            || failure instanceof NonFiniteException
            || failure instanceof SnapshotException
            || failure instanceof StateException
            || failure instanceof UncheckedIOException;
    return known ? ExitCode.FAILED : ExitCode.DEFECT;
  }

  @Override
  public String[] getVersion() {
    return new String[] {"quantail " + Versions.quantail() + ", Java " + Runtime.version()};
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
