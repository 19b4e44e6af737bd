package io.quantail.app;

import static io.quantail.app.MutantSubject.MARKET;

import java.util.List;

/** Faults in markets and their accounts. */
final class MarketMutants {
  private MarketMutants() {}

  static final List<Mutant> ALL =
      List.of(
          Mutant.of(
              "a feature uses the next bar",
              MARKET,
              "features-see-no-future",
              "market/feature/PriceFeatures",
              "(bars.close(t) - bars.open(t)) / bars.close(t)",
              "(bars.close(Math.min(t + 1, bars.size() - 1)) - bars.open(t)) /" + " bars.close(t)"),
          Mutant.of(
              "slippage is ignored",
              MARKET,
              "books-from-fills",
              "market/execution/TradingAccount",
              "return reference * (1 + Math.copySign(slip, amount));",
              "return reference;"),
          Mutant.of(
              "orders are filled at the close of the decision",
              MARKET,
              "books-from-fills",
              "market/execution/TradingAccount",
              "double reference = prices.open(t + 1);",
              "double reference = prices.close(t);"),
          Mutant.of(
              "features are scaled with all bars",
              MARKET,
              "scale-from-training-alone",
              "market/Market",
              "FeatureScaler.fit(TrainingBars.tables(parts), TrainingBars.ranges(parts))",
              "FeatureScaler.fit(tables,"
                  + " bars.stream().map(b -> new BarRange(0, b.size())).toList())"),
          Mutant.of(
              "risk units are fitted to all bars",
              MARKET,
              "scale-from-training-alone",
              "market/Market",
              "volatility(training, risk);",
              "TrainingVolatility.fit(instruments,"
                  + " bars.stream().map(b -> new BarRange(0, b.size())).toList(),"
                  + " risk.alpha()).orElse(null);"),
          Mutant.of(
              "features beyond the training percentiles are cut",
              MARKET,
              "features-are-scaled",
              "market/feature/FeatureScaler",
              "within + compressed(value - within)",
              "within"),
          Mutant.of(
              "risk units use the volatility of the next bar",
              MARKET,
              "decisions-see-no-future",
              "market/trading/TradingEnvironment",
              "instrument.volatility()[bar]",
              "instrument.volatility()[Math.min(bar + 1, instrument.volatility().length - 1)]"),
          Mutant.of(
              "the budget of risk units ignores the tail",
              MARKET,
              "risk-units-from-volatility",
              "market/trading/TrainingVolatility",
              "-limit / tailMultiple",
              "-limit"),
          Mutant.of(
              "actions in risk units are plain weights",
              MARKET,
              "risk-units-from-volatility",
              "market/trading/RiskUnits",
              "Math.min(1, budget / volatility)",
              "1"),
          Mutant.of(
              "forecasts know the volatility of the next bar",
              MARKET,
              "forecast-rows-from-account",
              "market/forecast/RowRecorder",
              "account.instrument().volatility()[account.bar()]",
              "account.instrument().volatility()[account.bar() + 1]"),
          Mutant.of(
              "forecasts ignore the weight",
              MARKET,
              "forecast-rows-from-account",
              "market/forecast/ForecastRow",
              "Math.max(Math.abs(weight), LEAST_WEIGHT)",
              "1"));
}
