package io.quantail.app;

import io.quantail.market.desk.Comparison;
import io.quantail.market.walk.FoldOutcome;
import io.quantail.task.TaskResult;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** A line for each agent that is done: how it did, and how long the rest will take. */
final class FoldProgress {
  private final int total;
  private final int doneBefore;
  private final PrintStream output;
  private final long start = System.nanoTime();
  private int done;

  FoldProgress(int total, int doneBefore, PrintStream output) {
    this.total = total;
    this.doneBefore = doneBefore;
    this.output = output;
    this.done = doneBefore;
    if (doneBefore > 0) {
      output.printf(Locale.ROOT, "%d of %d agents are there already%n", doneBefore, total);
    }
  }

  void show(TaskResult<FoldOutcome> result) {
    done++;
    double seconds = (System.nanoTime() - start) / 1e9;
    double left = seconds / (done - doneBefore) * (total - done);
    output.printf(
        Locale.ROOT,
        "%3d/%d  %s  %s  %s left%n",
        done,
        total,
        result.name(),
        result.succeeded() ? returns(result.value()) : "failed: " + result.failure(),
        shown(left));
  }

  private static String returns(FoldOutcome outcome) {
    return String.format(
        Locale.ROOT,
        "%+.2f %% out of sample, buy-and-hold %+.2f %%",
        100 * outcome.totalReturn(Comparison.AGENT),
        100 * outcome.totalReturn(Comparison.BUY_AND_HOLD));
  }

  private static String shown(double seconds) {
    Duration time = Duration.ofSeconds(Math.round(seconds));
    return time.toHours() > 0
        ? "%d h %d min".formatted(time.toHours(), time.toMinutesPart())
        : time.toMinutes() > 0
            ? "%d min %d s".formatted(time.toMinutes(), time.toSecondsPart())
            : "%d s".formatted(time.toSeconds());
  }
}
