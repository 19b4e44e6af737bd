package io.quantail.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.config.RunConfig;
import io.quantail.run.io.Json;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** Says how a training session ended, to a person or to a program. */
final class Outcome {
  private Outcome() {}

  /** Prints the result and returns the exit code. */
  static int report(
      CommandSpec spec,
      boolean json,
      RunConfig config,
      RunDirectory run,
      TrainingSession session,
      Optional<TrainingSession.Result> result)
      throws JsonProcessingException {
    if (result.isEmpty()) {
      spec.commandLine()
          .getErr()
          .println("quantail: interrupted; go on with: quantail resume " + run.path());
      return ExitCode.INTERRUPTED;
    }
    PrintWriter output = spec.commandLine().getOut();
    if (json) {
      output.println(Json.line(result.get()));
    } else {
      output.print(Summary.of(config, result.get(), session.curve()));
      output.flush();
    }
    return ExitCode.OK;
  }
}
