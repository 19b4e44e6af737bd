package io.quantail.market.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.market.SampleBars;
import io.quantail.market.data.Bars;
import io.quantail.market.execution.ExecutionSettings;
import io.quantail.market.execution.PriceSeries;
import io.quantail.market.execution.TradingAccount;
import io.quantail.market.split.BarRange;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("DATA-2")
class OptimumTest {
  private static final double[] LONG = {0, 0.5, 1};
  private static final double COST = 15e-4;

  @Test
  void shouldHoldATrendAndEarnItsDrift() {
    Optimum optimum = Optimum.of(new MarketModel.Trend(0.002, 0.01), COST, LONG);
    assertThat(optimum.growthPerBar()).isCloseTo(0.002, within(1e-9));
    assertThat(optimum.weight(0, 0)).isEqualTo(1);
    Optimum falling = Optimum.of(new MarketModel.Trend(-0.002, 0.01), COST, LONG);
    assertThat(falling.growthPerBar()).isCloseTo(0, within(1e-12));
    assertThat(falling.weight(0, 1)).isZero();
  }

  @Test
  void shouldBetKellysFractionOnAWildTrend() {
    // Without log-drift the simple drift is half the variance, and half the account is best.
    Optimum optimum = Optimum.of(new MarketModel.Trend(0, 0.1), 0, LONG);
    assertThat(optimum.weight(0, 0)).isEqualTo(0.5);
    // Growth of a constant weight w: w (drift + v/2) − w² v/2, up to higher orders.
    assertThat(optimum.growthPerBar()).isCloseTo(0.5 * 0.005 - 0.25 * 0.005, within(5e-5));
  }

  @Test
  void shouldLeaveNoiseAlone() {
    Optimum optimum = Optimum.of(new MarketModel.Noise(0.02), COST, -1, -0.5, 0, 0.5, 1);
    assertThat(optimum.growthPerBar()).isCloseTo(0, within(1e-12));
    assertThat(optimum.weight(0, 1)).isZero();
  }

  @Test
  void shouldFollowRegimesThatLast() {
    MarketModel.RegimeSwitch lasting = new MarketModel.RegimeSwitch(0.004, 0.01, 0.01);
    Optimum optimum = Optimum.of(lasting, COST, LONG);
    assertThat(optimum.weight(1, 0)).isEqualTo(1);
    assertThat(optimum.weight(-1, 1)).isZero();
    // Half of the time up; a switch costs 15 bps and comes every hundred bars.
    assertThat(optimum.growthPerBar())
        .isCloseTo(0.5 * 0.004 + 0.01 * Math.log1p(-COST), within(1e-6));
    // Where sides change too often to pay for following, the best is to stay out.
    Optimum nervous = Optimum.of(new MarketModel.RegimeSwitch(0.0005, 0.01, 0.5), COST, 0, 1);
    assertThat(nervous.growthPerBar()).isCloseTo(0, within(1e-9));
  }

  @Test
  void shouldEarnThroughTheBooksWhatItPromises() {
    MarketModel model = new MarketModel.MeanReversion(0.9, 0.01);
    Optimum optimum = Optimum.of(model, COST, LONG);
    Bars bars = SyntheticMarketGenerator.generate(model, 200_001, SampleBars.HOUR, 3, false);
    ExecutionSettings settings =
        new ExecutionSettings(10, 5, 0, 500, 1, null, 0, 0, 0.1, 0, 10_000);
    TradingAccount account = new TradingAccount(new PriceSeries(bars, 1), settings);
    double start = Math.log(account.equity());
    for (int t = 0; t < 200_000; t++) {
      double state = bars.extra(SyntheticMarketGenerator.STATE, t);
      account.step(t, optimum.weight(state, account.exposure(t)));
    }
    double growth = (Math.log(account.equity()) - start) / 200_000;
    assertThat(optimum.growthPerBar()).isGreaterThan(2e-4);
    assertThat(growth).isCloseTo(optimum.growthPerBar(), within(0.05 * optimum.growthPerBar()));
  }

  @Test
  void shouldAgreeWithAllPathsOfWeights() {
    Bars bars = SampleBars.random(7, 21);
    double best = Double.NEGATIVE_INFINITY;
    for (int code = 0; code < 729; code++) {
      double value = 0;
      double held = 0;
      int rest = code;
      for (int t = 0; t < 6; t++) {
        double weight = LONG[rest % 3];
        rest /= 3;
        value += Math.log(1 + held * (bars.open(t + 1) / bars.close(t) - 1));
        value += Math.log(1 - COST * Math.abs(weight - held));
        value += Math.log(1 + weight * (bars.close(t + 1) / bars.open(t + 1) - 1));
        held = weight;
      }
      best = Math.max(best, value);
    }
    assertThat(Optimum.ofPath(bars, new BarRange(0, 7), COST, LONG)).isCloseTo(best, within(1e-12));
  }

  @Test
  void shouldGenerateTheLawItPromises() {
    Bars trend =
        SyntheticMarketGenerator.generate(
            new MarketModel.Trend(0.001, 0.01), 100_000, SampleBars.HOUR, 5, true);
    double sum = 0;
    double squares = 0;
    for (int t = 1; t < trend.size(); t++) {
      double move = Math.log(trend.close(t) / trend.close(t - 1));
      sum += move;
      squares += (move - 0.001) * (move - 0.001);
      assertThat(trend.extra(SyntheticMarketGenerator.ORACLE, t - 1)).isCloseTo(move, within(1e-9));
      assertThat(trend.open(t)).isEqualTo(trend.close(t - 1));
      assertThat(trend.high(t)).isGreaterThanOrEqualTo(Math.max(trend.open(t), trend.close(t)));
      assertThat(trend.low(t)).isLessThanOrEqualTo(Math.min(trend.open(t), trend.close(t)));
    }
    assertThat(sum / 99_999).isCloseTo(0.001, within(1.5e-4));
    assertThat(Math.sqrt(squares / 99_999)).isCloseTo(0.01, within(1e-4));
    Bars reverting =
        SyntheticMarketGenerator.generate(
            new MarketModel.MeanReversion(0.95, 0.01), 1000, SampleBars.HOUR, 5, false);
    for (int t = 0; t < 1000; t++) {
      double deviation = Math.log(reverting.close(t) / 100);
      assertThat(reverting.extra(SyntheticMarketGenerator.STATE, t))
          .isCloseTo(deviation, within(1e-9));
    }
    MarketModel jumps = new MarketModel.Jumps(0, 0.001, 0.01, 0.05);
    Bars jumping = SyntheticMarketGenerator.generate(jumps, 10_000, SampleBars.HOUR, 6, false);
    int large = 0;
    for (int t = 1; t < jumping.size(); t++) {
      large += Math.abs(Math.log(jumping.close(t) / jumping.close(t - 1))) > 0.005 ? 1 : 0;
    }
    assertThat(large).isBetween(60, 140);
    assertThat(
            SyntheticMarketGenerator.generate(jumps, 100, SampleBars.HOUR, 6, false).fingerprint())
        .isEqualTo(
            SyntheticMarketGenerator.generate(jumps, 100, SampleBars.HOUR, 6, false).fingerprint())
        .isNotEqualTo(
            SyntheticMarketGenerator.generate(jumps, 100, SampleBars.HOUR, 7, false).fingerprint());
  }
}
