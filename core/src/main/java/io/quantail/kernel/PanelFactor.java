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
        Tiles.pack(panels[panel], term, flat, from + column, columns, count);
        continue;
      }
      for (int t = 0; t < count; t++) {
        int first = from + t * columns + column;
        System.arraycopy(flat, first, panels[panel], (term + t) * WIDTH, width);
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
