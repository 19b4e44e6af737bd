package io.quantail.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C into an interrupt of the thread that made it, and holds the process until that
 * thread has put everything away.
 */
final class StopSignal implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 90;

  private final Thread working = Thread.currentThread();
  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop, "quantail-stop");
  private volatile boolean stopping;

  StopSignal() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void stop() {
    stopping = true;
    working.interrupt();
    try {
      done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    done.countDown();
    if (!stopping) {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }
}
