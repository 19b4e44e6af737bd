package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.LedgerText;
import io.quantail.app.console.LimitCostText;
import io.quantail.app.console.Messages;
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
import io.quantail.run.evaluation.ValidationSchedule;
import io.quantail.run.io.Json;
import io.quantail.study.directory.SeedList;
import io.quantail.study.directory.StudyDirectory;
import io.quantail.study.directory.StudyTrainings;
import io.quantail.study.sweep.Halving;
import io.quantail.study.sweep.Sweep;
import io.quantail.study.sweep.SweepAxis;
import io.quantail.study.sweep.SweepPlan;
import io.quantail.study.sweep.SweepResult;
import io.quantail.study.sweep.SweepTask;
import io.quantail.study.sweep.SweepTrainings;
import io.quantail.study.task.ClusterSettings;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Trains every point of a grid of settings, or points drawn from ranges, with every seed. */
@Command(
    name = "sweep",
    description = {
      "Trains several seeds, a grid of settings, or points drawn from ranges.",
      "Every point is trained with each seed, and the points are ranked by their median score."
          + " Repeat the command with the same --run to resume; finished agents are not trained"
          + " again."
    },
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
      paramLabel = "KEY=A,B",
      description = "Values of one setting; may be repeated. All combinations are trained.")
  private List<String> grid = new ArrayList<>();

  @Option(
      names = "--vary",
      paramLabel = "a.b=RANGE",
      description =
          "Values of one setting: a list as for --grid, or a range, log(LOW,HIGH) or"
              + " linear(LOW,HIGH), with --trials; may be repeated.")
  private List<String> vary = new ArrayList<>();

  @Option(
      names = "--trials",
      paramLabel = "N",
      description = "Number of points, drawn from --vary and --grid instead of all combinations.")
  private Integer trials;

  @Option(
      names = "--halving",
      description = "Successive halving: only the best points are trained to the end.")
  private boolean halves;

  @Option(
      names = "--asynchronous",
      description =
          "With --halving: promotes points before their rung is complete. No worker waits, but the"
              + " choice depends on which agents end first.")
  private boolean asynchronous;

  @Option(
      names = "--reduction",
      paramLabel = "N",
      description =
          "With --halving: one of N points continues; default: " + Halving.REDUCTION + ".")
  private Integer reduction;

  @Option(
      names = "--min-steps",
      paramLabel = "N",
      description =
          "With --halving: environment steps before the first choice; default: training.steps"
              + " divided by --reduction as often as the points can be.")
  private Long minimumSteps;

  @Mixin private WithoutLimitOption withoutLimit = new WithoutLimitOption();

  @Mixin private RunDirectoryOption kept = new RunDirectoryOption();

  @Mixin private TaskRunnerOptions where = new TaskRunnerOptions();

  @Override
  public Integer call() throws JsonProcessingException {
    where.check();
    ConfigSource source = arguments.require("configs/classic/cartpole.yaml --seeds 1-5");
    RunConfig config = source.config();
    arguments.refusePopulation("sweep", config);
    Sweep sweep = new Sweep(plan(), halving(), where.threadsPerTask(), null);
    if (sweep.halving() != null && withoutLimit.requested()) {
      throw new UsageException(
          "--without-limit and --halving exclude each other; leave one of them out");
    }
    Checked checked = requireTrainable(sweep.plan());
    return ResumableStudy.run(
        () ->
            kept.openStudy(
                RunDirectoryOption.named(source.name(), "sweep"),
                sweep.beginning(config, checked.fingerprint())),
        place -> sweep(config, sweep, place, checked),
        spec);
  }

  private SweepPlan plan() {
    if (seeds != null && arguments.sets("seed")) {
      throw new UsageException("--set seed and --seeds exclude each other; leave out --set seed");
    }
    if (trials != null && trials < 1) {
      throw new UsageException(
          String.format(Locale.ROOT, "--trials must be at least 1, was %d", trials));
    }
    List<SweepAxis> axes = new ArrayList<>();
    grid.forEach(text -> axes.add(SweepAxis.parse("--grid", text)));
    vary.forEach(text -> axes.add(SweepAxis.parse("--vary", text)));
    List<Long> every = seeds == null ? List.of() : SeedList.parse(seeds);
    return SweepPlan.of(settings(), axes, every, trials);
  }

  private @Nullable Halving halving() {
    if (!halves) {
      String given =
          asynchronous
              ? "--asynchronous"
              : reduction != null ? "--reduction" : minimumSteps != null ? "--min-steps" : null;
      if (given != null) {
        throw new UsageException(given + " needs --halving");
      }
      return null;
    }
    if (minimumSteps != null && minimumSteps < 1) {
      throw new UsageException(
          String.format(Locale.ROOT, "--min-steps must be at least 1, was %d", minimumSteps));
    }
    return new Halving(
        reduction == null ? Halving.REDUCTION : reduction,
        minimumSteps == null ? 0 : minimumSteps,
        asynchronous);
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
    warnings.forEach(Messages.of(spec)::warning);
    return new Checked(fingerprint, Objects.requireNonNull(score));
  }

  private int sweep(RunConfig config, Sweep sweep, StudyDirectory place, Checked checked)
      throws JsonProcessingException {
    SweepPlan plan = sweep.plan();
    Messages.of(spec)
        .progress(
            String.format(
                Locale.ROOT,
                "%s: %s, %s: %d, seeds: %d",
                place.path(),
                sweep.halving() == null
                    ? plan.trainings() * (withoutLimit.requested() ? 2 : 1) + " trainings"
                    : "successive halving",
                trials == null ? "grid points" : "points",
                plan.points().size(),
                plan.seeds().size()));
    List<SweepTask> free =
        withoutLimit.requested() ? free(sweep.tasks(freed(plan), place), place) : List.of();
    SweepTrainings trained =
        sweep.train(
            free,
            place,
            (attempts, times) -> where.open(needs(config), attempts, times),
            new StudyConsole<>(
                outcome -> "score " + SweepResult.shown(outcome.score()), Messages.of(spec)));
    StudyTrainings<SweepTask.Outcome> trainings = trained.trainings();
    SweepResult result = sweep.result(trained, place.path(), checked.score());
    Set<String> chosen = new LinkedHashSet<>();
    plan.points()
        .forEach(
            point -> plan.seeds().forEach(seed -> chosen.add(trained.name(plan, point, seed))));
    chosen.retainAll(trainings.done().keySet());
    Set<String> others = new LinkedHashSet<>(trainings.done().keySet());
    others.removeAll(chosen);
    StudyEvidence evidence =
        LedgerAccess.sweep(
            spec,
            config,
            chosen.stream().map(place::run).toList(),
            others.stream().map(place::run).toList(),
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
                            arguments.overrides(),
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

  /** The plan without the CVaR limit. */
  private static SweepPlan freed(SweepPlan plan) {
    return new SweepPlan(
        plan.points().stream()
            .map(
                point ->
                    new SweepPlan.Point(
                        point.number(), point.settings(), WithoutLimitOption.free(point.config())))
            .toList(),
        plan.seeds());
  }

  /** The tasks under the names of agents without the limit. */
  private static List<SweepTask> free(List<SweepTask> tasks, StudyDirectory place) {
    return tasks.stream().map(task -> task.named(task.name() + LimitCost.SUFFIX, place)).toList();
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
