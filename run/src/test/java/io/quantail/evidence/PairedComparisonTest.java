package io.quantail.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.evidence.EvidenceException.Kind;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Mean and Sharpe differences, alpha and beta. */
class PairedComparisonTest {
  private static final double[] MARKET = ReturnProcess.NORMAL.draw("market", 0, 500);
  private static final double[] OTHER = ReturnProcess.NORMAL.draw("other", 0, 500);

  @Test
  void shouldFindNoDifferenceBetweenASeriesAndItself() {
    MeanDifference mean = MeanDifference.of(MARKET, MARKET, 1);
    assertThat(mean.difference()).isZero();
    assertThat(mean.interval()).isEqualTo(new ConfidenceInterval(0, 0));
    assertThat(mean.fractionAbove0()).isZero();
    SharpeDifference sharpe = SharpeDifference.of(MARKET, MARKET, 1);
    assertThat(sharpe.difference()).isZero();
    assertThat(sharpe.interval().contains(0)).isTrue();
    assertThat(sharpe.pValue()).isEqualTo(1);
  }

  @Test
  void shouldFindALargeDifference() {
    double[] better = Arrays.stream(OTHER).map(value -> value + 0.4).toArray();
    MeanDifference mean = MeanDifference.of(better, MARKET, 1);
    assertThat(mean.interval().low()).isPositive();
    assertThat(mean.fractionAbove0()).isEqualTo(1);
    SharpeDifference sharpe = SharpeDifference.of(better, MARKET, 1);
    assertThat(sharpe.interval().low()).isPositive();
    assertThat(sharpe.pValue()).isLessThan(0.001);
    assertThat(SharpeDifference.of(better, MARKET, 1)).isEqualTo(sharpe);
  }

  @Test
  void shouldRecoverALineAndRefuseAMarketThatStandsStill() {
    double[] agent = new double[MARKET.length];
    Arrays.setAll(agent, t -> 0.25 + 0.6 * MARKET[t]);
    AlphaBeta exact = AlphaBeta.of(agent, MARKET, 200, 1);
    assertThat(exact.alpha()).isCloseTo(0.25, within(1e-12));
    assertThat(exact.beta()).isCloseTo(0.6, within(1e-12));
    assertThat(exact.alphaInterval().low()).isCloseTo(0.25, within(1e-12));
    Arrays.setAll(agent, t -> 0.25 + 0.6 * MARKET[t] + OTHER[t]);
    AlphaBeta noisy = AlphaBeta.of(agent, MARKET, 1_000, 1);
    assertThat(noisy.alphaInterval().contains(0.25)).isTrue();
    assertThat(noisy.betaInterval().contains(0.6)).isTrue();
    // The error of either is 1/sqrt(500) for a deviation of 1: intervals are 4 x 0.045 wide.
    assertThat(noisy.alphaInterval().high() - noisy.alphaInterval().low())
        .isCloseTo(0.18, within(0.04));
    double[] still = new double[500];
    assertThatThrownBy(() -> AlphaBeta.of(agent, still, 1))
        .isInstanceOfSatisfying(
            EvidenceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NO_SPREAD));
    double[] onceMoved = still.clone();
    onceMoved[7] = 1; // absent from more than a third of the resamples
    assertThatThrownBy(() -> AlphaBeta.of(agent, onceMoved, 1))
        .isInstanceOfSatisfying(
            EvidenceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NO_SPREAD));
    assertThatThrownBy(() -> SharpeDifference.of(onceMoved, agent, 1))
        .isInstanceOfSatisfying(
            EvidenceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NO_SPREAD));
  }

  @Test
  void shouldCoverTheTruth() {
    // 3 standard deviations below 93 % in 100 series are 85 %; 2,000 series have 94 to 95 %.
    assertThat(Arrays.stream(covered(100, 300)).min().orElseThrow()).isGreaterThan(0.85);
  }

  @Test
  @Tag("learning")
  void shouldCoverTheTruthInManySeries() {
    assertThat(Arrays.stream(covered(2_000, 500)).min().orElseThrow()).isGreaterThan(0.91);
  }

  /** Coverage by the intervals of the mean, of the Sharpe ratio, of alpha and of beta. */
  private static double[] covered(int series, int resamples) {
    double[] rates = new double[4];
    for (int i = 0; i < series; i++) {
      double[] market = ReturnProcess.GARCH.draw("covered-market", i, 500);
      double[] noise = ReturnProcess.GARCH.draw("covered-noise", i, 500);
      double[] agent = new double[500];
      Arrays.setAll(agent, t -> 0.5 * market[t] + Math.sqrt(0.75) * noise[t]);
      double[] differences = MeanDifference.differences(agent, market);
      double length = BlockLength.of(differences).length();
      MeanDifference mean =
          MeanDifference.of(differences, length, new StationaryBootstrap(length, resamples, i));
      rates[0] += mean.interval().contains(0) ? 1.0 / series : 0;
      SharpeDifference sharpe = SharpeDifference.of(agent, market, resamples, i);
      rates[1] += sharpe.interval().contains(0) ? 1.0 / series : 0;
      AlphaBeta line = AlphaBeta.of(agent, market, resamples, i);
      rates[2] += line.alphaInterval().contains(0) ? 1.0 / series : 0;
      rates[3] += line.betaInterval().contains(0.5) ? 1.0 / series : 0;
    }
    System.out.printf(
        "coverage of 95 %% intervals in %d series of 500 GARCH returns: mean %.3f, Sharpe ratio %.3f,"
            + " alpha %.3f, beta %.3f%n",
        series, rates[0], rates[1], rates[2], rates[3]);
    return rates;
  }
}
