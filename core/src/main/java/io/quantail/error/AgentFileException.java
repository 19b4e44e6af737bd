package io.quantail.error;

import org.jspecify.annotations.Nullable;

/** A saved agent or run that cannot be read or written; the message names the file. */
public final class AgentFileException extends QuantailException {
  private static final long serialVersionUID = 1L;

  /**
   * A file that cannot be used.
   *
   * @param message the file and the reason
   * @param cause the exception behind it; null if there is none
   */
  public AgentFileException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
