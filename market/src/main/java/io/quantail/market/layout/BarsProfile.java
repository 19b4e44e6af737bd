package io.quantail.market.layout;

import io.quantail.market.data.Bars;
import io.quantail.market.data.GapFinder;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * What the bars of a symbol show.
 *
 * @param bars the bars
 * @param gaps number of gaps of each kind
 * @param longestUnexplained the longest gap that nothing explains, in milliseconds; 0 if there is
 *     none
 * @param medianMoney median of the money traded in a bar; 0 if volumes are not known
 * @param split index of the first bar that opens as after a split of the shares; empty if none does
 */
public record BarsProfile(
    Bars bars,
    Map<GapFinder.Kind, Integer> gaps,
    long longestUnexplained,
    double medianMoney,
    OptionalInt split) {
  private static final double SPLIT_TOLERANCE = 0.05;
  private static final int LARGEST_SPLIT = 50;

  /**
   * Describes bars.
   *
   * @param bars bars of one symbol
   * @return gaps, money and splits
   */
  public static BarsProfile of(Bars bars) {
    long[] times = IntStream.range(0, bars.size()).mapToLong(bars::time).toArray();
    List<GapFinder.Gap> found = GapFinder.of(times, bars.barMillis());
    Map<GapFinder.Kind, Integer> gaps = new EnumMap<>(GapFinder.Kind.class);
    found.forEach(gap -> gaps.merge(gap.kind(), 1, Integer::sum));
    long longest =
        found.stream()
            .filter(gap -> gap.kind() == GapFinder.Kind.UNEXPLAINED)
            .mapToLong(GapFinder.Gap::millis)
            .max()
            .orElse(0);
    double[] money =
        IntStream.range(0, bars.size()).mapToDouble(bars::quoteVolume).sorted().toArray();
    return new BarsProfile(bars, gaps, longest, money[money.length / 2], split(bars, gaps));
  }

  /** Number of gaps of a kind. */
  public int gaps(GapFinder.Kind kind) {
    return gaps.getOrDefault(kind, 0);
  }

  /** Number of all gaps. */
  public int gapCount() {
    return gaps.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Whether the market closes, at night or on weekends. */
  public boolean hasSessions() {
    return gaps(GapFinder.Kind.NIGHT) + gaps(GapFinder.Kind.WEEKEND) > 0;
  }

  /**
   * The first bar of a market with sessions whose open is a whole fraction or multiple of the
   * previous close, from 2 to 50, while it is an outlier among the moves.
   */
  private static OptionalInt split(Bars bars, Map<GapFinder.Kind, Integer> gaps) {
    boolean sessions =
        gaps.containsKey(GapFinder.Kind.NIGHT) || gaps.containsKey(GapFinder.Kind.WEEKEND);
    if (!sessions || bars.size() < 10) {
      return OptionalInt.empty();
    }
    double[] moves = new double[bars.size()];
    Arrays.setAll(moves, t -> t == 0 ? 0 : Math.abs(Math.log(bars.open(t) / bars.close(t - 1))));
    double typical = Arrays.stream(moves).sorted().toArray()[moves.length / 2];
    return IntStream.range(1, bars.size())
        .filter(t -> moves[t] > 12 * typical && isSplit(bars.open(t) / bars.close(t - 1)))
        .findFirst();
  }

  private static boolean isSplit(double ratio) {
    double factor = Math.max(ratio, 1 / ratio);
    double whole = Math.rint(factor);
    return whole >= 2 && whole <= LARGEST_SPLIT && Math.abs(factor / whole - 1) < SPLIT_TOLERANCE;
  }
}
