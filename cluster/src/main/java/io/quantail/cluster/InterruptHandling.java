package io.quantail.cluster;

import java.util.concurrent.CancellationException;

/** An interrupt ends what we do with a {@link CancellationException} and stays set. */
final class InterruptHandling {
  private InterruptHandling() {}

  static CancellationException cancelled() {
    Thread.currentThread().interrupt();
    return new CancellationException("interrupted");
  }

  /** Does something to its end that an interrupt would break off; it stays set. */
  static void undisturbed(Runnable work) {
    boolean interrupted = Thread.interrupted();
    try {
      work.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException interrupted) {
      throw cancelled();
    }
  }
}
