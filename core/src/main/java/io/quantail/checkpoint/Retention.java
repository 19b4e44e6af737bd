package io.quantail.checkpoint;

/**
 * How many snapshots a run keeps: the last ones, and always the one with the best score.
 *
 * @param keepLast 1 or more, default 2; with 1 there is nothing to fall back to when the last
 *     snapshot is damaged
 */
public record Retention(int keepLast) {
  public static final Retention DEFAULT = new Retention(2);

  public Retention {
    if (keepLast < 1) {
      throw new IllegalArgumentException(
          "retention.keepLast must be 1 or more, was " + keepLast + "; 2 is the default");
    }
  }
}
