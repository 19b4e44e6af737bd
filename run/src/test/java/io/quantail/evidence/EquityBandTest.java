package io.quantail.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The band of an account against the quantiles of a known distribution. */
@Requirement("REP-2")
class EquityBandTest {
  private static final int[] BARS = {0, 100, 400};

  /** The sum of n independent resampled returns is normal: mean n m, deviation √n s. */
  @Test
  void shouldHaveTheQuantilesOfIndependentReturns() {
    RandomStream random = RandomStream.of(5, "band", 0);
    double[] returns = new double[400];
    Arrays.setAll(returns, t -> (t % 2 == 0 ? 1 : -1) * 0.01 + 0.001);
    for (int t = returns.length - 1; t > 0; t--) { // in random order
      int other = (int) (random.nextDouble() * (t + 1));
      double value = returns[t];
      returns[t] = returns[other];
      returns[other] = value;
    }
    EquityBand band = EquityBand.of(returns, BARS, 1).orElseThrow();
    assertThat(band.bars()).isEqualTo(BARS);
    assertThat(band.low()[0]).isZero();
    assertThat(band.high()[0]).isZero();
    for (int point = 1; point < BARS.length; point++) {
      double middle = 0.001 * BARS[point];
      double reach = 1.645 * 0.01 * Math.sqrt(BARS[point]);
      assertThat(Math.log1p(band.low()[point])).isCloseTo(middle - reach, within(0.3 * reach));
      assertThat(Math.log1p(band.high()[point])).isCloseTo(middle + reach, within(0.3 * reach));
    }
    assertThat(band.blockLength()).isGreaterThanOrEqualTo(1);
  }

  @Test
  void shouldDependOnTheSeedOnly() {
    double[] returns = new double[60];
    Arrays.setAll(returns, t -> 0.01 * Math.sin(t));
    int[] bars = {30, 60};
    EquityBand first = EquityBand.of(returns, bars, 1).orElseThrow();
    assertThat(EquityBand.of(returns, bars, 1).orElseThrow().low()).isEqualTo(first.low());
    assertThat(EquityBand.of(returns, bars, 2).orElseThrow().low()).isNotEqualTo(first.low());
  }

  @Test
  void shouldHaveNoBandOfFewOrConstantReturns() {
    double[] few = new double[29];
    few[3] = 0.1;
    assertThat(EquityBand.of(few, new int[] {29}, 1)).isEmpty();
    assertThat(EquityBand.of(new double[40], new int[] {40}, 1)).isEmpty();
  }
}
