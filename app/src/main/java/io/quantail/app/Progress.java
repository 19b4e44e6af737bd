package io.quantail.app;

import io.quantail.metrics.MetricRow;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows a person how far a run is and how it goes, on standard error.
 *
 * <p>A bar with the time left on a terminal; a line at every tenth of the run elsewhere.
 */
final class Progress implements AutoCloseable {
  private static final int LINES_WITHOUT_TERMINAL = 10;

  private final long total;
  private final PrintStream output;
  private final ConsoleProgressBarConsumer terminal; // null without a terminal
  private final ProgressBar bar; // null without a terminal
  private int linesPrinted;
  private double lastReturn = Double.NaN;

  Progress(String task, long done, long total, PrintStream output) {
    this.total = total;
    this.output = output;
    this.terminal = System.console() == null ? null : new ConsoleProgressBarConsumer(output);
    this.bar = terminal == null ? null : bar(task, done, total);
    this.linesPrinted = lines(done);
  }

  private ProgressBar bar(String task, long done, long total) {
    return new ProgressBarBuilder()
        .setTaskName(task)
        .setInitialMax(total)
        .startsFrom(Math.min(done, total), Duration.ZERO)
        .setStyle(ProgressBarStyle.UNICODE_BLOCK)
        .setUpdateIntervalMillis(200)
        .setConsumer(terminal)
        .build();
  }

  void show(MetricRow row) {
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
      double left = Math.max(0, total - row.steps()) / row.values().get("time/fps");
      output.printf(
          Locale.ROOT,
          "%3d %%  %,d steps  %s  %.0f s left%n",
          percent,
          row.steps(),
          numbers(row),
          left);
    }
  }

  /** A line of its own; a bar goes on below it. */
  void say(String line) {
    if (bar == null) {
      output.println(line);
      return;
    }
    // One call, so that the thread that draws the bar cannot come between.
    int rest = Math.max(0, terminal.getMaxRenderedLength() - line.length());
    output.print("\r" + line + " ".repeat(rest) + System.lineSeparator());
  }

  private int lines(long steps) {
    return (int) (LINES_WITHOUT_TERMINAL * Math.min(total, steps) / total);
  }

  /** The numbers a person wants to see: does it earn, does it explore, does the critic know. */
  private String numbers(MetricRow row) {
    return String.format(
        Locale.ROOT,
        "return %s, entropy %.2f, EV %s, %,.0f steps/s",
        Summary.shown(lastReturn),
        row.values().getOrDefault("train/policy_entropy", Double.NaN),
        explained(row.values().getOrDefault("train/explained_variance", Double.NaN)),
        row.values().get("time/fps"));
  }

  /** Far below zero it says no more than "not at all": returns hardly differ, or it is early. */
  private static String explained(double variance) {
    return variance < -1 ? "<-1" : String.format(Locale.ROOT, "%.2f", variance);
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
