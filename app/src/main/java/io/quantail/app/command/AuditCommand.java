package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.AuditText;
import io.quantail.app.console.Messages;
import io.quantail.app.report.AuditReport;
import io.quantail.audit.Audit;
import io.quantail.audit.AuditCheck;
import io.quantail.audit.AuditResult;
import io.quantail.audit.AuditSubject;
import io.quantail.config.RunConfig;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.run.RunEnvironments;
import io.quantail.run.RunReader;
import io.quantail.run.io.Json;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.state.StateMap;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code quantail audit}. */
@Command(
    name = "audit",
    description = {
      "Compares every formula of the learner with a reference implementation.",
      "It uses data of the configuration (docs/internals/audit.md). CONFIG may be a "
          + "run directory; default: the demo."
    },
    mixinStandardHelpOptions = true)
public final class AuditCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private ConfigOptions arguments = new ConfigOptions();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write the result as an HTML page.")
  private Path report;

  @Override
  public Integer call() throws JsonProcessingException {
    if (report != null) {
      UsageException.requireAbsent(report);
    }
    AuditResult result;
    try (AuditSubject subject = subject()) {
      result = audit(subject);
    }
    if (report != null) {
      write(new AuditReport(name(), result).html());
    }
    PrintWriter out = spec.commandLine().getOut();
    if (arguments.json()) {
      out.println(Json.line(result));
    } else {
      out.print(new AuditText(name(), result).text());
      out.flush();
    }
    return result.failed() == 0 ? ExitCode.OK : ExitCode.AUDIT;
  }

  private AuditSubject subject() {
    Path source = arguments.file();
    boolean isRun = source != null && Files.isDirectory(source);
    if (!isRun) {
      RunConfig config = arguments.read().config();
      return new AuditSubject(config, EnvironmentRegistry.of(config), Optional.empty());
    }
    if (!arguments.overrides().isEmpty()) {
      throw new UsageException(
          "--set is for a configuration; the settings of the run %s cannot be changed"
              .formatted(source));
    }
    RunConfig config = RunReader.config(source);
    Snapshot snapshot = RunReader.snapshot(source);
    snapshot.problems().forEach(Messages.of(spec)::note);
    StateMap state = snapshot.state();
    return new AuditSubject(config, RunEnvironments.of(config, source), Optional.of(state));
  }

  private String name() {
    return arguments.file() == null ? "demo" : arguments.file().toString();
  }

  private AuditResult audit(AuditSubject subject) {
    int total = Audit.checks(subject).size();
    Messages messages = Messages.of(spec);
    int[] done = {0};
    AuditResult result =
        Audit.run(subject, any -> true, check -> show(messages, check, ++done[0], total));
    messages.endActivity();
    return result;
  }

  /** Shows progress: on a terminal the present check, elsewhere every tenth. */
  private static void show(Messages messages, AuditCheck check, int number, int total) {
    String line = String.format(Locale.ROOT, "%d of %d: %s", number, total, check.name());
    if (!messages.activity(line) && number % 10 == 1) {
      messages.progress(line);
    }
  }

  private void write(String html) {
    try {
      Files.writeString(report, html);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + report, failure);
    }
  }
}
