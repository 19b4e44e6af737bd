package io.quantail.population;

/** A population cannot go on, for a reason that its user can do something about. */
public final class PopulationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PopulationException(String message) {
    super(message);
  }
}
