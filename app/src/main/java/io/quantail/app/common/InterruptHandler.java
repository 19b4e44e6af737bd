package io.quantail.app.common;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Turns Ctrl-C into a request to stop, and keeps the process alive until the work is saved.
 *
 * <p>The working thread is not interrupted, which would close the files it is writing, unless
 * {@code whenRequested} does so.
 */
public final class InterruptHandler implements BooleanSupplier, AutoCloseable {
  /** Longest time to wait; tasks on a cluster need time to stop. */
  private static final long PATIENCE_SECONDS = 90;

  private final CountDownLatch saved = new CountDownLatch(1);
  private final Thread hook = new Thread(this::waitUntilSaved, "quantail-interruption");
  private final Runnable whenRequested;
  private volatile boolean requested;

  public InterruptHandler() {
    this(() -> {});
  }

  /**
   * @param whenRequested called once when the process is asked to stop, by another thread
   */
  public InterruptHandler(Runnable whenRequested) {
    this.whenRequested = whenRequested;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void waitUntilSaved() {
    requested = true;
    whenRequested.run();
    try {
      saved.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the process has been asked to stop. */
  @Override
  public boolean getAsBoolean() {
    return requested;
  }

  /** Lets the process end, because everything is on disk. */
  @Override
  public void close() {
    saved.countDown();
    if (!requested) {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }
}
