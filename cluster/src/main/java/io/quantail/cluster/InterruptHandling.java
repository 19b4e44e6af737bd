package io.quantail.cluster;

import java.util.concurrent.CancellationException;

/** Turns interrupts into a {@link CancellationException}; the interrupt flag stays set. */
final class InterruptHandling {
  private InterruptHandling() {}

  static CancellationException cancelled() {
    Thread.currentThread().interrupt();
    return new CancellationException("interrupted");
  }

  /** Runs work that an interrupt must not abort, and restores the interrupt flag afterwards. */
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
