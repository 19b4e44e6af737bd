package io.quantail.app.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.report.LimitCost;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Prints the progress and the alerts of a training to standard error, and its result at the end.
 *
 * <p>Progress is a bar with the remaining time on a terminal, and a line at every tenth of the run
 * elsewhere. An alert is one line when it is raised and one when it is cleared.
 */
public final class TrainingConsole implements RunListener {
  private static final int LINES_WITHOUT_TERMINAL = 10;
  private static final int LINE_LENGTH = 120;

  private final PrintStream output;
  private final @Nullable ConsoleProgressBarConsumer terminal; // null without a terminal
  private final List<Double> curve = new ArrayList<>();
  private TrainingRun run;
  private @Nullable ProgressBar bar; // null without a terminal, and before the start
  private long total;
  private int linesPrinted;
  private double lastReturn = Double.NaN;

  public TrainingConsole(PrintStream output) {
    this.output = output;
    this.terminal = Terminal.isPresent() ? new ConsoleProgressBarConsumer(output) : null;
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
                output.println(
                    "quantail: training "
                        + end
                        + "; nothing is left to train unless training.patience is raised"));
    start(
        training.directory().config().environment().name(),
        training.steps(),
        training.directory().config().training().steps());
  }

  /** Starts the display of a training that has done some of its steps. */
  void start(String task, long done, long steps) {
    total = steps;
    linesPrinted = lines(done);
    if (terminal != null) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(task)
              .setInitialMax(total)
              .startsFrom(Math.min(done, total), Duration.ZERO)
              .setStyle(ProgressBarStyle.UNICODE_BLOCK)
              .setUpdateIntervalMillis(200)
              .setConsumer(terminal)
              .build();
    }
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
    if (bar != null) {
      bar.setExtraMessage(numbers(row));
      bar.stepTo(Math.min(total, row.steps()));
      return;
    }
    int due = lines(row.steps());
    if (due > linesPrinted) {
      linesPrinted = due;
      long percent = 100 * Math.min(total, row.steps()) / total;
      double left =
          Math.max(0, total - row.steps()) / Objects.requireNonNull(row.values().get("time/fps"));
      output.printf(
          Locale.ROOT,
          "%3d %%  %,d steps  %s  %.0f s left%n",
          percent,
          row.steps(),
          numbers(row),
          left);
    }
  }

  @Override
  public void onAlerts(List<AlertEvent> events) {
    events.stream()
        .filter(event -> event.severity() != Severity.INFO)
        .map(TrainingConsole::line)
        .forEach(this::print);
  }

  /** One line, short enough for a terminal; {@code alerts.jsonl} has the whole text. */
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

  /** Prints a line, above the bar if there is one. */
  void print(String line) {
    if (bar == null) {
      output.println(line);
      return;
    }
    // One call, so that the thread that draws the bar cannot write in between.
    int rest = Math.max(0, Objects.requireNonNull(terminal).getMaxRenderedLength() - line.length());
    output.print("\r" + line + " ".repeat(rest) + System.lineSeparator());
  }

  private int lines(long steps) {
    return (int) (LINES_WITHOUT_TERMINAL * Math.min(total, steps) / total);
  }

  /** Return, entropy, explained variance and speed. */
  private String numbers(MetricRow row) {
    return String.format(
        Locale.ROOT,
        "return %s, entropy %.2f, EV %s, %,.0f/s",
        TrainingSummary.shown(lastReturn),
        row.values().getOrDefault("train/policy_entropy", Double.NaN),
        explained(row.values().getOrDefault("train/explained_variance", Double.NaN)),
        row.values().get("time/fps"));
  }

  /** Shortens values far below zero, which only mean that the critic is not trained yet. */
  private static String explained(double variance) {
    return variance < -1 ? "<-1" : String.format(Locale.ROOT, "%.2f", variance);
  }

  @Override
  public RunResult onFinish(RunResult result) {
    closeBar();
    return result;
  }

  @Override
  public void onEnd(RunStatus.State state) {
    closeBar();
  }

  private void closeBar() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
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
      spec.commandLine()
          .getErr()
          .println("quantail: interrupted; resume with: quantail resume " + run.directory().path());
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
