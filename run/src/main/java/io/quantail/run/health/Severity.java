package io.quantail.run.health;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quantail.config.SettingNames;

/** Severity of an alert, in rising order. */
public enum Severity {
  /** Worth knowing; healthy runs may have it. */
  INFO,
  /** A problem is likely or imminent. */
  WARNING,
  /** Part of the training was lost. */
  ERROR;

  /** The name in files. */
  @JsonValue
  public String written() {
    return SettingNames.written(this);
  }
}
