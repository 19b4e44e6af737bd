package io.quantail.kernel;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Lends the rows of a pass and takes all of them back for the next one, which finds them in the
 * cache instead of having them allocated and cleared. One thread at a time.
 */
public final class Workspace {
  private final Map<Integer, Shelf> shelves = new HashMap<>(); // by width
  private Workspace scratch;

  private static final class Shelf {
    float[][] rows = {};
    int lent;
  }

  /** Rows that hold anything. */
  public float[][] rows(int count, int width) {
    Shelf shelf = shelves.computeIfAbsent(width, any -> new Shelf());
    int first = shelf.lent;
    int last = first + count;
    if (last > shelf.rows.length) {
      int known = shelf.rows.length;
      shelf.rows = Arrays.copyOf(shelf.rows, last);
      for (int row = known; row < last; row++) {
        shelf.rows[row] = new float[width];
      }
    }
    shelf.lent = last;
    return Arrays.copyOfRange(shelf.rows, first, last);
  }

  /** Rows of zeros. */
  public float[][] zeros(int count, int width) {
    float[][] rows = rows(count, width);
    for (float[] row : rows) {
      Arrays.fill(row, 0);
    }
    return rows;
  }

  /** Another workspace, for what is only needed until it is asked for again. */
  Workspace scratch() {
    if (scratch == null) {
      scratch = new Workspace();
    }
    scratch.reset();
    return scratch;
  }

  /** Takes everything back: what was lent must no longer be used. */
  public void reset() {
    shelves.values().forEach(shelf -> shelf.lent = 0);
  }
}
