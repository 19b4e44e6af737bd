package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.WrappedText;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.env.vector.FaultReplay;
import io.quantail.market.MarketProvider;
import io.quantail.run.FaultFile;
import io.quantail.run.RunReader;
import io.quantail.run.io.Json;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Repeats the recorded actions before a failure of an environment. */
@Command(
    name = "replay",
    description = {
      "Repeats the actions before a failure of an environment.",
      "Exit code 0 if it fails again."
    },
    mixinStandardHelpOptions = true)
public final class ReplayCommand implements Callable<Integer> {
  private static final String INDENT = " ".repeat("in the run: ".length());

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "File in the faults directory of a run.")
  private Path file;

  @Option(
      names = "--run",
      paramLabel = "RUN",
      description = "Run of the failure; default: the run that contains FILE.")
  private Path run;

  @Option(names = "--json", description = "Print the result as one line of JSON.")
  private boolean json;

  /**
   * @param reproduced whether it failed again
   * @param before message of the failure in the run
   * @param now message of the failure in the replay; null if there was none
   */
  private record Result(boolean reproduced, @Nullable String before, @Nullable String now) {}

  @Override
  public Integer call() throws JsonProcessingException {
    FaultFile recorded = FaultFile.read(file);
    if (!recorded.fault().recording().complete()) {
      throw new UsageException(
          file + " cannot be replayed: the episode was too long to record all actions");
    }
    Optional<String> now =
        FaultReplay.play(
            recorded.fault().recording(), environments(recorded), recorded.stepDeadlineSeconds());
    Result result = new Result(now.isPresent(), recorded.fault().message(), now.orElse(null));
    spec.commandLine().getOut().print(json ? Json.line(result) + "\n" : text(result));
    spec.commandLine().getOut().flush();
    return result.reproduced() ? ExitCode.OK : ExitCode.FAILED;
  }

  private Path runOfFile() {
    Path faults = Objects.requireNonNull(file.toAbsolutePath().normalize().getParent());
    return Objects.requireNonNull(faults.getParent());
  }

  /** Environments of the run that the file belongs to, with its settings. */
  private EnvironmentFactory environments(FaultFile recorded) {
    Path directory = run == null ? runOfFile() : run;
    if (run != null || RunReader.isRun(directory)) {
      return environments(recorded, RunReader.config(directory));
    }
    if (recorded.environment().equals(MarketProvider.NAME)) {
      throw new UsageException(
          "%s is not in the faults directory of a run, whose settings %s needs; name the run with --run"
              .formatted(file, MarketProvider.NAME));
    }
    return EnvironmentRegistry.byName(recorded.environment());
  }

  private static EnvironmentFactory environments(FaultFile recorded, RunConfig config) {
    if (!recorded.environment().equals(config.environment().name())) {
      throw new UsageException(
          "the failure was in %s, but the run is on %s; name the run of the failure with --run"
              .formatted(recorded.environment(), config.environment().name()));
    }
    return EnvironmentRegistry.of(config);
  }

  private static String text(Result result) {
    String now = result.reproduced() ? String.valueOf(result.now()) : "no failure";
    return WrappedText.of(String.valueOf(result.before()), "in the run: ", INDENT)
        + WrappedText.of(now, "in replay:  ", INDENT);
  }
}
