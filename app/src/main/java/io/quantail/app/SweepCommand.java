package io.quantail.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.report.Setting;
import io.quantail.app.report.Sweep;
import io.quantail.app.report.SweepReport;
import io.quantail.checkpoint.Versions;
import io.quantail.config.ConfigLoader;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.Environments;
import io.quantail.ppo.RiskControl;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.evaluation.EvaluationProtocolProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Trains every point of a grid of settings with every seed. */
@Command(
    name = "sweep",
    description =
        "Trains several seeds, or every point of a grid of settings with each seed, and ranks the"
            + " points by their median. Repeat the command with the same --run to go on: what is"
            + " done is not done again.",
    mixinStandardHelpOptions = true)
final class SweepCommand implements Callable<Integer> {
  private static final String AGENTS = "runs";
  private static final String CSV = "results.csv";

  @Spec private CommandSpec spec;

  @Mixin private ConfigArguments arguments = new ConfigArguments();

  @Option(
      names = "--seeds",
      paramLabel = "LIST",
      description = "Seeds such as 1,2,5 or 1-5 (default: that of the configuration).")
  private String seeds;

  @Option(
      names = "--grid",
      paramLabel = "a.b=c,d",
      description = "Values of a setting; may be repeated: all combinations are trained.")
  private List<String> grid = new ArrayList<>();

  @Mixin private RunPlace kept = new RunPlace();

  @Mixin private WhereToRun where = new WhereToRun();

  @Override
  public Integer call() throws JsonProcessingException {
    where.check();
    ConfigSource source = arguments.require("configs/classic/cartpole.yaml --seeds 1-5");
    RunConfig config = source.config();
    arguments.refusePopulation("sweep", config);
    SweepPlan plan = SweepPlan.of(arguments, config, grid, seeds);
    Checked checked = requireTrainable(plan);
    return Resumable.run(
        () ->
            AgentsDirectory.open(
                kept, source.name() + "-sweep", beginning(config, plan, checked.fingerprint())),
        place -> sweep(config, plan, place, checked),
        spec.commandLine().getErr(),
        place -> "go on by repeating the command with --run " + place);
  }

  /**
   * @param fingerprint of the data; null if there are none
   * @param score what the score of an agent is
   */
  private record Checked(String fingerprint, String score) {}

  /** Refuses what cannot be trained or evaluated before anything is written. */
  private Checked requireTrainable(SweepPlan plan) {
    Set<String> warnings = new LinkedHashSet<>();
    String fingerprint = null;
    String score = null;
    for (SweepPlan.Point point : plan.points()) {
      RunConfig config = point.config();
      EnvironmentFactory factory = Environments.of(config);
      score = EvaluationProtocol.of(config, factory, DataPart.VALIDATION).scoreDescription();
      warnings.addAll(RiskControl.warnings(config.risk(), config.critic()));
      fingerprint = factory.dataFingerprint();
    }
    warnings.forEach(
        warning -> spec.commandLine().getErr().println("quantail: warning: " + warning));
    return new Checked(fingerprint, score);
  }

  private static AgentsDirectory.Beginning beginning(
      RunConfig config, SweepPlan plan, String fingerprint) {
    // Every point has its own value of what is in the grid, and every agent its own seed.
    Set<String> free = new HashSet<>(plan.grid().keySet());
    free.addAll(List.of("seed", "training.threads"));
    List<String> data = fingerprint == null ? List.of() : List.of(fingerprint);
    return new AgentsDirectory.Beginning("sweep", AGENTS, config, free, data, plan.grid());
  }

  private int sweep(RunConfig config, SweepPlan plan, AgentsDirectory place, Checked checked)
      throws JsonProcessingException {
    spec.commandLine()
        .getErr()
        .printf(
            "%s: %d trainings, grid points: %d, seeds: %d%n",
            place.path(), plan.trainings(), plan.points().size(), plan.seeds().size());
    AgentTrainings<SweepTask.Outcome> trainings =
        AgentTrainings.run(
            tasks(plan, place),
            place,
            where,
            result -> {},
            outcome -> "score " + Sweep.shown(outcome.score()));
    Sweep sweep = result(config, plan, trainings, checked.score());
    Path report =
        place.writeReport(
            SweepReport.html(
                place.name(), sweep, Setting.of(config), origin(plan, checked.fingerprint())));
    SweepNumbers numbers = SweepNumbers.of(place.path(), report, sweep);
    place.write(CSV, numbers.csv());
    place.write("results.json", Json.text(numbers));
    spec.commandLine()
        .getOut()
        .print(
            arguments.json()
                ? Json.line(numbers) + "\n"
                : SweepTable.of(
                        sweep,
                        new SweepTable.Context(
                            place.path().resolve(AGENTS),
                            place.path().resolve(CSV),
                            arguments.file(),
                            EvaluationProtocolProvider.find(config).hasDataParts()))
                    + Summary.report(report.toString()));
    spec.commandLine().getOut().flush();
    trainings.requireAll();
    return ExitCode.OK;
  }

  private List<SweepTask> tasks(SweepPlan plan, AgentsDirectory place) {
    List<SweepTask> tasks = new ArrayList<>();
    for (SweepPlan.Point point : plan.points()) {
      for (long seed : plan.seeds()) {
        String name = plan.name(point, seed);
        tasks.add(
            new SweepTask(
                name,
                ConfigLoader.toYaml(point.config().withSeed(seed)),
                where.threadsPerTask(),
                place.run(name).toString()));
      }
    }
    return tasks;
  }

  private static Sweep result(
      RunConfig config, SweepPlan plan, AgentTrainings<SweepTask.Outcome> trainings, String score) {
    List<Sweep.Point> points = new ArrayList<>();
    for (SweepPlan.Point point : plan.points()) {
      List<Sweep.Training> ofPoint = new ArrayList<>();
      for (long seed : plan.seeds()) {
        String name = plan.name(point, seed);
        SweepTask.Outcome outcome = trainings.done().get(name);
        ofPoint.add(
            outcome == null
                ? Sweep.Training.failed(seed, trainings.failed().get(name))
                : new Sweep.Training(
                    seed,
                    outcome.score(),
                    outcome.steps(),
                    AGENTS + "/" + name,
                    outcome.report(),
                    null));
      }
      points.add(Sweep.Point.of(point.number(), point.settings(), ofPoint));
    }
    return new Sweep(config.environment().name(), score, points);
  }

  private static List<Setting> origin(SweepPlan plan, String fingerprint) {
    List<Setting> origin = new ArrayList<>();
    origin.add(new Setting("seeds", plan.seeds().toString(), false));
    if (fingerprint != null) {
      origin.add(new Setting("data fingerprint", fingerprint, false));
    }
    Versions.all().forEach((name, version) -> origin.add(new Setting(name, version, false)));
    return origin;
  }
}
