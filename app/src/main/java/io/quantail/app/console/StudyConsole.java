package io.quantail.app.console;

import io.quantail.app.common.ErrorText;
import io.quantail.study.directory.StudyTrainings;
import io.quantail.study.task.TaskResult;
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
  private final Messages messages;
  private final long start = System.nanoTime();
  private int total;
  private int doneBefore;
  private int done;

  /**
   * @param summary of an outcome in a few words
   */
  public StudyConsole(Function<R, String> summary, Messages messages) {
    this.summary = summary;
    this.messages = messages;
  }

  @Override
  public void onStart(int agents, int trained) {
    total = agents;
    doneBefore = trained;
    done = trained;
    if (trained > 0) {
      messages.progress(
          String.format(Locale.ROOT, "%d of %d agents are trained already", trained, total));
    }
  }

  @Override
  public void onResult(TaskResult<R> result) {
    done++;
    double seconds = (System.nanoTime() - start) / 1e9;
    double left = seconds / (done - doneBefore) * (total - done);
    messages.progress(
        String.format(
            Locale.ROOT,
            "%3d/%d  %s  %s  %s left",
            done,
            total,
            result.name(),
            result.succeeded()
                ? summary.apply(result.value())
                : "failed: " + ErrorText.oneLine(Objects.requireNonNull(result.failure())),
            Times.written(left)));
  }
}
