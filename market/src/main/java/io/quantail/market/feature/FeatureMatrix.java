package io.quantail.market.feature;

/**
 * The scaled features of one symbol, as an agent observes them: one row of floats per bar.
 * Immutable.
 */
public final class FeatureMatrix {
  private final float[] rows; // [bar, column]
  private final int width;
  private final int warmupBars;

  FeatureMatrix(float[] rows, int width, int warmupBars) {
    this.rows = rows;
    this.width = width;
    this.warmupBars = warmupBars;
  }

  /** The number of columns of a row. */
  public int width() {
    return width;
  }

  /** The first bar at whose close the warm-up of all features is over. */
  public int firstBar() {
    return warmupBars - 1;
  }

  /** Copies the row of bar {@code t} to the beginning of an array. */
  public void copyRow(int t, float[] target) {
    System.arraycopy(rows, t * width, target, 0, width);
  }
}
