package io.quantail.kernel;

import io.quantail.simd.Tiles;

/** A factor as panels of {@value Tiles#WIDTH} columns, for {@link Tiles}; the last is padded. */
final class PanelFactor implements Factor {
  private static final int WIDTH = Tiles.WIDTH;

  private final int terms;
  private final int columns;
  private final float[][] panels; // [panel][term, column in panel]

  PanelFactor(int terms, int columns) {
    this.terms = terms;
    this.columns = columns;
    panels = new float[(columns + WIDTH - 1) / WIDTH][terms * WIDTH];
  }

  @Override
  public void setTransposed(float[][] byColumn) {
    for (int column = 0; column < columns; column++) {
      float[] panel = panels[column / WIDTH];
      float[] source = byColumn[column];
      int place = column % WIDTH;
      for (int term = 0; term < terms; term++) {
        panel[place] = source[term];
        place += WIDTH;
      }
    }
  }

  @Override
  public void set(float[][] byTerm) {
    for (int panel = 0; panel < panels.length; panel++) {
      pack(panels[panel], byTerm, terms, panel * WIDTH);
    }
  }

  /** Sixteen columns of a matrix, as many of them as there are. */
  private static void pack(float[] panel, float[][] rows, int count, int column) {
    int width = Math.min(WIDTH, rows[0].length - column);
    for (int row = 0; row < count; row++) {
      System.arraycopy(rows[row], column, panel, row * WIDTH, width);
    }
  }

  @Override
  public void addProduct(float[][] c, float[][] a, int rows) {
    for (int panel = 0; panel < panels.length; panel++) {
      int column = panel * WIDTH;
      int width = Math.min(WIDTH, columns - column);
      for (int row = 0; row < rows; row += 4) {
        if (row + 4 <= rows && width == WIDTH) {
          Tiles.add(
              c[row],
              c[row + 1],
              c[row + 2],
              c[row + 3],
              column,
              a[row],
              a[row + 1],
              a[row + 2],
              a[row + 3],
              panels[panel],
              terms);
        } else {
          addAtEdge(c, row, Math.min(4, rows - row), column, width, a, panels[panel]);
        }
      }
    }
  }

  /** A tile that sticks out of the matrix is computed beside it. */
  private void addAtEdge(
      float[][] c, int row, int count, int column, int width, float[][] a, float[] panel) {
    float[][] tile = new float[4][WIDTH];
    for (int r = 0; r < count; r++) {
      System.arraycopy(c[row + r], column, tile[r], 0, width);
    }
    int last = row + count - 1;
    Tiles.add(
        tile[0],
        tile[1],
        tile[2],
        tile[3],
        0,
        a[row],
        a[Math.min(row + 1, last)],
        a[Math.min(row + 2, last)],
        a[Math.min(row + 3, last)],
        panel,
        terms);
    for (int r = 0; r < count; r++) {
      System.arraycopy(tile[r], 0, c[row + r], column, width);
    }
  }

  /** {@code c_p += sum_i a_i[p] b_i} over the first {@code rows} rows of a and b. */
  static void addTransposedProduct(float[][] c, float[][] a, float[][] b, int rows) {
    if (rows == 0 || c.length == 0) {
      return;
    }
    float[] panel = new float[rows * WIDTH];
    int columns = c[0].length;
    for (int column = 0; column < columns; column += WIDTH) {
      int width = Math.min(WIDTH, columns - column);
      pack(panel, b, rows, column);
      for (int p = 0; p < c.length; p += 4) {
        if (p + 4 <= c.length && width == WIDTH) {
          Tiles.addTransposed(c[p], c[p + 1], c[p + 2], c[p + 3], column, a, p, panel, rows);
        } else {
          addTransposedAtEdge(c, p, column, width, a, panel, rows);
        }
      }
    }
  }

  private static void addTransposedAtEdge(
      float[][] c, int p, int column, int width, float[][] a, float[] panel, int rows) {
    int count = Math.min(4, c.length - p);
    float[][] tile = new float[4][WIDTH];
    float[][] left = new float[4][rows]; // columns of a
    for (int r = 0; r < count; r++) {
      System.arraycopy(c[p + r], column, tile[r], 0, width);
      for (int i = 0; i < rows; i++) {
        left[r][i] = a[i][p + r];
      }
    }
    Tiles.add(
        tile[0], tile[1], tile[2], tile[3], 0, left[0], left[1], left[2], left[3], panel, rows);
    for (int r = 0; r < count; r++) {
      System.arraycopy(tile[r], 0, c[p + r], column, width);
    }
  }
}
