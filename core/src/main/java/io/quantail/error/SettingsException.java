package io.quantail.error;

/** A setting that cannot be used; the message names the setting, its value and what is allowed. */
public abstract class SettingsException extends QuantailException {
  private static final long serialVersionUID = 1L;

  /**
   * A setting that cannot be used.
   *
   * @param message the setting, its value, and what is allowed
   */
  protected SettingsException(String message) {
    super(message, null);
  }
}
