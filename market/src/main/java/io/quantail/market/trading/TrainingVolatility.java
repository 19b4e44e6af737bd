package io.quantail.market.trading;

import io.quantail.market.data.DataException;
import io.quantail.market.split.BarRange;
import io.quantail.math.Percentiles;
import io.quantail.risk.EmpiricalCvar;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Volatility of the training bars of all symbols, from which the budget of {@link RiskUnits} and
 * the baseline with an expected-shortfall target are computed. Tested by {@code
 * TrainingVolatilityTest}.
 *
 * @param median median of the EWMA volatility σ at the closes of training
 * @param tailMultiple c = −CVaR_alpha of ln(C[t+1] / C[t]) / σ[t], both bars in training: the mean
 *     loss of the worst bars, in units of the volatility before them
 */
public record TrainingVolatility(double median, double tailMultiple) {

  /**
   * Measures the training bars.
   *
   * @param training range of each symbol
   * @param alpha fraction of the worst bars, {@code risk.alpha}
   * @return empty if no two training bars have a volatility
   */
  public static Optional<TrainingVolatility> fit(
      List<Instrument> instruments, List<BarRange> training, double alpha) {
    double[] volatilities = new double[training.stream().mapToInt(BarRange::size).sum()];
    double[] returns = new double[volatilities.length];
    int count = 0;
    int pairs = 0;
    for (int symbol = 0; symbol < instruments.size(); symbol++) {
      Instrument instrument = instruments.get(symbol);
      BarRange range = training.get(symbol);
      for (int t = range.from(); t < range.to(); t++) {
        double volatility = instrument.volatility()[t];
        if (!(volatility > 0)) {
          continue; // warm-up, or prices that never moved
        }
        volatilities[count++] = volatility;
        if (t + 1 < range.to()) {
          double move = Math.log(instrument.bars().close(t + 1) / instrument.bars().close(t));
          returns[pairs++] = move / volatility;
        }
      }
    }
    if (pairs == 0) {
      return Optional.empty();
    }
    return Optional.of(
        new TrainingVolatility(
            Percentiles.of(Arrays.copyOf(volatilities, count)).at(0.5),
            -EmpiricalCvar.empirical(Arrays.copyOf(returns, pairs), alpha, 0).cvar()));
  }

  /**
   * The volatility at which full investment has an expected shortfall of the limit: |limit| / c;
   * empty if the worst bars of training gained.
   *
   * @param limit lower bound of the CVaR of a bar's log-return; negative
   */
  public OptionalDouble target(double limit) {
    return tailMultiple > 0 ? OptionalDouble.of(-limit / tailMultiple) : OptionalDouble.empty();
  }

  /**
   * The budget of risk units: {@link #target} with a limit, else the median volatility of training.
   *
   * @param limit lower bound of the CVaR of a bar's log-return; negative
   * @throws DataException if there is a limit and the worst bars of training gained
   */
  public RiskUnits units(OptionalDouble limit) {
    if (limit.isEmpty()) {
      return new RiskUnits(median);
    }
    return new RiskUnits(
        target(limit.getAsDouble())
            .orElseThrow(
                () ->
                    new DataException(
                        "market.action.unit risk needs losses in the training bars to size"
                            + " positions by risk.limit: the mean of the worst bars is a gain;"
                            + " train on more bars, or set market.action.unit to weight")));
  }
}
