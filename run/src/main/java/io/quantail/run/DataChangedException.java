package io.quantail.run;

/** The data of a run or study are not those it started with. */
public final class DataChangedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DataChangedException(String message) {
    super(message);
  }
}
