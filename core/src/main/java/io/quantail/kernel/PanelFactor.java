package io.quantail.kernel;

import io.quantail.simd.Tiles;
import java.util.Arrays;
import java.util.List;

/** A factor as panels of {@value Tiles#WIDTH} columns, for {@link Tiles}; the last is padded. */
final class PanelFactor implements Factor {
  private static final int WIDTH = Tiles.WIDTH;
  private static final int COLUMNS = 32; // packed together

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
        c[row + 1],
        c[row + 2],
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
   * {@code c_p += sum_i a_i[p] b_i} over the first {@code rows} rows of a and b, for several c and
   * b with the same a.
   *
   * <p>All of them are packed first: rows of a matrix lie so far apart that they push each other
   * out of the cache. A panel of b then stays in the nearest cache while the columns of a go by.
   */
  static void addTransposedProducts(
      Workspace workspace, Team team, float[][] a, int rows, List<Affine.Sum> sums) {
    if (rows == 0) {
      return;
    }
    Workspace scratch = workspace.scratch();
    int width = sums.get(0).c().length;
    float[][] left = scratch.rows((width + 3) / 4 * 4, rows);
    team.each(
        (width + COLUMNS - 1) / COLUMNS,
        part -> packColumns(left, a, part * COLUMNS, Math.min(width, (part + 1) * COLUMNS), rows));
    for (Affine.Sum sum : sums) {
      int columns = sum.c()[0].length;
      float[][] target = wholeTiles(sum.c(), width, new float[columns]);
      float[][] panels = scratch.rows((columns + WIDTH - 1) / WIDTH, rows * WIDTH);
      team.each(
          panels.length,
          part -> addTransposed(target, left, sum.b(), part * WIDTH, panels[part], rows));
    }
  }

  /** Adds to the columns of one panel. */
  private static void addTransposed(
      float[][] target, float[][] left, float[][] b, int column, float[] panel, int rows) {
    pack(panel, b, rows, column);
    int width = Math.min(WIDTH, b[0].length - column);
    float[][] edge = width == WIDTH ? null : new float[4][WIDTH];
    for (int p = 0; p < target.length; p += 4) {
      if (width == WIDTH) {
        add(target, p, column, left, p, panel, rows);
      } else {
        copy(target, p, column, edge, 0, 0, width);
        add(edge, 0, 0, left, p, panel, rows);
        copy(edge, 0, 0, target, p, column, width);
      }
    }
  }

  /** Columns of a matrix as rows, four at a time. */
  private static void packColumns(float[][] columns, float[][] a, int from, int to, int rows) {
    for (int column = from; column < to; column += 4) {
      packFourColumns(columns, a, column, Math.min(4, to - column), rows);
    }
  }

  /** Up to four columns of a matrix as rows. */
  private static void packFourColumns(
      float[][] columns, float[][] a, int from, int count, int rows) {
    if (count < 4) {
      for (int column = from; column < from + count; column++) {
        for (int i = 0; i < rows; i++) {
          columns[column][i] = a[i][column];
        }
      }
      return;
    }
    float[] first = columns[from];
    float[] second = columns[from + 1];
    float[] third = columns[from + 2];
    float[] fourth = columns[from + 3];
    for (int i = 0; i < rows; i++) {
      float[] row = a[i];
      first[i] = row[from];
      second[i] = row[from + 1];
      third[i] = row[from + 2];
      fourth[i] = row[from + 3];
    }
  }
}
