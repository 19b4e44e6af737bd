package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.LedgerText;
import io.quantail.app.console.LimitCostText;
import io.quantail.app.console.StudyConsole;
import io.quantail.app.console.SweepText;
import io.quantail.app.console.TrainingSummary;
import io.quantail.app.report.LimitCost;
import io.quantail.app.report.SettingRow;
import io.quantail.app.report.StudyLimitCost;
import io.quantail.app.report.SweepReport;
import io.quantail.app.runs.ReportWriter;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.market.MarketProvider;
import io.quantail.market.ledger.StudyEvidence;
import io.quantail.risk.CvarController;
import io.quantail.run.RunLayout;
import io.quantail.run.Versions;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.evaluation.EvaluationProtocolProvider;
import io.quantail.run.evaluation.LimitResult;
import io.quantail.run.evaluation.ValidationSchedule;
import io.quantail.run.io.Json;
import io.quantail.run.settings.YamlConfig;
import io.quantail.study.StudyDirectory;
import io.quantail.study.StudyTrainings;
import io.quantail.study.sweep.SweepPlan;
import io.quantail.study.sweep.SweepResult;
import io.quantail.study.sweep.SweepTask;
import io.quantail.study.task.ClusterSettings;
import io.quantail.study.task.TaskSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
            + " points by their median score. Repeat the command with the same --run to resume; finished"
            + " agents are not trained again.",
    mixinStandardHelpOptions = true)
public final class SweepCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private ConfigOptions arguments = new ConfigOptions();

  @Option(
      names = "--seeds",
      paramLabel = "LIST",
      description = "Seeds, such as 1,2,5 or 1-5; default: the seed of the configuration.")
  private String seeds;

  @Option(
      names = "--grid",
      paramLabel = "a.b=c,d",
      description = "Values of one setting; may be repeated. All combinations are trained.")
  private List<String> grid = new ArrayList<>();

  @Mixin private WithoutLimitOption withoutLimit = new WithoutLimitOption();

  @Mixin private RunDirectoryOption kept = new RunDirectoryOption();

  @Mixin private TaskRunnerOptions where = new TaskRunnerOptions();

  @Override
  public Integer call() throws JsonProcessingException {
    where.check();
    ConfigSource source = arguments.require("configs/classic/cartpole.yaml --seeds 1-5");
    RunConfig config = source.config();
    arguments.refusePopulation("sweep", config);
    SweepPlan plan = SweepPlan.of(settings(), grid, seeds);
    Checked checked = requireTrainable(plan);
    return ResumableStudy.run(
        () ->
            kept.openStudy(
                source.name() + "-sweep", beginning(config, plan, checked.fingerprint())),
        place -> sweep(config, plan, place, checked),
        spec.commandLine().getErr(),
        place -> "resume by repeating the command with --run " + place);
  }

  private SweepPlan.Settings settings() {
    return new SweepPlan.Settings() {
      @Override
      public boolean sets(String path) {
        return arguments.sets(path);
      }

      @Override
      public RunConfig with(List<String> overrides) {
        return arguments.read(overrides.toArray(String[]::new)).config();
      }
    };
  }

  /**
   * @param fingerprint of the data; null if there are none
   * @param score description of the score
   */
  private record Checked(@Nullable String fingerprint, String score) {}

  /** Refuses settings that cannot be trained or evaluated, before anything is written. */
  private Checked requireTrainable(SweepPlan plan) {
    Set<String> warnings = new LinkedHashSet<>();
    String fingerprint = null;
    String score = null;
    if (withoutLimit.requested() && plan.grid().containsKey("risk.mode")) {
      throw new UsageException(
          "--without-limit trains with risk.mode off too, and --grid varies risk.mode; leave one of"
              + " them out");
    }
    for (SweepPlan.Point point : plan.points()) {
      RunConfig config = point.config();
      withoutLimit.require(config);
      EnvironmentFactory factory = EnvironmentRegistry.of(config);
      score = EvaluationProtocol.of(config, factory, DataPart.VALIDATION).scoreDescription();
      ValidationSchedule.of(config, factory);
      warnings.addAll(CvarController.warnings(config.risk(), config.critic()));
      fingerprint = factory.dataFingerprint();
    }
    warnings.forEach(
        warning -> spec.commandLine().getErr().println("quantail: warning: " + warning));
    return new Checked(fingerprint, Objects.requireNonNull(score));
  }

  private static StudyDirectory.Beginning beginning(
      RunConfig config, SweepPlan plan, @Nullable String fingerprint) {
    // These settings differ between agents.
    Set<String> free = new HashSet<>(plan.grid().keySet());
    free.addAll(List.of("seed", "training.threads"));
    List<String> data = fingerprint == null ? List.of() : List.of(fingerprint);
    return new StudyDirectory.Beginning(
        "sweep", RunLayout.SWEEP_RUNS, config, free, data, plan.grid());
  }

  private int sweep(RunConfig config, SweepPlan plan, StudyDirectory place, Checked checked)
      throws JsonProcessingException {
    spec.commandLine()
        .getErr()
        .printf(
            Locale.ROOT,
            "%s: %d trainings, grid points: %d, seeds: %d%n",
            place.path(),
            plan.trainings() * (withoutLimit.requested() ? 2 : 1),
            plan.points().size(),
            plan.seeds().size());
    List<SweepTask> limited = tasks(plan, place, false);
    List<SweepTask> free = withoutLimit.requested() ? tasks(plan, place, true) : List.of();
    StudyTrainings<SweepTask.Outcome> trainings =
        StudyTrainings.run(
            Stream.concat(limited.stream(), free.stream()).toList(),
            place,
            (attempts, times) -> where.open(needs(config), attempts, times),
            new StudyConsole<>(
                outcome -> "score " + SweepResult.shown(outcome.score()), System.err));
    SweepResult result = result(config, plan, trainings, place.path(), checked.score());
    StudyEvidence evidence =
        LedgerAccess.sweep(
            spec,
            config,
            runs(place, trainings, limited),
            runs(place, trainings, free),
            place.path());
    StudyLimitCost cost = cost(plan, place, trainings);
    ReportWriter.write(
        place.path().resolve(RunLayout.REPORT),
        SweepReport.html(
            place.name(),
            result,
            SettingRow.of(config),
            origin(plan, checked.fingerprint()),
            evidence,
            cost));
    place.write(RunLayout.SWEEP_CSV, result.csv());
    ObjectNode tree = LedgerText.overfitting(Json.tree(result), evidence);
    if (cost != null) {
      tree.set(LimitCost.FIELD, Json.tree(cost));
    }
    place.write(RunLayout.SWEEP_RESULT, Json.text(tree));
    spec.commandLine()
        .getOut()
        .print(
            arguments.json()
                ? Json.line(LedgerText.ledger(tree, evidence)) + "\n"
                : SweepText.of(
                        result,
                        new SweepText.Context(
                            place.path().resolve(RunLayout.SWEEP_RUNS),
                            place.path().resolve(RunLayout.SWEEP_CSV),
                            arguments.file(),
                            EvaluationProtocolProvider.find(config).hasDataParts()))
                    + LimitCostText.of("point", cost)
                    + LedgerText.of(evidence)
                    + TrainingSummary.report(result.report()));
    spec.commandLine().getOut().flush();
    trainings.requireAll();
    return ExitCode.OK;
  }

  private static Set<ClusterSettings.Need> needs(RunConfig config) {
    return MarketProvider.provides(config)
        ? EnumSet.allOf(ClusterSettings.Need.class)
        : EnumSet.of(ClusterSettings.Need.REPORTS);
  }

  private static List<Path> runs(
      StudyDirectory place, StudyTrainings<SweepTask.Outcome> trainings, List<SweepTask> tasks) {
    return tasks.stream()
        .map(SweepTask::name)
        .filter(trainings.done()::containsKey)
        .map(place::run)
        .toList();
  }

  /** What the limit cost the agents of which both were trained; null if it was not requested. */
  private @Nullable StudyLimitCost cost(
      SweepPlan plan, StudyDirectory place, StudyTrainings<SweepTask.Outcome> trainings) {
    List<StudyLimitCost.Pair> pairs = new ArrayList<>();
    for (SweepPlan.Point point : plan.points()) {
      for (long seed : plan.seeds()) {
        String name = plan.name(point, seed);
        if (trainings.done().containsKey(name)
            && trainings.done().containsKey(name + LimitCost.SUFFIX)) {
          String number = String.valueOf(point.number());
          pairs.add(StudyLimitCost.pair(number, seed, place.run(name)));
        }
      }
    }
    return withoutLimit.requested() && !pairs.isEmpty()
        ? new StudyLimitCost(pairs, List.of())
        : null;
  }

  private List<SweepTask> tasks(SweepPlan plan, StudyDirectory place, boolean free) {
    List<SweepTask> tasks = new ArrayList<>();
    RunConfig common = plan.points().get(0).config();
    String yaml = YamlConfig.toYaml(common);
    for (SweepPlan.Point point : plan.points()) {
      RunConfig config = free ? WithoutLimitOption.free(point.config()) : point.config();
      for (long seed : plan.seeds()) {
        String name = plan.name(point, seed) + (free ? LimitCost.SUFFIX : "");
        tasks.add(
            new SweepTask(
                name,
                TaskSettings.of(common, yaml, config.withSeed(seed)),
                where.threadsPerTask(),
                place.run(name).toString()));
      }
    }
    return tasks;
  }

  private static SweepResult result(
      RunConfig config,
      SweepPlan plan,
      StudyTrainings<SweepTask.Outcome> trainings,
      Path directory,
      String score) {
    List<SweepResult.Point> points = new ArrayList<>();
    for (SweepPlan.Point point : plan.points()) {
      List<SweepResult.Training> ofPoint = new ArrayList<>();
      for (long seed : plan.seeds()) {
        String name = plan.name(point, seed);
        SweepTask.Outcome outcome = trainings.done().get(name);
        ofPoint.add(
            outcome == null
                ? SweepResult.Training.failed(
                    seed, Objects.requireNonNull(trainings.failed().get(name)))
                : new SweepResult.Training(
                    seed,
                    outcome.score(),
                    outcome.steps(),
                    RunLayout.SWEEP_RUNS + "/" + name,
                    outcome.report(),
                    null,
                    LimitResult.read(directory.resolve(RunLayout.SWEEP_RUNS).resolve(name))
                        .orElse(null)));
      }
      points.add(SweepResult.Point.of(point.number(), point.settings(), ofPoint));
    }
    return SweepResult.of(
        directory, directory.resolve(RunLayout.REPORT), config.environment().name(), score, points);
  }

  private static List<SettingRow> origin(SweepPlan plan, @Nullable String fingerprint) {
    List<SettingRow> origin = new ArrayList<>();
    origin.add(new SettingRow("seeds", plan.seeds().toString(), false));
    if (fingerprint != null) {
      origin.add(new SettingRow("data fingerprint", fingerprint, false));
    }
    Versions.all().forEach((name, version) -> origin.add(new SettingRow(name, version, false)));
    return origin;
  }
}
