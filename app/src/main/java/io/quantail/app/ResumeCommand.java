package io.quantail.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.checkpoint.Loaded;
import io.quantail.config.RunConfig;
import io.quantail.config.RunSettings;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.Environments;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.train.Trainer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Continues a run from its newest good snapshot. */
@Command(
    name = "resume",
    description = "Continues an interrupted run; the result is that of an undisturbed run.",
    mixinStandardHelpOptions = true)
final class ResumeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RUN", description = "Run directory made by train.")
  private Path runDirectory;

  @Option(names = "--dashboard", description = "Show the run in a browser while it trains.")
  private boolean dashboard;

  @Option(names = "--json", description = "End with the result as one line of JSON.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    RunConfig config = RunDirectory.config(runDirectory);
    Loaded snapshot = RunDirectory.latestSnapshot(runDirectory);
    List<RunSettings.Change> changes =
        RunDirectory.requireSameConfig(runDirectory, config, snapshot);
    EnvironmentFactory factory = Environments.of(config);
    EvaluationProtocol evaluation = EvaluationProtocol.of(config, factory);
    RunDirectory.requireSameData(runDirectory, factory.dataFingerprint(), snapshot);
    snapshot.problems().forEach(this::say);
    RunDirectory.otherVersions(snapshot).forEach(this::say);
    changes.forEach(change -> say(change.toString()));
    try (Trainer trainer = new Trainer(config, factory)) {
      if (!trainer.load(snapshot.state())) {
        say("the environments cannot save themselves; all of them start a new episode");
      }
      try (RunDirectory run =
              RunDirectory.reopen(runDirectory, config, snapshot.manifest().info().update());
          LiveDashboard live = LiveDashboard.of(dashboard, run.path(), spec);
          TrainingSession session = new TrainingSession(config, trainer, run, factory, evaluation);
          Interruption interruption = new Interruption()) {
        return Outcome.report(spec, json, config, run, session, session.finish(interruption));
      }
    }
  }

  private void say(String line) {
    spec.commandLine().getErr().println("quantail: " + line);
  }
}
