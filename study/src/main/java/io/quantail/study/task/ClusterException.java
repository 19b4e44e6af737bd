package io.quantail.study.task;

/** A cluster cannot be used. The message names the reason and what to do. */
public final class ClusterException extends RuntimeException {
  public ClusterException(String message) {
    super(message);
  }

  public ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
