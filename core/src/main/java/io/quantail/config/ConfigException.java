package io.quantail.config;

import io.quantail.error.SettingsException;

/**
 * A setting that cannot be used; the message is one line that names the setting, its value, its
 * range and, where one is near, the setting that was probably meant.
 */
public final class ConfigException extends SettingsException {
  private static final long serialVersionUID = 1L;

  /** Line breaks in the message, for example from a quoted key, become spaces. */
  public ConfigException(String message) {
    super(message.replaceAll("\\s*\\R\\s*", " "));
  }
}
