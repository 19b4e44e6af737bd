package io.quantail.market.stress;

import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsBuilder;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.Map;
import java.util.function.IntToDoubleFunction;

/** Bars of a replayed path, units that are kept, and doubled volatility. */
public final class StressVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "stress_shocks_and_path", this::checkPath, "stress_volatility_doubled", this::checkDoubled);
  }

  private void checkPath(VectorCase vector) {
    double[] shocks = vector.doubles("shocks");
    double[][] instant =
        Arrays.stream(vector.doubles("weights"))
            .mapToObj(
                weight ->
                    Arrays.stream(shocks)
                        .map(shock -> StressTest.instant(weight, shock).orElse(Double.NaN))
                        .toArray())
            .toArray(double[][]::new);
    vector.expect("shock_log_returns", instant);
    double close = vector.number("close");
    Bars start = new BarsBuilder("X", 1).add(1, close, close, close, close, 1).build();
    Bars bars = StressBars.append(start, vector.doubles("path_log_returns"), 42);
    compare(vector, vector.expected("bars").get("open"), bars, 1, bars::open);
    compare(vector, vector.expected("bars").get("high"), bars, 1, bars::high);
    compare(vector, vector.expected("bars").get("low"), bars, 1, bars::low);
    compare(vector, vector.expected("bars").get("close"), bars, 1, bars::close);
    double first = vector.number("equity");
    double pathWeight = vector.number("path_weight");
    double[] held = StressTest.held(first * (1 - pathWeight), first * pathWeight / close, bars, 1);
    vector.expect("held_equity", held);
    vector.expect("held_drawdown", StressOutcome.of(first, held, false).maxDrawdown());
  }

  private void checkDoubled(VectorCase vector) {
    double[] open = vector.doubles("open");
    double[] high = vector.doubles("high");
    double[] low = vector.doubles("low");
    double[] close = vector.doubles("close");
    BarsBuilder given = new BarsBuilder("X", 1);
    for (int t = 0; t < open.length; t++) {
      given.add(t + 1, open[t], high[t], low[t], close[t], 1);
    }
    Bars bars = StressBars.withVolatility(given.build(), vector.number("factor"));
    vector.expect("open", column(bars, 0, bars::open));
    vector.expect("high", column(bars, 0, bars::high));
    vector.expect("low", column(bars, 0, bars::low));
    vector.expect("close", column(bars, 0, bars::close));
  }

  private static void compare(
      VectorCase vector,
      com.fasterxml.jackson.databind.JsonNode expected,
      Bars bars,
      int from,
      IntToDoubleFunction value) {
    vector.compareWith("bars", expected, column(bars, from, value));
  }

  private static double[] column(Bars bars, int from, IntToDoubleFunction value) {
    double[] column = new double[bars.size() - from];
    Arrays.setAll(column, t -> value.applyAsDouble(from + t));
    return column;
  }
}
