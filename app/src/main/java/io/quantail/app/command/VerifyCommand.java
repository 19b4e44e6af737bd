package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ErrorText;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.Messages;
import io.quantail.app.console.WrappedText;
import io.quantail.app.runs.StoredFiles;
import io.quantail.run.RunVerification.Finding;
import io.quantail.run.io.DirectoryLock;
import io.quantail.run.io.Json;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks the files of runs and studies against their hashes. */
@Command(
    name = "verify",
    description = {
      "Checks every file of a run or study against recorded hashes.",
      "Nothing is trained. Exit code 3 if a file is damaged or missing."
    },
    mixinStandardHelpOptions = true)
public final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RUN", description = "Directory of the run or study.")
  private Path directory;

  @Option(
      names = "--repair",
      description =
          "Write again what follows from intact files, such as alerts, event files,"
              + " metrics.parquet, report and result, and cut off incomplete ends.")
  private boolean repair;

  @Option(names = "--json", description = "Print the findings as one line of JSON.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    if (!Files.isDirectory(directory)) {
      throw new UsageException(directory + " is not a directory; name a run or study");
    }
    StoredFiles before = check();
    List<Finding> findings = before.findings();
    if (repair && before.needsEvaluation()) {
      before.runsToEvaluate().forEach(this::evaluate);
    }
    List<Finding> left = repair && !findings.isEmpty() ? check(false).findings() : findings;
    print(before.files(), findings, left);
    return left.isEmpty() ? ExitCode.OK : ExitCode.DATA;
  }

  private StoredFiles check() {
    return check(repair);
  }

  /** Holds the lock, so that no process writes while the files are compared with each other. */
  private StoredFiles check(boolean repairing) {
    try (DirectoryLock lock = lock()) {
      StoredFiles files = StoredFiles.of(directory);
      if (repairing) {
        files.repair();
      }
      return files;
    }
  }

  /** The lock of the directory; null where it is read-only, so that no process can write. */
  private @Nullable DirectoryLock lock() {
    try {
      return DirectoryLock.acquire(directory);
    } catch (UncheckedIOException readOnly) {
      if (repair) {
        throw readOnly;
      }
      return null;
    }
  }

  /** Writes the result of a finished run again. */
  private void evaluate(Path run) {
    CommandLine resume =
        Objects.requireNonNull(spec.root().commandLine().getSubcommands().get("resume"));
    PrintWriter output = resume.getOut();
    resume.setOut(new PrintWriter(Writer.nullWriter()));
    int code = resume.execute(run.toString(), ResumeCommand.AGAIN);
    resume.setOut(output);
    if (code != ExitCode.OK) {
      Messages.of(spec)
          .note(
              String.format(
                  Locale.ROOT, "%s could not be evaluated again, exit code %d", run, code));
    }
  }

  private void print(int files, List<Finding> findings, List<Finding> left)
      throws JsonProcessingException {
    PrintWriter output = spec.commandLine().getOut();
    if (json) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("run", directory.toString());
      result.put("files", files);
      result.put("findings", findings);
      result.put("left", left);
      output.println(Json.line(result));
      return;
    }
    output.print(
        WrappedText.of(
            String.format(
                Locale.ROOT,
                "%s: %d files, %s",
                directory,
                files,
                findings.isEmpty() ? "all as they were written" : findings.size() + " damaged"),
            "",
            "  "));
    for (Finding finding : findings) {
      String problem = ErrorText.oneLine(finding.problem());
      output.print(WrappedText.of(finding.file() + ": " + problem, "  ", "    "));
      output.print(WrappedText.of(advice(finding, left), "    ", "      "));
    }
    output.flush();
  }

  private String advice(Finding finding, List<Finding> left) {
    if (finding.repair() == null) {
      return "cannot be repaired; restore it from a copy";
    }
    if (!repair) {
      return "with --repair: " + finding.repair();
    }
    boolean stays = left.stream().anyMatch(other -> other.file().equals(finding.file()));
    return stays ? "could not be repaired" : "repaired: " + finding.repair();
  }
}
