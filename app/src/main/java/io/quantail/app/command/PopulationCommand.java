package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.InterruptHandler;
import io.quantail.app.console.LedgerText;
import io.quantail.app.console.Messages;
import io.quantail.app.console.PopulationText;
import io.quantail.app.console.TrainingSummary;
import io.quantail.app.report.PopulationReport;
import io.quantail.app.runs.PopulationTrials;
import io.quantail.app.runs.ReportWriter;
import io.quantail.config.RunConfig;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.market.MarketProvider;
import io.quantail.market.ledger.StudyEvidence;
import io.quantail.run.RunLayout;
import io.quantail.run.RunStoppedException;
import io.quantail.run.io.Json;
import io.quantail.study.population.JournalEntry;
import io.quantail.study.population.Population;
import io.quantail.study.population.PopulationException;
import io.quantail.study.population.PopulationResult;
import io.quantail.study.task.ClusterSettings;
import io.quantail.study.task.TaskRunner;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Trains a population of agents. */
@Command(
    name = "population",
    description = {
      "Trains a population of agents that learn from each other.",
      "Population-based training: low-scoring agents copy high-scoring ones and "
          + "perturb their hyper-parameters. Repeat the command with the same --run to "
          + "resume."
    },
    mixinStandardHelpOptions = true)
public final class PopulationCommand implements Callable<Integer> {
  /** Number of attempts before a member counts as failed. */
  private static final int ATTEMPTS = 4;

  @Spec private CommandSpec spec;

  @Mixin private ConfigOptions arguments = new ConfigOptions();

  @Mixin private RunDirectoryOption kept = new RunDirectoryOption();

  @Mixin private TaskRunnerOptions where = new TaskRunnerOptions();

  @Override
  public Integer call() throws JsonProcessingException {
    where.check();
    ConfigSource source = arguments.require("configs/classic/cartpole-population.yaml");
    EnvironmentRegistry.of(
        source.config()); // refuses an unknown environment before anything is written
    Path place = kept.orNamed(RunDirectoryOption.named(source.name(), "population"));
    // The handler is closed last: the process may end only when all messages have been printed.
    try (InterruptHandler stop = new InterruptHandler(Thread.currentThread()::interrupt);
        Population population = new Population(source.config(), place)) {
      Messages.of(spec)
          .progress(
              String.format(
                  Locale.ROOT,
                  "%s: %d of %d member-generations to do",
                  place,
                  population.units() - population.done(),
                  population.units()));
      return train(population, source.config(), place);
    }
  }

  private int train(Population population, RunConfig config, Path place)
      throws JsonProcessingException {
    try (TaskRunner runner =
        where.open(needs(config), place.resolve(RunLayout.ATTEMPTS), ATTEMPTS)) {
      PopulationResult report = population.run(runner, this::show);
      Path best = population.writeBest(Objects.requireNonNull(report.best()));
      StudyEvidence evidence =
          MarketProvider.provides(config)
              ? PopulationTrials.record(LedgerAccess.recorder(spec), population, report, place)
              : null;
      Path page =
          ReportWriter.write(
              place.resolve(RunLayout.REPORT),
              PopulationReport.html(
                  ReportWriter.name(place), config.environment().name(), report, evidence));
      spec.commandLine()
          .getOut()
          .print(
              arguments.json()
                  ? Json.line(json(report, best, evidence).put("report", page.toString())) + "\n"
                  : PopulationText.of(report, best)
                      + LedgerText.of(evidence)
                      + TrainingSummary.report(page.toString()));
      spec.commandLine().getOut().flush();
      return ExitCode.OK;
    } catch (CancellationException interrupted) {
      Messages.of(spec).error("interrupted; resume with: " + RepeatedCommand.of(spec, place));
      return ExitCode.INTERRUPTED;
    } catch (PopulationException stopped) {
      throw new RunStoppedException(stopped.getMessage(), stopped);
    }
  }

  private static Set<ClusterSettings.Need> needs(RunConfig config) {
    return MarketProvider.provides(config) ? Set.of(ClusterSettings.Need.BARS) : Set.of();
  }

  /** The result that {@code --json} prints: the last generation and the best member. */
  private static ObjectNode json(
      PopulationResult report, Path bestRun, @Nullable StudyEvidence evidence) {
    ObjectNode result = Json.tree(Map.of());
    ArrayNode members = result.putArray("members");
    for (JournalEntry member : report.members()) {
      members.add(fields(member, "member", "score", "source", "hyperparameters"));
    }
    ObjectNode best =
        fields(
            Objects.requireNonNull(report.best()),
            "member",
            "generation",
            "score",
            "hyperparameters");
    result.set("best", best.put("run", bestRun.toString()));
    return LedgerText.ledger(LedgerText.overfitting(result, evidence), evidence);
  }

  private static ObjectNode fields(JournalEntry entry, String... names) {
    ObjectNode all = Json.tree(entry);
    ObjectNode some = all.objectNode();
    for (String name : names) {
      some.set(name, all.get(name));
    }
    return some;
  }

  private void show(JournalEntry entry) {
    Messages.of(spec).progress(PopulationText.line(entry));
  }
}
