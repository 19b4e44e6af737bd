package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.run.RunEnvironments;
import io.quantail.run.TrainingSession;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Continues a run from its newest intact snapshot. */
@Command(
    name = "resume",
    description = "Continues an interrupted run; the result equals that of an uninterrupted run.",
    mixinStandardHelpOptions = true)
public final class ResumeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RUN", description = "Run directory made by train.")
  private Path runDirectory;

  @Option(names = "--dashboard", description = "Show the run in a browser while it trains.")
  private boolean dashboard;

  @Option(names = "--json", description = "Print the result as one line of JSON.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    try (TrainingSession session =
            TrainingSession.resume(
                runDirectory, config -> RunEnvironments.of(config, runDirectory), this::note);
        InteractiveTraining shown = new InteractiveTraining(spec, dashboard)) {
      return shown.report(json, shown.run(session), null);
    }
  }

  private void note(String line) {
    spec.commandLine().getErr().println("quantail: " + line);
  }
}
