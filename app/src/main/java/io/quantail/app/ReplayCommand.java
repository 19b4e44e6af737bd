package io.quantail.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.env.Environments;
import io.quantail.env.Replay;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Repeats what an environment was asked to do before it failed. */
@Command(
    name = "replay",
    description = "Repeats the actions after which an environment failed; 0 if it fails again.",
    mixinStandardHelpOptions = true)
final class ReplayCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "A file from the faults directory of a run.")
  private Path file;

  @Option(names = "--json", description = "End with the result as one line of JSON.")
  private boolean json;

  /**
   * @param reproduced whether it failed again
   * @param before what happened in the run
   * @param now what happened this time; null if nothing did
   */
  private record Result(boolean reproduced, String before, String now) {}

  @Override
  public Integer call() throws JsonProcessingException {
    FaultFile recorded = FaultFile.read(file);
    if (!recorded.fault().recording().complete()) {
      throw new UsageException(
          file + " cannot be replayed: the episode was too long for all actions to be recorded");
    }
    Optional<String> now =
        Replay.play(
            recorded.fault().recording(),
            Environments.byName(recorded.environment()),
            recorded.stepDeadlineSeconds());
    Result result = new Result(now.isPresent(), recorded.fault().message(), now.orElse(null));
    spec.commandLine().getOut().println(json ? Json.line(result) : text(result));
    return result.reproduced() ? ExitCode.OK : ExitCode.FAILED;
  }

  private static String text(Result result) {
    return result.reproduced()
        ? "in the run: " + result.before() + System.lineSeparator() + "again:      " + result.now()
        : "in the run: "
            + result.before()
            + System.lineSeparator()
            + "this time nothing went wrong";
  }
}
