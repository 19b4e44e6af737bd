package io.quantail.market.forecast;

import io.quantail.evidence.QuantileForecast;
import io.quantail.market.SampleBars;
import io.quantail.market.trading.Instrument;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.Map;

/** Loss, reading and targets of the forecast of the next bar. */
public final class ForecastVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("next_bar_head", this::checkForecast, "next_bar_targets", this::checkTargets);
  }

  private void checkForecast(VectorCase vector) {
    double[] levels = vector.doubles("levels");
    double[] quantiles = vector.doubles("quantiles");
    QuantileForecast forecast = new QuantileForecast(levels, quantiles);
    double[] alphas = vector.doubles("alphas");
    vector.expect(
        "draws", Arrays.stream(vector.doubles("draw_levels")).map(forecast::draw).toArray());
    vector.expect("var", Arrays.stream(alphas).map(forecast::quantile).toArray());
    vector.expect("cvar", Arrays.stream(alphas).map(forecast::cvar).toArray());
    double[] gradient = new double[levels.length];
    vector.expect("loss", PinballLoss.of(levels, quantiles, vector.number("target"), gradient));
    vector.expect("gradient", gradient);
  }

  private void checkTargets(VectorCase vector) {
    Instrument instrument = SampleBars.instrument(SampleBars.ofCloses(vector.doubles("closes")));
    double[] weights = vector.doubles("ordered_weights");
    double[] returns = vector.doubles("account_log_returns");
    double[] scale = new double[weights.length];
    double[] target = new double[weights.length];
    for (int t = 0; t < weights.length; t++) {
      double unit = ForecastRow.unit(instrument.volatility()[t], weights[t]);
      scale[t] = unit;
      target[t] = new ForecastRow(new float[0], unit, returns[t], false).target();
    }
    vector.expect("scale", scale);
    vector.expect("target", target);
  }
}
