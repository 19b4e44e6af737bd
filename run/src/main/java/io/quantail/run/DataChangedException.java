package io.quantail.run;

/** The data of a run or study are not those it started with. */
public final class DataChangedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Refuses other data.
   *
   * @param message which data changed, and what to do
   */
  public DataChangedException(String message) {
    super(message);
  }
}
