package io.quantail.app.console;

import io.quantail.app.common.ErrorText;
import io.quantail.study.directory.StudyTrainings;
import io.quantail.study.task.TaskResult;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

/**
 * Prints a line for each agent of a study that is done: its result and the remaining time.
 *
 * @param <R> outcome of a training
 */
public final class StudyConsole<R> implements StudyTrainings.Listener<R> {
  private final Function<R, String> summary;
  private final PrintStream output;
  private final long start = System.nanoTime();
  private int total;
  private int doneBefore;
  private int done;

  /**
   * @param summary of an outcome in a few words
   */
  public StudyConsole(Function<R, String> summary, PrintStream output) {
    this.summary = summary;
    this.output = output;
  }

  @Override
  public void onStart(int agents, int trained) {
    total = agents;
    doneBefore = trained;
    done = trained;
    if (trained > 0) {
      output.printf(Locale.ROOT, "%d of %d agents are trained already%n", trained, total);
    }
  }

  @Override
  public void onResult(TaskResult<R> result) {
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
            ? summary.apply(result.value())
            : "failed: " + ErrorText.oneLine(Objects.requireNonNull(result.failure())),
        shown(left));
  }

  private static String shown(double seconds) {
    Duration time = Duration.ofSeconds(Math.round(seconds));
    return time.toHours() > 0
        ? String.format(Locale.ROOT, "%d h %d min", time.toHours(), time.toMinutesPart())
        : time.toMinutes() > 0
            ? String.format(Locale.ROOT, "%d min %d s", time.toMinutes(), time.toSecondsPart())
            : String.format(Locale.ROOT, "%d s", time.toSeconds());
  }
}
