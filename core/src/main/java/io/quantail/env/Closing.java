package io.quantail.env;

import java.util.List;

/** Closes several things. */
public final class Closing {
  private Closing() {}

  /**
   * Closes everything even if some refuse; the first failure carries the others.
   *
   * @param cause the failure that made it necessary, which is left to the caller; or null
   */
  public static void all(List<? extends AutoCloseable> closeables, RuntimeException cause) {
    RuntimeException failure = cause;
    for (AutoCloseable closeable : closeables) {
      try {
        closeable.close();
      } catch (Exception exception) {
        if (failure == null) {
          failure =
              new EnvironmentException("an environment did not close: " + exception, exception);
        } else {
          failure.addSuppressed(exception);
        }
      }
    }
    if (cause == null && failure != null) {
      throw failure;
    }
  }
}
