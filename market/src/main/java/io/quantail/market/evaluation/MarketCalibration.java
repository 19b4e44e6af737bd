package io.quantail.market.evaluation;

import io.quantail.calibration.CalibrationSummary;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.ForecastSeries;
import io.quantail.market.performance.ForecastCalibration;
import io.quantail.run.evaluation.DataPart;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How well the critics' predictions fit the returns of a pass over each symbol's bars.
 *
 * @param bars which bars: {@code train}, {@code validation}, or {@code data} for those of {@code
 *     --data}
 * @param measured over all symbols
 */
public record MarketCalibration(String bars, CalibrationSummary measured) {
  private static final double ENOUGH = 200;

  /** The calibration on passes over a part of the bars; empty if they are too short. */
  static Optional<MarketCalibration> of(
      DataPart part, List<BacktestResult> passes, List<ForecastSeries> forecasts, double gamma) {
    String bars = part.name().toLowerCase(Locale.ROOT);
    return ForecastCalibration.pooled(passes, forecasts, gamma)
        .map(measured -> new MarketCalibration(bars, measured));
  }

  /** Bars and numbers, to be put after the word "calibration". */
  public String text() {
    return String.format(
        Locale.ROOT,
        "on the %s bars: coverage 5 %%: %.3f, 20 %%: %.3f, 50 %%: %.3f, 95 %%: %.3f;"
            + " PIT deviation %.3f; %s independent%s",
        bars.equals("data") ? "given" : bars,
        measured.coverage05(),
        measured.coverage20(),
        measured.coverage50(),
        measured.coverage95(),
        measured.pitDeviation(),
        independent(),
        measured.independent() < ENOUGH ? ", too few for a conclusion" : "");
  }

  private String independent() {
    return String.format(
        Locale.ROOT, measured.independent() < 10 ? "%.1f" : "%,.0f", measured.independent());
  }
}
