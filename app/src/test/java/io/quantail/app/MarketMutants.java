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
              "double price = reference * (1 + Math.copySign(slip, amount));",
              "double price = reference;"),
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
              "folds.stream().map(fold -> fold.range(SplitPart.TRAIN)).toList()",
              "bars.stream().map(b -> new BarRange(0, b.size())).toList()"));
}
