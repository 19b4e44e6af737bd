package io.quantail.kernel;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reusable scratch rows for one pass. {@link #reset} makes all rows available again, so that the
 * next pass finds them in the cache instead of allocating and clearing new ones. Not thread-safe.
 */
public final class Workspace {
  private final Map<Integer, Pool> pools = new HashMap<>(); // by width
  private @Nullable Workspace scratch;

  private static final class Pool {
    float[][] rows = {};
    int used;
  }

  /** Rows with undefined contents. */
  public float[][] rows(int count, int width) {
    Pool pool = pools.computeIfAbsent(width, any -> new Pool());
    int first = pool.used;
    int last = first + count;
    if (last > pool.rows.length) {
      int known = pool.rows.length;
      pool.rows = Arrays.copyOf(pool.rows, last);
      for (int row = known; row < last; row++) {
        pool.rows[row] = new float[width];
      }
    }
    pool.used = last;
    return Arrays.copyOfRange(pool.rows, first, last);
  }

  /** Rows of zeros. */
  public float[][] zeros(int count, int width) {
    float[][] rows = rows(count, width);
    for (float[] row : rows) {
      Arrays.fill(row, 0);
    }
    return rows;
  }

  /** Another workspace, whose rows are valid until the next call of this method. */
  Workspace scratch() {
    if (scratch == null) {
      scratch = new Workspace();
    }
    scratch.reset();
    return scratch;
  }

  /** Makes all rows available again; rows returned before must no longer be used. */
  public void reset() {
    pools.values().forEach(pool -> pool.used = 0);
  }
}
