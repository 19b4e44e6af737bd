package io.quantail.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.evidence.ConfidenceInterval;
import io.quantail.market.forecast.ForecastResult;
import io.quantail.market.forecast.ForecastResult.Level;
import io.quantail.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;

@Requirement("EVID-12")
class ForecastTextTest {
  private static Level level(
      double alpha, int exceedances, double coverage, double depth, boolean rejected) {
    return new Level(
        alpha,
        exceedances,
        alpha * 2_000,
        coverage,
        coverage,
        0.5,
        0.5,
        0,
        depth,
        rejected ? "yellow" : "green",
        rejected,
        0,
        0,
        new ConfidenceInterval(-1, 1));
  }

  private static ForecastResult result(Level... levels) {
    return new ForecastResult(2_000, 0, 0, null, List.of(levels));
  }

  private static String sentence(ForecastResult... results) {
    return ForecastText.sentence(List.of(results)).orElseThrow();
  }

  @Test
  void shouldSayHowOftenLossesExceededVarAndThatNoTestRejects() {
    assertThat(
            sentence(result(level(0.05, 106, 0.6, 0.4, false), level(0.025, 52, 0.7, 0.5, false))))
        .isEqualTo(
            "Losses exceeded the forecast VaR at 5 % in 5.3 % of 2,000 bars; the tests do not reject"
                + " it at 5 and 2.5 %, traffic light green.");
  }

  @Test
  void shouldCountTheTestsThatRejectAndNameTheirLevels() {
    Level deep = level(0.01, 20, 0.5, 0.01, true);
    assertThat(
            sentence(
                result(level(0.05, 100, 0.6, 0.4, false), level(0.025, 50, 1, 1, false), deep)))
        .endsWith("; 1 of 3 tests rejects it at 1 %, traffic light green.");
    assertThat(sentence(result(level(0.05, 200, 0.001, 0.002, true), deep)))
        .endsWith("; 2 of 3 tests reject it at 5 and 1 %, traffic light yellow.");
  }

  @Test
  void shouldPoolSeveralAccounts() {
    ForecastResult right = result(level(0.05, 100, 0.6, 0.4, false));
    ForecastResult wrong = result(level(0.05, 200, 0.001, 0.4, true));
    ForecastResult untested = new ForecastResult(3, 0, 0, "too few", List.of());
    assertThat(sentence(right, wrong))
        .isEqualTo(
            "Losses exceeded the forecast VaR at 5 % in 7.5 % of 4,000 bars; the tests reject the"
                + " forecasts of 1 of 2 accounts.");
    assertThat(sentence(right, untested)).endsWith("0 of 1 accounts; 1 could not be tested.");
    assertThat(sentence(untested))
        .isEqualTo("The forecast of the next bar cannot be tested: too few.");
    assertThat(sentence(new ForecastResult(0, 2_000, 0, "0 values", List.of())))
        .isEqualTo(
            "The forecast of the next bar cannot be tested: there was neither a position nor an order"
                + " on these bars.");
    assertThat(ForecastText.sentence(List.of())).isEmpty();
  }
}
