package io.quantail.market.performance;

import io.quantail.market.backtest.BacktestResult;
import java.util.ArrayList;
import java.util.List;

/**
 * How long the positions of a pass were held. A position is a sequence of bars whose weights have
 * one sign; its return is that of the account from the close before it to the close that ends it,
 * after costs. A position that is open at the end counts as marked. {@code HoldingTimesTest} has
 * numbers worked by hand.
 *
 * @param positions number of positions
 * @param medianBars median number of bars; NaN without positions
 * @param longestBars largest number of bars; 0 without positions
 * @param winRate fraction of positions with a gain; NaN without positions
 */
public record HoldingTimes(int positions, double medianBars, int longestBars, double winRate) {

  /** One position. */
  private record Position(int bars, double change) {}

  /** The positions of a pass. */
  public static HoldingTimes of(BacktestResult pass) {
    List<Position> positions = positions(pass);
    int count = positions.size();
    if (count == 0) {
      return new HoldingTimes(0, Double.NaN, 0, Double.NaN);
    }
    int[] bars = positions.stream().mapToInt(Position::bars).sorted().toArray();
    double wins = positions.stream().filter(position -> position.change() > 0).count();
    return new HoldingTimes(
        count, (bars[(count - 1) / 2] + bars[count / 2]) / 2.0, bars[count - 1], wins / count);
  }

  private static List<Position> positions(BacktestResult pass) {
    List<Position> positions = new ArrayList<>();
    double[] exposures = pass.series().exposures();
    double[] equity = pass.series().equity();
    double before = pass.initialEquity();
    double start = before;
    double side = 0;
    int first = 0;
    for (int i = 0; i < exposures.length; i++) {
      double now = Math.signum(exposures[i]);
      if (now != side) {
        if (side != 0) {
          // The bar that closes a position belongs to its return; one that reverses it, to the
          // next.
          double end = now == 0 ? equity[i] : before;
          positions.add(new Position(i - first, end / start - 1));
        }
        start = before;
        side = now;
        first = i;
      }
      before = equity[i];
    }
    if (side != 0) {
      positions.add(new Position(exposures.length - first, before / start - 1));
    }
    return positions;
  }
}
