package io.quantail.study.population;

/** A population cannot continue, for a reason that the user can remove. */
public final class PopulationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PopulationException(String message) {
    super(message);
  }
}
