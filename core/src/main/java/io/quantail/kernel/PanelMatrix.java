package io.quantail.kernel;

import io.quantail.simd.MatrixTiles;
import org.jspecify.annotations.Nullable;

/**
 * A factor as panels of {@value MatrixTiles#WIDTH} columns, for {@link MatrixTiles}; the last is
 * padded.
 */
final class PanelMatrix implements PackedMatrix {
  static final int WIDTH = MatrixTiles.WIDTH;
  private static final float[] NONE = {};

  private final int terms;
  private final int columns;
  private final float[][] panels; // [panel][term, column in panel]

  PanelMatrix(int terms, int columns) {
    this.terms = terms;
    this.columns = columns;
    panels = new float[(columns + WIDTH - 1) / WIDTH][terms * WIDTH];
  }

  @Override
  public long size() {
    return (long) terms * columns;
  }

  @Override
  public void readColumns(float[] flat, int from, int column, int count, int term, int length) {
    int end = column + count;
    int i = column;
    while (i < end) {
      float[] panel = panels[i / WIDTH];
      int place = term * WIDTH + i % WIDTH;
      int first = from + (i - column) * length;
      if (i % 4 == 0 && i + 4 <= end) {
        readFour(panel, place, flat, first, length);
        i += 4;
      } else {
        for (int t = 0; t < length; t++) {
          panel[place + t * WIDTH] = flat[first + t];
        }
        i++;
      }
    }
  }

  private static void readFour(float[] panel, int place, float[] flat, int first, int length) {
    int second = first + length;
    int third = second + length;
    int fourth = third + length;
    for (int t = 0; t < length; t++) {
      int at = place + t * WIDTH;
      panel[at] = flat[first + t];
      panel[at + 1] = flat[second + t];
      panel[at + 2] = flat[third + t];
      panel[at + 3] = flat[fourth + t];
    }
  }

  @Override
  public void readTerms(float[] flat, int from, int term, int count) {
    for (int panel = 0; panel < panels.length; panel++) {
      int column = panel * WIDTH;
      int width = Math.min(WIDTH, columns - column);
      if (width == WIDTH) {
        MatrixTiles.pack(panels[panel], term, flat, from + column, columns, count);
        continue;
      }
      for (int t = 0; t < count; t++) {
        int first = from + t * columns + column;
        System.arraycopy(flat, first, panels[panel], (term + t) * WIDTH, width);
      }
    }
  }

  @Override
  public void product(float[][] c, float @Nullable [] start, float[][] a, int rows) {
    if (rows == 0) {
      return;
    }
    int last = rows - 1;
    float[] unused = rows % 4 == 0 ? NONE : TileScratch.ofThread().unused(columns);
    for (int panel = 0; panel < panels.length; panel++) {
      int column = panel * WIDTH;
      if (columns - column < WIDTH) {
        productAtEdge(c, start, a, rows, panel);
        continue;
      }
      for (int row = 0; row < rows; row += 4) {
        MatrixTiles.add(
            c[row],
            row + 1 < rows ? c[row + 1] : unused,
            row + 2 < rows ? c[row + 2] : unused,
            row + 3 < rows ? c[row + 3] : unused,
            column,
            start,
            a[row],
            a[Math.min(row + 1, last)],
            a[Math.min(row + 2, last)],
            a[Math.min(row + 3, last)],
            panels[panel],
            terms);
      }
    }
  }

  /** The columns of the last panel, which fill it in part. */
  private void productAtEdge(
      float[][] c, float @Nullable [] start, float[][] a, int rows, int panel) {
    int column = panel * WIDTH;
    int width = columns - column;
    int last = rows - 1;
    float[][] tile = TileScratch.ofThread().edge();
    for (int row = 0; row < rows; row += 4) {
      int used = Math.min(4, rows - row);
      for (int r = 0; r < used; r++) {
        System.arraycopy(start == null ? c[row + r] : start, column, tile[r], 0, width);
      }
      MatrixTiles.add(
          tile[0],
          tile[1],
          tile[2],
          tile[3],
          0,
          null,
          a[row],
          a[Math.min(row + 1, last)],
          a[Math.min(row + 2, last)],
          a[Math.min(row + 3, last)],
          panels[panel],
          terms);
      for (int r = 0; r < used; r++) {
        System.arraycopy(tile[r], 0, c[row + r], column, width);
      }
    }
  }
}
