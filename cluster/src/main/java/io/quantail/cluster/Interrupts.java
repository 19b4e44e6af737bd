package io.quantail.cluster;

import java.util.concurrent.CancellationException;

/** An interrupt ends what we do with a {@link CancellationException} and stays set. */
final class Interrupts {
  private Interrupts() {}

  static CancellationException cancelled() {
    Thread.currentThread().interrupt();
    return new CancellationException("interrupted");
  }

  static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException interrupted) {
      throw cancelled();
    }
  }
}
