package io.quantail.kernel;

import io.quantail.simd.MatrixTiles;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A factor as panels of {@value MatrixTiles#WIDTH} columns, for {@link MatrixTiles}; the last is
 * padded.
 */
final class PanelMatrix implements PackedMatrix {
  private static final int WIDTH = MatrixTiles.WIDTH;

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
    float[][] left = wholeTiles(a, rows, a[rows - 1]);
    float[][] target = rows % 4 == 0 ? c : wholeTiles(c, rows, new float[columns]);
    for (int panel = 0; panel < panels.length; panel++) {
      int column = panel * WIDTH;
      int width = Math.min(WIDTH, columns - column);
      if (width == WIDTH) {
        for (int row = 0; row < rows; row += 4) {
          MatrixTiles.add(
              target[row],
              target[row + 1],
              target[row + 2],
              target[row + 3],
              column,
              start,
              left[row],
              left[row + 1],
              left[row + 2],
              left[row + 3],
              panels[panel],
              terms);
        }
      } else {
        productAtEdge(target, start, left, rows, panel);
      }
    }
  }

  /** The columns of the last panel, which fill it in part. */
  private void productAtEdge(
      float[][] c, float @Nullable [] start, float[][] a, int rows, int panel) {
    int column = panel * WIDTH;
    int width = columns - column;
    float[][] tile = new float[4][WIDTH];
    for (int row = 0; row < rows; row += 4) {
      for (int r = 0; r < 4; r++) {
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
          a[row + 1],
          a[row + 2],
          a[row + 3],
          panels[panel],
          terms);
      for (int r = 0; r < 4; r++) {
        System.arraycopy(tile[r], 0, c[row + r], column, width);
      }
    }
  }

  /** The rows, padded with another row to a multiple of the tile. */
  private static float[][] wholeTiles(float[][] rows, int count, float[] other) {
    if (count % 4 == 0) {
      return rows;
    }
    float[][] whole = new float[(count + 3) / 4 * 4][];
    System.arraycopy(rows, 0, whole, 0, count);
    Arrays.fill(whole, count, whole.length, other);
    return whole;
  }
}
