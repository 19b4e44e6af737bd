package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.InterruptHandler;
import io.quantail.app.console.Messages;
import io.quantail.study.directory.StudyDirectory;
import java.io.UncheckedIOException;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

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
   * @param spec of the command, which resumes the study when it is repeated
   */
  static int run(Supplier<StudyDirectory> open, Work work, CommandSpec spec)
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
        Messages.of(spec)
            .error("interrupted; resume with: " + RepeatedCommand.of(spec, place.path()));
        return ExitCode.INTERRUPTED;
      }
    }
  }
}
