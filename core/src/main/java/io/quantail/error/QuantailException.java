package io.quantail.error;

import org.jspecify.annotations.Nullable;

/** Everything that Quantail refuses; the message is one line that says what is wrong. */
public abstract class QuantailException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * A refusal.
   *
   * @param message what is wrong, where, and what to do
   * @param cause the exception behind it; null if there is none
   */
  protected QuantailException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
