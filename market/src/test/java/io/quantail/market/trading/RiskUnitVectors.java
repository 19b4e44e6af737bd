package io.quantail.market.trading;

import io.quantail.market.SampleBars;
import io.quantail.market.split.BarRange;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Volatility, budget and weights of actions in risk units. */
public final class RiskUnitVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("risk_units", this::checkUnits);
  }

  private void checkUnits(VectorCase vector) {
    Instrument instrument = SampleBars.instrument(SampleBars.ofCloses(vector.doubles("closes")));
    double[] volatility = instrument.volatility();
    vector.expect("volatility", volatility);
    RiskUnits units = new RiskUnits(vector.number("budget"));
    double[] weights = vector.doubles("actions");
    Arrays.setAll(weights, t -> units.weight(weights[t], volatility[t]));
    vector.expect("weights", weights);
    TrainingVolatility training =
        TrainingVolatility.fit(
                List.of(instrument),
                List.of(new BarRange(0, vector.integer("first_test_bar"))),
                vector.number("alpha"))
            .orElseThrow();
    vector.expect(
        "budget_with_limit", training.units(OptionalDouble.of(vector.number("limit"))).budget());
    vector.expect("budget_without_limit", training.units(OptionalDouble.empty()).budget());
  }
}
