package io.quantail.kernel;

import io.quantail.simd.Tiles;
import java.util.ArrayList;
import java.util.List;

/**
 * Sums of outer products, {@code c[places_p + j] += sum_i a_i[p] b_i[j]}, on {@link Tiles}: the
 * gradients of weights.
 *
 * <p>Several c and b may have the same a. All b are packed first. Then a few columns of a are
 * packed at a time, as many as stay in the nearest cache, and multiplied with all of b.
 */
final class PanelSums {
  private static final int WIDTH = Tiles.WIDTH;
  private static final int CACHED = 1 << 13; // floats of a that are used at once

  /** Where the rows of a tile lie that reaches beyond c. */
  private static final int[] EDGE = {0, WIDTH, 2 * WIDTH, 3 * WIDTH};

  /** Columns of a, for whoever packs them. */
  private static final ThreadLocal<Workspace> COLUMNS = ThreadLocal.withInitial(Workspace::new);

  private PanelSums() {}

  /** Adds the sums over the first {@code rows} rows of a and b. */
  static void add(Workspace workspace, Team team, float[][] a, int rows, List<Affine.Sum> sums) {
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
          float[][] columns = packedColumns(a, from, to, rows);
          for (int sum = 0; sum < sums.size(); sum++) {
            addBlock(sums.get(sum), from, to, columns, panels.get(sum), rows);
          }
        });
  }

  /** Adds to the rows [from, to) of one c. */
  private static void addBlock(
      Affine.Sum sum, int from, int to, float[][] columns, float[][] panels, int terms) {
    for (int panel = 0; panel < panels.length; panel++) {
      int first = panel * WIDTH;
      int width = Math.min(WIDTH, sum.b()[0].length - first);
      for (int p = from; p < to; p += 4) {
        if (width == WIDTH && p + 4 <= to) {
          addTile(sum.c(), sum.places(), p, first, columns, p - from, panels[panel], terms);
        } else {
          int height = Math.min(4, to - p);
          addEdge(sum, p, height, first, width, columns, p - from, panels[panel], terms);
        }
      }
    }
  }

  private static void addTile(
      float[] c,
      int[] places,
      int p,
      int first,
      float[][] columns,
      int column,
      float[] panel,
      int terms) {
    Tiles.add(
        c,
        places[p] + first,
        c,
        places[p + 1] + first,
        c,
        places[p + 2] + first,
        c,
        places[p + 3] + first,
        columns[column],
        columns[column + 1],
        columns[column + 2],
        columns[column + 3],
        panel,
        terms);
  }

  /** A tile that reaches beyond c, in a place of its own. */
  private static void addEdge(
      Affine.Sum sum,
      int p,
      int height,
      int first,
      int width,
      float[][] columns,
      int column,
      float[] panel,
      int terms) {
    float[] edge = new float[4 * WIDTH];
    for (int r = 0; r < height; r++) {
      System.arraycopy(sum.c(), sum.places()[p + r] + first, edge, EDGE[r], width);
    }
    addTile(edge, EDGE, 0, 0, columns, column, panel, terms);
    for (int r = 0; r < height; r++) {
      System.arraycopy(edge, EDGE[r], sum.c(), sum.places()[p + r] + first, width);
    }
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

  /** The columns [from, to) of a matrix as rows, and others up to a multiple of four. */
  private static float[][] packedColumns(float[][] a, int from, int to, int rows) {
    Workspace own = COLUMNS.get();
    own.reset();
    float[][] columns = own.rows((to - from + 3) / 4 * 4, rows);
    int whole = (to - from) / 4 * 4;
    for (int column = 0; column < whole; column += 4) {
      packFour(columns, column, a, from + column, rows);
    }
    for (int column = whole; column < to - from; column++) {
      for (int i = 0; i < rows; i++) {
        columns[column][i] = a[i][from + column];
      }
    }
    return columns;
  }

  private static void packFour(float[][] columns, int place, float[][] a, int column, int rows) {
    float[] first = columns[place];
    float[] second = columns[place + 1];
    float[] third = columns[place + 2];
    float[] fourth = columns[place + 3];
    for (int i = 0; i < rows; i++) {
      float[] row = a[i];
      first[i] = row[column];
      second[i] = row[column + 1];
      third[i] = row[column + 2];
      fourth[i] = row[column + 3];
    }
  }
}
