package io.quantail.market.feature;

/** What is seen at each bar, row by row in one array; immutable. */
public final class FeatureMatrix {
  private final float[] rows; // [bar, column]
  private final int width;
  private final int warmupBars;

  FeatureMatrix(float[] rows, int width, int warmupBars) {
    this.rows = rows;
    this.width = width;
    this.warmupBars = warmupBars;
  }

  /** Columns of a row. */
  public int width() {
    return width;
  }

  public int bars() {
    return rows.length / width;
  }

  /** First bar at whose close everything is defined that can be. */
  public int firstBar() {
    return warmupBars - 1;
  }

  public float value(int t, int column) {
    return rows[t * width + column];
  }

  /** Writes row {@code t} to the beginning of an array. */
  public void copyRow(int t, float[] target) {
    System.arraycopy(rows, t * width, target, 0, width);
  }
}
