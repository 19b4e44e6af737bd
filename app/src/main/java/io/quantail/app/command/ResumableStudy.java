package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.InterruptHandler;
import io.quantail.study.directory.StudyDirectory;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs a study so that it can be resumed after Ctrl-C. */
final class ResumableStudy {
  private ResumableStudy() {}

  /** The study in its directory; returns the exit code. */
  interface Work {
    int in(StudyDirectory place) throws JsonProcessingException;
  }

  /**
   * Runs a study.
   *
   * @param resume text that tells the user how to resume the study in a directory
   */
  static int run(
      Supplier<StudyDirectory> open, Work work, PrintWriter err, Function<Path, String> resume)
      throws JsonProcessingException {
    // Closed last: the process may end only when the directory is complete.
    try (InterruptHandler interruption = new InterruptHandler(Thread.currentThread()::interrupt);
        StudyDirectory place = open.get()) {
      try {
        return work.in(place);
      } catch (CancellationException | UncheckedIOException stopped) {
        // Writing in an interrupted thread fails; the task is repeated on resume.
        if (!interruption.getAsBoolean()) {
          throw stopped;
        }
        err.println("quantail: interrupted; " + resume.apply(place.path()));
        return ExitCode.INTERRUPTED;
      }
    }
  }
}
