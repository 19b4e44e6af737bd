package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.Messages;
import io.quantail.app.console.Terminal;
import io.quantail.app.runs.StoredRun;
import io.quantail.io.AtomicFiles;
import io.quantail.run.io.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes runs and studies. */
@Command(
    name = "remove",
    description = {
      "Deletes the directories of runs and studies, after a question.",
      "Refuses other directories and those in progress. The ledger keeps counting "
          + "their evaluations."
    },
    mixinStandardHelpOptions = true)
final class RunsRemoveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", arity = "1..*", paramLabel = "RUN", description = "Directories.")
  private List<Path> directories;

  @Option(names = "--yes", description = "Do not ask.")
  private boolean sure;

  @Option(names = "--json", description = "Print the result as one line of JSON.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    List<Path> chosen = directories.stream().map(RunsRemoveCommand::plain).distinct().toList();
    chosen.forEach(RunsRemoveCommand::requireRemovable); // nothing is removed if one is refused
    if (!sure && !confirmed(chosen)) {
      Messages.of(spec).note("nothing was removed");
      return ExitCode.FAILED;
    }
    chosen.forEach(AtomicFiles::deleteDirectory);
    List<String> removed = chosen.stream().map(Path::toString).toList();
    PrintWriter output = spec.commandLine().getOut();
    if (json) {
      output.println(Json.line(Map.of("removed", removed)));
    } else {
      removed.forEach(directory -> output.println("removed " + directory));
    }
    output.flush();
    return ExitCode.OK;
  }

  /** The path without a slash at its end and without {@code ..}. */
  private static Path plain(Path directory) {
    return directory.normalize();
  }

  private static void requireRemovable(Path directory) {
    StoredRun run =
        StoredRun.read(directory)
            .orElseThrow(
                () ->
                    new UsageException(
                        directory
                            + " is not a run, sweep, walk-forward or population; name a directory"
                            + " that quantail runs lists"));
    if (run.state() == StoredRun.State.RUNNING) {
      throw new UsageException(directory + " is in progress; stop it first with Ctrl-C");
    }
    Path parent = directory.toAbsolutePath().getParent();
    Path study = parent == null ? null : parent.getParent();
    if (study != null && StoredRun.read(study).isPresent()) {
      throw new UsageException(
          "%s is an agent of the study %s; remove the study as a whole"
              .formatted(directory, Objects.requireNonNull(study.getFileName())));
    }
  }

  private boolean confirmed(List<Path> chosen) {
    if (!Terminal.isErrors()) {
      throw new UsageException(
          "removing needs a confirmation on a terminal; add --yes to remove "
              + String.join(" ", chosen.stream().map(Path::toString).toList()));
    }
    PrintWriter errors = spec.commandLine().getErr();
    chosen.forEach(directory -> errors.println("  " + directory));
    errors.printf(
        Locale.ROOT,
        "Remove %s for good? [y/N] ",
        chosen.size() == 1 ? "it" : "all " + chosen.size());
    errors.flush();
    try {
      String answer =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
      return answer != null
          && List.of("y", "yes").contains(answer.strip().toLowerCase(Locale.ROOT));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the answer", failure);
    }
  }
}
