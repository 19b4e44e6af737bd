package io.quantail.kernel;

import io.quantail.parallel.ParallelLoop;
import io.quantail.simd.MatrixTiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Sums of outer products, {@code c[places_p + j] += sum_i a_i[p] b_i[j]}, on {@link MatrixTiles}:
 * the gradients of weights.
 *
 * <p>Several c and b may have the same a. All b are packed first. Then sixteen columns of a are
 * packed at a time, which stay in the nearest cache, and multiplied with all of b.
 */
final class GradientProducts {
  private static final int WIDTH = MatrixTiles.WIDTH;
  private static final int HEIGHT = MatrixTiles.HEIGHT;

  /** Scratch panels for columns of a and for a tile of c. */
  private static final ThreadLocal<Workspace> OWN = ThreadLocal.withInitial(Workspace::new);

  private GradientProducts() {}

  /** Adds the sums over the first {@code rows} rows of a and b. */
  static void add(
      Workspace workspace, ParallelLoop loop, float[][] a, int rows, List<AffineMap.Sum> sums) {
    if (rows == 0) {
      return;
    }
    Workspace scratch = workspace.scratch();
    List<float[][]> panels = new ArrayList<>();
    for (AffineMap.Sum sum : sums) {
      panels.add(packed(scratch, loop, sum.b(), rows));
    }
    loop.each(
        panels(a),
        part -> {
          Workspace own = OWN.get();
          own.reset();
          float[] columns = own.rows(1, rows * WIDTH)[0];
          float[] tile = own.rows(1, HEIGHT * WIDTH)[0];
          pack(columns, a, rows, part * WIDTH);
          for (int sum = 0; sum < sums.size(); sum++) {
            addBlock(sums.get(sum), part * WIDTH, columns, panels.get(sum), rows, tile);
          }
        });
  }

  private static float[][] packed(Workspace scratch, ParallelLoop loop, float[][] b, int rows) {
    float[][] panels = scratch.rows(panels(b), rows * WIDTH);
    loop.each(panels.length, panel -> pack(panels[panel], b, rows, panel * WIDTH));
    return panels;
  }

  private static int panels(float[][] matrix) {
    return (matrix[0].length + WIDTH - 1) / WIDTH;
  }

  /** Packs up to sixteen columns of a matrix. */
  private static void pack(float[] panel, float[][] rows, int count, int column) {
    int width = Math.min(WIDTH, rows[0].length - column);
    if (width == WIDTH) {
      MatrixTiles.pack(panel, rows, count, column);
      return;
    }
    for (int row = 0; row < count; row++) {
      System.arraycopy(rows[row], column, panel, row * WIDTH, width);
    }
  }

  /** Adds to the rows of one c that belong to sixteen columns of a. */
  private static void addBlock(
      AffineMap.Sum sum, int from, float[] columns, float[][] panels, int terms, float[] tile) {
    int to = Math.min(sum.places().length, from + WIDTH);
    for (int panel = 0; panel < panels.length; panel++) {
      int first = panel * WIDTH;
      for (int p = from; p < to; p += HEIGHT) {
        if (p + HEIGHT <= to && first + WIDTH <= sum.b()[0].length) {
          addTile(sum, p, first, columns, p - from, panels[panel], terms);
        } else {
          addEdge(sum, p, first, columns, p - from, panels[panel], terms, tile);
        }
      }
    }
  }

  private static void addTile(
      AffineMap.Sum sum, int p, int first, float[] columns, int column, float[] panel, int terms) {
    int[] places = sum.places();
    MatrixTiles.addOuter(
        sum.c(),
        places[p] + first,
        places[p + 1] + first,
        places[p + 2] + first,
        places[p + 3] + first,
        sum.first(),
        columns,
        column,
        panel,
        terms);
  }

  /** Adds to a tile that reaches beyond c. */
  private static void addEdge(
      AffineMap.Sum sum,
      int p,
      int first,
      float[] columns,
      int column,
      float[] panel,
      int terms,
      float[] tile) {
    int[] places = sum.places();
    int height = Math.min(HEIGHT, places.length - p);
    int width = Math.min(WIDTH, sum.b()[0].length - first);
    Arrays.fill(tile, 0);
    for (int r = 0; r < height && !sum.first(); r++) {
      System.arraycopy(sum.c(), places[p + r] + first, tile, r * WIDTH, width);
    }
    MatrixTiles.addOuter(
        tile, 0, WIDTH, 2 * WIDTH, 3 * WIDTH, false, columns, column, panel, terms);
    for (int r = 0; r < height; r++) {
      System.arraycopy(tile, r * WIDTH, sum.c(), places[p + r] + first, width);
    }
  }
}
