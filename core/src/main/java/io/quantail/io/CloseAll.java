package io.quantail.io;

/** Closes several resources, also when some of them fail to close. */
public final class CloseAll {
  private CloseAll() {}

  /**
   * Closes all resources in order, then throws the first failure with the others suppressed in it.
   */
  public static void close(Iterable<? extends AutoCloseable> resources) throws Exception {
    Exception failure = null;
    for (AutoCloseable resource : resources) {
      try {
        resource.close();
      } catch (Exception exception) {
        if (failure == null) {
          failure = exception;
        } else if (failure != exception) {
          failure.addSuppressed(exception);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Closes all resources after a failure and throws nothing.
   *
   * @param cause the failure that made closing necessary; failures of closing are suppressed in it
   */
  public static void closeAfter(Throwable cause, Iterable<? extends AutoCloseable> resources) {
    for (AutoCloseable resource : resources) {
      try {
        resource.close();
      } catch (Exception exception) {
        if (cause != exception) {
          cause.addSuppressed(exception);
        }
      }
    }
  }
}
