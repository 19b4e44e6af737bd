package io.quantail.app.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.report.LimitCost;
import io.quantail.config.RunConfig;
import io.quantail.metrics.MetricRow;
import io.quantail.run.RunListener;
import io.quantail.run.RunResult;
import io.quantail.run.RunStatus;
import io.quantail.run.TrainingRun;
import io.quantail.run.health.AlertEvent;
import io.quantail.run.health.Severity;
import io.quantail.run.io.Json;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Prints the progress and the alerts of a training to standard error, and its result at the end. An
 * alert is one line when it is raised and one when it is cleared.
 */
public final class TrainingConsole implements RunListener {
  private static final int LINE_LENGTH = 120;

  private final Messages messages;
  private final ProgressLine progress;
  private final List<Double> curve = new ArrayList<>();
  private TrainingRun run;
  private double lastReturn = Double.NaN;

  /**
   * Prints a training.
   *
   * @param messages how much to print
   * @param output standard error
   */
  public TrainingConsole(Messages messages, PrintStream output) {
    this(messages, new ProgressLine(output, Terminal.redraws(), System::nanoTime));
  }

  TrainingConsole(Messages messages, ProgressLine progress) {
    this.messages = messages;
    this.progress = progress;
    messages.use(progress);
  }

  /** Shows on a terminal that settings and data are read. */
  public void prepare() {
    activity("preparing");
  }

  /** Says what will be trained, before anything is computed. */
  public void announce(String name, RunConfig config) {
    print(
        String.format(
            Locale.ROOT,
            "Training %s: %s, %,d steps, seed %d",
            name,
            config.environment().name(),
            config.training().steps(),
            config.seed()));
    activity("collecting the first steps");
  }

  private void activity(String text) {
    if (!messages.isQuiet()) {
      progress.show(text + " …");
    }
  }

  @Override
  public void onStart(TrainingRun training) {
    run = training;
    training.earlierRows().forEach(this::addToCurve);
    training
        .agent()
        .earlyEnd()
        .ifPresent(
            end ->
                print(
                    "quantail: training "
                        + end
                        + "; nothing is left to train unless training.patience is raised"));
    progress.start(training.steps(), training.directory().config().training().steps());
  }

  private void addToCurve(MetricRow row) {
    Double episodeReturn = row.values().get("rollout/ep_rew_mean");
    if (episodeReturn != null) {
      curve.add(episodeReturn);
    }
  }

  @Override
  public void onUpdate(MetricRow row) {
    addToCurve(row);
    lastReturn = row.values().getOrDefault("rollout/ep_rew_mean", lastReturn);
    if (!messages.isQuiet()) {
      progress.update(row.steps(), details(row));
    }
    if (trained(row)) {
      activity("evaluating");
    }
  }

  private boolean trained(MetricRow row) {
    return run != null && row.steps() >= run.directory().config().training().steps();
  }

  @Override
  public void onAlerts(List<AlertEvent> events) {
    events.stream()
        .filter(event -> messages.isVerbose() || event.severity() != Severity.INFO)
        .map(TrainingConsole::line)
        .forEach(this::print);
  }

  /** One line, not too long; {@code alerts.jsonl} has the whole text. */
  static String line(AlertEvent event) {
    String text =
        String.format(
            Locale.ROOT,
            "quantail: %s%s: %s at update %d: %s",
            event.severity().written(),
            event.state() == AlertEvent.State.ENDED ? " cleared" : "",
            event.rule(),
            event.update(),
            event.seen());
    return text.length() <= LINE_LENGTH ? text : text.substring(0, LINE_LENGTH - 1) + "…";
  }

  /** Prints a line, above the progress on a terminal; nothing with {@code --quiet}. */
  void print(String line) {
    if (!messages.isQuiet()) {
      progress.print(Messages.fitted(line, "  "));
    }
  }

  /** Return, entropy and explained variance. */
  private List<String> details(MetricRow row) {
    return List.of(
        "return " + TrainingSummary.shown(lastReturn),
        String.format(
            Locale.ROOT,
            "entropy %.2f",
            row.values().getOrDefault("train/policy_entropy", Double.NaN)),
        "EV " + explained(row.values().getOrDefault("train/explained_variance", Double.NaN)));
  }

  /** Shortens values far below zero, which only mean that the critic is not trained yet. */
  private static String explained(double variance) {
    return variance < -1 ? "<-1" : String.format(Locale.ROOT, "%.2f", variance);
  }

  @Override
  public RunResult onFinish(RunResult result) {
    progress.end();
    return result;
  }

  @Override
  public void onEnd(RunStatus.State state) {
    progress.end();
  }

  /**
   * Prints the result of the training, or how to resume it, and returns the exit code.
   *
   * @param cost of the limit; null if it was not measured
   */
  public int report(
      CommandSpec spec, boolean json, Optional<RunResult> result, @Nullable LimitCost cost)
      throws JsonProcessingException {
    if (result.isEmpty()) {
      messages.error("interrupted; resume with: quantail resume " + run.directory().path());
      return ExitCode.INTERRUPTED;
    }
    PrintWriter printer = spec.commandLine().getOut();
    if (json) {
      RunResult ended = result.get();
      printer.println(
          Json.line(
              LedgerText.json(
                  LimitCost.tree(ended, cost),
                  Path.of(ended.run()),
                  Objects.requireNonNull(ended.evaluation()))));
    } else {
      printer.print(TrainingSummary.of(run.directory().config(), result.get(), curve, cost));
      printer.flush();
    }
    return ExitCode.OK;
  }
}
