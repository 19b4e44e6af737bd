package io.quantail.telemetry;

import io.quantail.network.RecurrentState;
import java.util.ArrayList;
import java.util.List;

/**
 * Statistics of the recurrent state of one layer.
 *
 * <p>A hidden unit lies in (-1, 1); near its bounds it hardly changes and passes no gradient. The
 * cell state has no bounds, so it shows an explosion first.
 *
 * @param mean mean over environments and units
 * @param std population standard deviation over environments and units
 * @param norm root mean square over environments of the length of the hidden vector
 * @param saturated fraction of units beyond {@value #SATURATION} in magnitude
 * @param cellMaxAbs largest absolute cell state
 */
public record HiddenStateStatistics(
    double mean, double std, double norm, double saturated, double cellMaxAbs) {
  private static final double SATURATION = 0.95;

  /** One record per recurrent layer, over the environments of several groups. */
  public static List<HiddenStateStatistics> of(List<RecurrentState> states, int slots) {
    List<HiddenStateStatistics> statistics = new ArrayList<>();
    for (int slot = 0; slot < slots; slot++) {
      statistics.add(of(states, slot, new Sums()));
    }
    return statistics;
  }

  private static HiddenStateStatistics of(List<RecurrentState> states, int slot, Sums sums) {
    for (RecurrentState state : states) {
      for (float[] hidden : state.hidden()[slot]) {
        sums.addHidden(hidden);
      }
      for (float[] cell : state.cell()[slot]) {
        sums.addCell(cell);
      }
    }
    return sums.statistics();
  }

  /** Running sums. */
  private static final class Sums {
    private double sum;
    private double squares;
    private long count;
    private long rows;
    private long saturated;
    private double cellMaxAbs;

    void addHidden(float[] hidden) {
      for (float unit : hidden) {
        sum += unit;
        squares += (double) unit * unit;
        saturated += Math.abs(unit) > SATURATION ? 1 : 0;
      }
      count += hidden.length;
      rows++;
    }

    void addCell(float[] cell) {
      for (float unit : cell) {
        cellMaxAbs = Math.max(cellMaxAbs, Math.abs(unit));
      }
    }

    HiddenStateStatistics statistics() {
      double mean = sum / count;
      return new HiddenStateStatistics(
          mean,
          Math.sqrt(Math.max(0, squares / count - mean * mean)),
          Math.sqrt(squares / rows),
          (double) saturated / count,
          cellMaxAbs);
    }
  }
}
