package io.quantail.app;

import io.quantail.task.TaskResult;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;

/**
 * A line for each agent that is done: how it did, and how long the rest will take.
 *
 * @param <R> what is known of an agent that is done
 */
final class AgentProgress<R> {
  private final int total;
  private final int doneBefore;
  private final Function<R, String> told;
  private final PrintStream output;
  private final long start = System.nanoTime();
  private int done;

  /**
   * @param total all agents
   * @param doneBefore those that were there already
   * @param told how an agent did, in a few words
   */
  AgentProgress(int total, int doneBefore, Function<R, String> told, PrintStream output) {
    this.total = total;
    this.doneBefore = doneBefore;
    this.told = told;
    this.output = output;
    this.done = doneBefore;
    if (doneBefore > 0) {
      output.printf(Locale.ROOT, "%d of %d agents are there already%n", doneBefore, total);
    }
  }

  void show(TaskResult<R> result) {
    done++;
    double seconds = (System.nanoTime() - start) / 1e9;
    double left = seconds / (done - doneBefore) * (total - done);
    output.printf(
        Locale.ROOT,
        "%3d/%d  %s  %s  %s left%n",
        done,
        total,
        result.name(),
        result.succeeded()
            ? told.apply(result.value())
            : "failed: " + Reason.oneLine(result.failure()),
        shown(left));
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
