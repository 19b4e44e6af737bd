package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.run.ResumeCheck;
import io.quantail.run.RunDirectory;
import io.quantail.run.RunEnvironments;
import io.quantail.run.RunReader;
import io.quantail.run.TrainingRun;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.train.Trainer;
import java.nio.file.Path;
import java.util.List;
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
    RunConfig config = RunReader.config(runDirectory);
    Snapshot snapshot = RunReader.snapshot(runDirectory);
    List<ConfigDiff.Change> changes = ResumeCheck.requireSameConfig(runDirectory, config, snapshot);
    EnvironmentFactory factory = RunEnvironments.of(config, runDirectory);
    EvaluationProtocol evaluation = EvaluationProtocol.of(config, factory);
    ResumeCheck.requireSameData(runDirectory, factory.dataFingerprint(), snapshot);
    snapshot.problems().forEach(this::note);
    ResumeCheck.otherVersions(snapshot).forEach(this::note);
    changes.forEach(change -> note(change.toString()));
    try (Trainer trainer = new Trainer(config, factory);
        InteractiveTraining run = new InteractiveTraining(spec, dashboard)) {
      if (!trainer.load(snapshot.state())) {
        note("the environments cannot save their state, so each of them starts a new episode");
      }
      long update = snapshot.manifest().info().update();
      TrainingRun training = run.of(trainer, factory, evaluation, config);
      return run.report(
          json, training.run(() -> RunDirectory.reopen(runDirectory, config, update)), null);
    }
  }

  private void note(String line) {
    spec.commandLine().getErr().println("quantail: " + line);
  }
}
