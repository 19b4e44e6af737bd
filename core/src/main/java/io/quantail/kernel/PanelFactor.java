package io.quantail.kernel;

import io.quantail.simd.Tiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A factor as panels of {@value Tiles#WIDTH} columns, for {@link Tiles}; the last is padded. */
final class PanelFactor implements Factor {
  private static final int WIDTH = Tiles.WIDTH;
  private static final int CACHED = 1 << 13; // floats of a left-hand matrix that are used at once

  private static final ThreadLocal<Workspace> LEFT = ThreadLocal.withInitial(Workspace::new);

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
      for (int term = 0; term < terms; term++) {
        System.arraycopy(flat, byTerm[term] + column, panels[panel], term * WIDTH, width);
      }
    }
  }

  @Override
  public void addProduct(float[][] c, float[][] a, int rows) {
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
          add(target, row, column, left, row, panels[panel], terms);
        } else {
          copy(target, row, column, edge, 0, 0, width);
          add(edge, 0, 0, left, row, panels[panel], terms);
          copy(edge, 0, 0, target, row, column, width);
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
      float[][] c, int row, int column, float[][] a, int first, float[] panel, int terms) {
    Tiles.add(
        c[row],
        column,
        c[row + 1],
        column,
        c[row + 2],
        column,
        c[row + 3],
        column,
        a[first],
        a[first + 1],
        a[first + 2],
        a[first + 3],
        panel,
        terms);
  }

  /** Copies the columns of four rows that lie inside the matrix. */
  private static void copy(
      float[][] from, int row, int column, float[][] to, int toRow, int toColumn, int width) {
    for (int r = 0; r < 4; r++) {
      System.arraycopy(from[row + r], column, to[toRow + r], toColumn, width);
    }
  }

  /**
   * {@code c[places_p + j] += sum_i a_i[p] b_i[j]} over the first {@code rows} rows of a and b, for
   * several c and b with the same a.
   *
   * <p>All b are packed first. Then a few columns of a are packed at a time, as many as stay in the
   * nearest cache, and multiplied with all of b.
   */
  static void addTransposedProducts(
      Workspace workspace, Team team, float[][] a, int rows, List<Affine.Sum> sums) {
    if (rows == 0) {
      return;
    }
    Workspace scratch = workspace.scratch();
    List<float[][]> panels = new ArrayList<>();
    for (Affine.Sum sum : sums) {
      panels.add(packed(scratch, team, sum.b(), rows));
    }
    int width = sums.get(0).places().length;
    int block = Math.max(1, CACHED / 4 / rows) * 4;
    team.each(
        (width + block - 1) / block,
        part -> {
          int from = part * block;
          int to = Math.min(width, from + block);
          float[][] left = LEFT.get().scratch().rows((to - from + 3) / 4 * 4, rows);
          packColumns(left, a, from, to, rows);
          for (int sum = 0; sum < sums.size(); sum++) {
            addBlock(sums.get(sum), from, to, left, panels.get(sum), rows);
          }
        });
  }

  private static float[][] packed(Workspace scratch, Team team, float[][] b, int rows) {
    float[][] panels = scratch.rows((b[0].length + WIDTH - 1) / WIDTH, rows * WIDTH);
    team.each(panels.length, panel -> pack(panels[panel], b, rows, panel * WIDTH));
    return panels;
  }

  /** Sixteen columns of a matrix, as many of them as there are. */
  private static void pack(float[] panel, float[][] rows, int count, int column) {
    int width = Math.min(WIDTH, rows[0].length - column);
    if (width == WIDTH) {
      Tiles.pack(panel, rows, count, column);
      return;
    }
    for (int row = 0; row < count; row++) {
      System.arraycopy(rows[row], column, panel, row * WIDTH, width);
    }
  }

  /** Adds to the rows [from, to) of one c. */
  private static void addBlock(
      Affine.Sum sum, int from, int to, float[][] left, float[][] panels, int terms) {
    float[] c = sum.c();
    int[] places = sum.places();
    for (int panel = 0; panel < panels.length; panel++) {
      int column = panel * WIDTH;
      int width = Math.min(WIDTH, sum.b()[0].length - column);
      for (int p = from; p < to; p += 4) {
        int l = p - from;
        int height = Math.min(4, to - p);
        if (width == WIDTH && height == 4) {
          Tiles.add(
              c,
              places[p] + column,
              c,
              places[p + 1] + column,
              c,
              places[p + 2] + column,
              c,
              places[p + 3] + column,
              left[l],
              left[l + 1],
              left[l + 2],
              left[l + 3],
              panels[panel],
              terms);
        } else {
          float[][] edge = new float[4][WIDTH];
          for (int r = 0; r < height; r++) {
            System.arraycopy(c, places[p + r] + column, edge[r], 0, width);
          }
          add(edge, 0, 0, left, l, panels[panel], terms);
          for (int r = 0; r < height; r++) {
            System.arraycopy(edge[r], 0, c, places[p + r] + column, width);
          }
        }
      }
    }
  }

  /** Columns of a matrix as rows, four at a time. */
  private static void packColumns(float[][] columns, float[][] a, int from, int to, int rows) {
    for (int column = from; column < to; column += 4) {
      packFourColumns(columns, column - from, a, column, Math.min(4, to - column), rows);
    }
  }

  /** Up to four columns of a matrix as rows. */
  private static void packFourColumns(
      float[][] columns, int place, float[][] a, int from, int count, int rows) {
    if (count < 4) {
      for (int column = from; column < from + count; column++) {
        for (int i = 0; i < rows; i++) {
          columns[place + column - from][i] = a[i][column];
        }
      }
      return;
    }
    float[] first = columns[place];
    float[] second = columns[place + 1];
    float[] third = columns[place + 2];
    float[] fourth = columns[place + 3];
    for (int i = 0; i < rows; i++) {
      float[] row = a[i];
      first[i] = row[from];
      second[i] = row[from + 1];
      third[i] = row[from + 2];
      fourth[i] = row[from + 3];
    }
  }
}
