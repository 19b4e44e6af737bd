package io.quantail.kernel;

import io.quantail.simd.Tiles;
import java.util.Arrays;

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
  public void readTransposed(float[] flat, int[] byColumn) {
    int whole = columns / 4 * 4;
    for (int column = 0; column < whole; column += 4) {
      readFour(flat, byColumn, column, panels[column / WIDTH]);
    }
    for (int column = whole; column < columns; column++) {
      float[] panel = panels[column / WIDTH];
      for (int term = 0; term < terms; term++) {
        panel[term * WIDTH + column % WIDTH] = flat[byColumn[column] + term];
      }
    }
  }

  private void readFour(float[] flat, int[] byColumn, int column, float[] panel) {
    int first = byColumn[column];
    int second = byColumn[column + 1];
    int third = byColumn[column + 2];
    int fourth = byColumn[column + 3];
    int place = column % WIDTH;
    for (int term = 0; term < terms; term++) {
      panel[place] = flat[first + term];
      panel[place + 1] = flat[second + term];
      panel[place + 2] = flat[third + term];
      panel[place + 3] = flat[fourth + term];
      place += WIDTH;
    }
  }

  @Override
  public void read(float[] flat, int[] byTerm) {
    for (int panel = 0; panel < panels.length; panel++) {
      int column = panel * WIDTH;
      int width = Math.min(WIDTH, columns - column);
      if (width == WIDTH) {
        Tiles.pack(panels[panel], flat, byTerm, column);
        continue;
      }
      for (int term = 0; term < terms; term++) {
        System.arraycopy(flat, byTerm[term] + column, panels[panel], term * WIDTH, width);
      }
    }
  }

  @Override
  public void product(float[][] c, float[] start, float[][] a, int rows) {
    if (rows == 0) {
      return;
    }
    float[][] left = wholeTiles(a, rows, a[rows - 1]);
    float[][] target = rows % 4 == 0 ? c : wholeTiles(c, rows, new float[columns]);
    float[][] edge = columns % WIDTH == 0 ? null : new float[4][WIDTH];
    for (int panel = 0; panel < panels.length; panel++) {
      int column = panel * WIDTH;
      int width = Math.min(WIDTH, columns - column);
      for (int row = 0; row < rows; row += 4) {
        if (width == WIDTH) {
          add(target, row, column, start, left, row, panels[panel], terms);
        } else {
          for (int r = 0; r < 4; r++) {
            float[] begun = start == null ? target[row + r] : start;
            System.arraycopy(begun, column, edge[r], 0, width);
          }
          add(edge, 0, 0, null, left, row, panels[panel], terms);
          for (int r = 0; r < 4; r++) {
            System.arraycopy(edge[r], 0, target[row + r], column, width);
          }
        }
      }
    }
  }

  /** The rows, and others in the places that the last tile has beyond them. */
  private static float[][] wholeTiles(float[][] rows, int count, float[] other) {
    if (count % 4 == 0) {
      return rows;
    }
    float[][] whole = new float[(count + 3) / 4 * 4][];
    System.arraycopy(rows, 0, whole, 0, count);
    Arrays.fill(whole, count, whole.length, other);
    return whole;
  }

  private static void add(
      float[][] c,
      int row,
      int column,
      float[] start,
      float[][] a,
      int first,
      float[] panel,
      int terms) {
    Tiles.add(
        c[row],
        c[row + 1],
        c[row + 2],
        c[row + 3],
        column,
        start,
        a[first],
        a[first + 1],
        a[first + 2],
        a[first + 3],
        panel,
        terms);
  }
}
