package io.quantail.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Work on many agents that Ctrl-C ends in good order. */
final class Resumable {
  private Resumable() {}

  /** Does it in a directory, and returns the exit code. */
  interface Work {
    int in(AgentsDirectory place) throws JsonProcessingException;
  }

  /**
   * @param goOn says how to go on with a directory
   */
  static int run(
      Supplier<AgentsDirectory> open, Work work, PrintWriter err, Function<Path, String> goOn)
      throws JsonProcessingException {
    // Closed last: the process may end only when the directory is in order.
    try (Interruption interruption = new Interruption(Thread.currentThread()::interrupt);
        AgentsDirectory place = open.get()) {
      try {
        return work.in(place);
      } catch (CancellationException | UncheckedIOException stopped) {
        // Writing in an interrupted thread fails; what was being written is done again.
        if (!interruption.getAsBoolean()) {
          throw stopped;
        }
        err.println("quantail: interrupted; " + goOn.apply(place.path()));
        return ExitCode.INTERRUPTED;
      }
    }
  }
}
