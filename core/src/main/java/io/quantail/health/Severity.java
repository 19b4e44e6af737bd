package io.quantail.health;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quantail.config.Names;

/** How much an alert matters, least first. */
public enum Severity {
  /** Worth knowing; healthy runs may have it. */
  INFO,
  /** Something is probably wrong, or about to be. */
  WARNING,
  /** Part of the training did not happen. */
  ERROR;

  /** As it stands in files. */
  @JsonValue
  public String written() {
    return Names.written(this);
  }
}
