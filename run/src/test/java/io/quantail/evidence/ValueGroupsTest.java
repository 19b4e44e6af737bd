package io.quantail.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Intervals of long series, of which groups of neighbours are drawn. */
class ValueGroupsTest {
  private static final int RESAMPLES = 1_000;

  @Test
  void shouldDrawSingleValuesOfASeriesThatIsNotLong() {
    ValueGroups single = ValueGroups.of(40_000);
    assertThat(single.count()).isEqualTo(40_000);
    assertThat(single.size(39_999)).isEqualTo(1);
    assertThat(single.bandwidth(2.5)).isEqualTo(3);
    assertThat(ValueGroups.of(3).sums(new double[] {1, 2, 4})).containsExactly(1, 2, 4);
  }

  @Test
  void shouldCoverEveryValueOfALongSeriesOnce() {
    ValueGroups groups = ValueGroups.of(100_001);
    assertThat(groups.count()).isEqualTo(5_000);
    int[] sizes = new int[groups.count()];
    for (int group : groups.ofValues()) {
      sizes[group]++;
    }
    for (int group = 0; group < sizes.length; group++) {
      assertThat(groups.size(group)).isEqualTo(sizes[group]).isBetween(20, 21);
    }
    double[] ones = new double[100_001];
    Arrays.fill(ones, 1);
    assertThat(Arrays.stream(groups.sums(ones)).sum()).isEqualTo(100_001);
    assertThat(groups.bandwidth(1.5)).isEqualTo(1);
    assertThat(groups.bandwidth(401)).isEqualTo(21);
  }

  /** The same series as single values and in groups: all intervals agree but for their noise. */
  @Test
  void shouldGiveTheIntervalsOfSingleValues() {
    double[] agent = dependent(40_000, 1);
    double[] market = dependent(40_000, 2);
    double[] more = Arrays.copyOf(agent, 40_001); // one value more, so that groups are drawn
    double[] moreMarket = Arrays.copyOf(market, 40_001);

    double[] differences = MeanDifference.differences(agent, market);
    MeanDifference single =
        MeanDifference.of(differences, 1, new StationaryBootstrap(1, RESAMPLES, 3));
    MeanDifference grouped = MeanDifference.of(more, moreMarket, 3);
    agree(grouped.interval(), single.interval());

    agree(
        SharpeBootstrap.interval(more, 252, 0.95, 3),
        SharpeBootstrap.interval(agent, 252, 0.95, 3));

    SharpeDifference ratios = SharpeDifference.of(agent, market, RESAMPLES, 3);
    SharpeDifference groupedRatios = SharpeDifference.of(more, moreMarket, 3);
    agree(groupedRatios.interval(), ratios.interval());
    assertThat(groupedRatios.standardError())
        .isCloseTo(ratios.standardError(), within(0.06 * ratios.standardError()));

    AlphaBeta line = AlphaBeta.of(agent, market, RESAMPLES, 3);
    AlphaBeta groupedLine = AlphaBeta.of(more, moreMarket, 3);
    agree(groupedLine.alphaInterval(), line.alphaInterval());
    agree(groupedLine.betaInterval(), line.betaInterval());

    LimitVerdict tail = LimitVerdict.ofBars(agent, 0.05, -0.05, RESAMPLES, 3);
    LimitVerdict groupedTail = LimitVerdict.ofBars(more, 0.05, -0.05, 3);
    assertThat(groupedTail.studentised()).isTrue();
    agree(groupedTail.interval(), tail.interval());
  }

  /** Ends within a tenth of the width of the interval. */
  private static void agree(ConfidenceInterval grouped, ConfidenceInterval single) {
    double width = single.high() - single.low();
    assertThat(grouped.low()).isCloseTo(single.low(), within(0.1 * width));
    assertThat(grouped.high()).isCloseTo(single.high(), within(0.1 * width));
  }

  /** Returns whose size depends on that of the one before. */
  private static double[] dependent(int size, int seed) {
    RandomStream random = RandomStream.of(seed, "test", 0);
    double[] returns = new double[size];
    double variance = 1e-4;
    for (int t = 0; t < size; t++) {
      returns[t] = 1e-4 + Math.sqrt(variance) * random.nextGaussian();
      variance = 1e-5 + 0.8 * variance + 0.1 * returns[t] * returns[t];
    }
    return returns;
  }
}
