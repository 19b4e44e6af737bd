package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.common.ExitCode;
import io.quantail.app.console.Messages;
import io.quantail.app.console.WrappedText;
import io.quantail.run.RunEnvironments;
import io.quantail.run.RunLayout;
import io.quantail.run.RunReader;
import io.quantail.run.TrainingSession;
import io.quantail.run.io.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Continues a run from its newest intact snapshot. */
@Command(
    name = "resume",
    description = {
      "Continues an interrupted run.",
      "The result equals that of an uninterrupted run. A finished run stays as it is."
    },
    mixinStandardHelpOptions = true)
public final class ResumeCommand implements Callable<Integer> {
  /** Hidden option of {@code verify --repair}. */
  static final String AGAIN = "--again";

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RUN", description = "Run directory made by train.")
  private Path runDirectory;

  @Option(names = "--dashboard", description = "Show the run in a browser while it trains.")
  private boolean dashboard;

  @Option(names = "--json", description = "Print the result as one line of JSON.")
  private boolean json;

  @Option(
      names = AGAIN,
      hidden = true,
      description = "Evaluate a finished run again; verify repairs its files so.")
  private boolean again;

  @Override
  public Integer call() throws JsonProcessingException {
    Optional<JsonNode> result = again ? Optional.empty() : RunReader.finalResult(runDirectory);
    return result.isPresent() ? finished(result.get()) : train();
  }

  /** Changes nothing, and says so. */
  private int finished(JsonNode result) throws JsonProcessingException {
    PrintWriter output = spec.commandLine().getOut();
    if (json) {
      output.println(Json.line(result));
      return ExitCode.OK;
    }
    Optional<String> early =
        RunReader.trained(runDirectory, RunReader.config(runDirectory)).earlyEnd();
    output.print(
        WrappedText.of(
            String.format(
                Locale.ROOT,
                "%s is finished after %,d steps; nothing was changed",
                runDirectory,
                result.path("steps").longValue())));
    early.ifPresent(end -> output.print(WrappedText.entry("training", end)));
    output.print(
        WrappedText.entry(
            "train more",
            "raise training.%s in %s, then resume again"
                .formatted(
                    early.isPresent() ? "patience" : "steps",
                    runDirectory.resolve(RunLayout.CONFIG))));
    output.print(WrappedText.command("look closer", "quantail evaluate " + runDirectory));
    output.flush();
    return ExitCode.OK;
  }

  private int train() throws JsonProcessingException {
    try (TrainingSession session =
            TrainingSession.resume(
                runDirectory,
                config -> RunEnvironments.of(config, runDirectory),
                Messages.of(spec)::note);
        InteractiveTraining shown = new InteractiveTraining(spec, dashboard)) {
      return shown.report(json, shown.run(session), null);
    }
  }
}
