package io.quantail.market.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.evidence.QuantileForecast;
import io.quantail.evidence.TailBacktest;
import io.quantail.evidence.VarCoverage;
import io.quantail.math.StandardNormal;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForecastResultTest {
  private static final NextBarForecaster NORMAL = new NextBarForecaster(1, 4, 1);

  /** A pass of normal returns with the given deviation, in units of a forecast of 1 %. */
  private static ForecastPass pass(int bars, double deviation, double alpha) {
    RandomStream random = RandomStream.of(6, "result", 0);
    List<ForecastRow> rows = new ArrayList<>();
    rows.add(new ForecastRow(new float[2], 0.01, 0, true));
    for (int i = 0; i < bars; i++) {
      rows.add(
          new ForecastRow(new float[2], 0.01, 0.01 * deviation * random.nextGaussian(), false));
    }
    rows.add(new ForecastRow(new float[2], Double.NaN, 0.01, false));
    return ForecastPass.of(NORMAL, rows, alpha);
  }

  @Test
  void shouldLeaveOutBarsWithoutPosition() {
    ForecastPass pass = pass(3, 1, 0.05);
    assertThat(pass.idle()).isEqualTo(1);
    assertThat(pass.returns()).hasSize(3);
    assertThat(pass.tail().var()).hasSize(5);
    assertThat(pass.tail().var()[0]).isNaN();
    assertThat(pass.tail().var()[4]).as("no volatility").isNaN();
    assertThat(pass.tail().var()[1]).isCloseTo(0.01 * StandardNormal.quantile(0.05), within(1e-9));
    assertThat(pass.tail().cvar()[1]).isLessThan(pass.tail().var()[1]);
  }

  @Test
  void shouldTestAtEachLevelOnce() {
    ForecastResult result = ForecastResult.of(pass(400, 1, 0.025), 1);
    assertThat(result.refusal()).isNull();
    assertThat(result.levels())
        .extracting(ForecastResult.Level::alpha)
        .containsExactly(0.025, 0.01);
    ForecastResult.Level level = result.levels().get(0);
    ForecastPass pass = pass(400, 1, 0.025);
    TailBacktest test =
        TailBacktest.of(pass.returns(), pass.forecasts(), new double[] {0.025}, 1).get(0);
    VarCoverage coverage = test.coverage();
    assertThat(level.exceedances()).isEqualTo(coverage.exceedances().count());
    assertThat(level.expected()).isCloseTo(10, within(1e-12));
    assertThat(level.coveragePValue()).isEqualTo(coverage.coveragePValue());
    assertThat(level.depth()).isEqualTo(test.depth());
    assertThat(level.score()).isEqualTo(test.meanScore());
    assertThat(level.rejected()).isFalse();
    assertThat(level.tests()).startsWith("At 2.5 % the forecast is not rejected: ");
    assertThat(ForecastResult.tailLevel(0.9)).isEqualTo(0.05);
    assertThat(ForecastResult.tailLevel(0.1)).isEqualTo(0.1);
  }

  @Test
  void shouldRejectAForecastThatIsTooNarrow() {
    ForecastResult.Level level = ForecastResult.of(pass(400, 2, 0.05), 1).levels().get(0);
    assertThat(level.rejected()).isTrue();
    assertThat(level.light()).isEqualTo("red");
    assertThat(level.tests())
        .startsWith("At 5 % the forecast is rejected: ")
        .endsWith("bars fell below VaR, 20.0 were expected.");
  }

  @Test
  void shouldSayThatThereWasNoExceedance() {
    ForecastResult result = ForecastResult.of(pass(100, 0.1, 0.05), 1);
    assertThat(result.levels().get(2).tests())
        .isEqualTo(
            "At 1 % the forecast is not rejected: no bar fell below VaR, 1.0 were expected, too"
                + " few bars to confirm it.");
    assertThat(result.levels().get(0).tests())
        .isEqualTo("At 5 % the forecast is rejected: no bar fell below VaR, 5.0 were expected.");
  }

  /**
   * Bars with certain gains have neither depth nor score; many of them are no forecast of a tail.
   */
  @Test
  void shouldLeaveOutAFewForecastsWithoutLosses() {
    assertThat(ForecastResult.of(withGains(2), 1).gains()).isEqualTo(2);
    assertThat(ForecastResult.of(withGains(2), 1).levels().get(0).expected())
        .isCloseTo(0.05 * 198, within(1e-9));
    ForecastResult many = ForecastResult.of(withGains(3), 1);
    assertThat(many.gains()).isEqualTo(3);
    assertThat(many.refusal()).contains("which is not a loss");
  }

  /** 200 bars, of which some are certain to gain. */
  private static ForecastPass withGains(int gains) {
    ForecastPass pass = pass(200, 1, 0.05);
    double[] sure = NextBarForecaster.levels();
    List<QuantileForecast> forecasts = new ArrayList<>(pass.forecasts());
    for (int i = 0; i < gains; i++) {
      double[] above = Arrays.stream(sure).map(level -> 0.1 + level).toArray();
      forecasts.set(50 * i, new QuantileForecast(sure, above));
    }
    return new ForecastPass(pass.tail(), forecasts, pass.returns(), pass.units(), pass.idle());
  }

  @Test
  void shouldSayThatThereAreTooFewBars() {
    ForecastResult few = ForecastResult.of(pass(29, 1, 0.05), 1);
    assertThat(few.levels()).isEmpty();
    assertThat(few.bars()).isEqualTo(29);
    assertThat(few.refusal()).contains("29").contains("at least 30");
    assertThat(ForecastResult.of(pass(0, 1, 0.05), 1).refusal()).contains("at least 30");
  }
}
