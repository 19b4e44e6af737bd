package io.quantail.network;

import io.quantail.kernel.FloatVectors;

/**
 * Hidden and cell states of all LSTM layers between two steps. Rows may be shared between states
 * and are never changed.
 *
 * @param hidden hidden state, [layer][environment][width], the layers of all trunks in order
 * @param cell cell state, same shape
 */
public record RecurrentState(float[][][] hidden, float[][][] cell) {

  /** The state at the start of an episode. */
  public static RecurrentState zeros(int slots, int environments, int width) {
    return new RecurrentState(
        new float[slots][environments][width], new float[slots][environments][width]);
  }

  /** A state from numbers laid out as [layer, environment, width]. */
  public static RecurrentState of(float[] hidden, float[] cell, int slots, int width) {
    return new RecurrentState(planes(hidden, slots, width), planes(cell, slots, width));
  }

  private static float[][][] planes(float[] flat, int slots, int width) {
    float[][] rows = FloatVectors.split(flat, width);
    float[][][] planes = new float[slots][rows.length / Math.max(1, slots)][];
    for (int row = 0; row < rows.length; row++) {
      planes[row / planes[0].length][row % planes[0].length] = rows[row];
    }
    return planes;
  }

  /** {@link #hidden} or {@link #cell} in one array. */
  public static float[] flat(float[][][] planes) {
    int environments = planes.length == 0 ? 0 : planes[0].length;
    float[][] rows = new float[planes.length * environments][];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = planes[row / environments][row % environments];
    }
    return rows.length == 0 ? new float[0] : FloatVectors.join(rows, 0, rows[0].length);
  }

  /** This state with the environments that start an episode set to zero. */
  public RecurrentState startEpisodes(boolean[] starts) {
    return new RecurrentState(zeroWhere(starts, hidden), zeroWhere(starts, cell));
  }

  /** The state of some of the environments, in the order given. */
  public RecurrentState select(int[] environments) {
    return new RecurrentState(select(hidden, environments), select(cell, environments));
  }

  private static float[][][] select(float[][][] planes, int[] environments) {
    float[][][] result = new float[planes.length][environments.length][];
    for (int slot = 0; slot < planes.length; slot++) {
      for (int i = 0; i < environments.length; i++) {
        result[slot][i] = planes[slot][environments[i]];
      }
    }
    return result;
  }

  private static float[][][] zeroWhere(boolean[] starts, float[][][] planes) {
    float[][][] result = new float[planes.length][starts.length][];
    for (int slot = 0; slot < planes.length; slot++) {
      for (int environment = 0; environment < starts.length; environment++) {
        float[] row = planes[slot][environment];
        result[slot][environment] = starts[environment] ? new float[row.length] : row;
      }
    }
    return result;
  }
}
