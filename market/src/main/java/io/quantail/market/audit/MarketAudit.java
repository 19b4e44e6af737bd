package io.quantail.market.audit;

import io.quantail.audit.AuditCheck;
import io.quantail.audit.AuditProvider;
import io.quantail.audit.AuditSubject;
import io.quantail.audit.Outcome;
import io.quantail.market.data.Bars;
import io.quantail.market.setup.Market;
import io.quantail.market.setup.MarketEnvironments;
import java.util.List;

/** The checks of runs in markets. */
public final class MarketAudit implements AuditProvider {
  private static final String TOPIC = "market";
  private static final int BARS = 400; // after the warm-up

  @Override
  public List<AuditCheck> checks(AuditSubject subject) {
    if (!(subject.factory() instanceof MarketEnvironments episodes)) {
      return List.of();
    }
    Market market = episodes.market();
    return List.of(
        check(
                "features-see-no-future",
                "FEAT-2",
                "every feature at a bar before and after all later bars, the next one, or their"
                    + " existence were changed",
                any -> LeakChecks.features(market))
            .exercising("FeatureMatrix PriceFeatures Indicators Volatility"),
        check(
                "decisions-see-no-future",
                "FEAT-2",
                "what the agent sees and decides, compared in the same way",
                audited -> LeakChecks.decisions(market, audited.agent()))
            .exercising("TradingEnvironment FeatureMatrix PolicyRunner"),
        check(
                "scale-from-training-alone",
                "FEAT-1 SPLIT-1",
                "scale of the features with that of the training bars when nothing follows them",
                any -> LeakChecks.scale(market))
            .exercising("Market FeatureScaler Splitter"),
        check(
                "flat-earns-nothing",
                "EPI-2",
                "equity of an account that never trades with its first cash",
                any -> BookChecks.flat(market))
            .exercising("Execution TradingEnvironment"),
        check(
                "full-exposure-is-buy-and-hold",
                "EPI-2",
                "equity of full exposure without frictions with last close over first open",
                any -> BookChecks.buyAndHold(market))
            .exercising("Execution PriceSeries"),
        check(
                "books-from-fills",
                "EXEC-1 EXEC-2",
                "equity, fees, slippage and borrowing of a random account, bar by bar, with books kept"
                    + " by slow code from prices and wanted weights",
                any -> BookChecks.books(market))
            .exercising("Execution PriceSeries ActionMap"),
        check(
                "reward-is-log-equity",
                "EXEC-2 EPI-2",
                "sum of rewards with the logarithm of last over first equity",
                any -> BookChecks.rewards(market))
            .exercising("TradingEnvironment Execution"),
        check(
                "signal-is-evaluation",
                "SIG-1",
                "weights that signal wants, given bars up to some bar alone, with those of evaluate",
                audited -> ParityChecks.signal(market, audited))
            .exercising("Signal AgentTradingPolicy Backtest PolicyRunner"),
        check(
                "training-sees-what-signal-sees",
                "SIG-1 FEAT-2",
                "features of a training environment at random bars with those made from earlier bars"
                    + " alone",
                any -> ParityChecks.training(market))
            .exercising("TradingEnvironment FeatureMatrix FeatureScaler"));
  }

  private static AuditCheck check(
      String name, String requirements, String compares, AuditCheck.Procedure procedure) {
    return AuditCheck.of(TOPIC, name, requirements, compares, procedure);
  }

  /** The first bars of the first symbol: the warm-up and a few more. */
  static Bars firstBars(Market market) {
    Bars bars = market.bars().get(0);
    return bars.slice(0, Math.min(bars.size(), warmup(market) + BARS));
  }

  static int warmup(Market market) {
    return market.config().features().spec().warmupBars();
  }

  /** Other bars, seen with the market's scale; all of them are to be traded in. */
  static Market seenAlone(Market market, Bars bars) {
    return Market.onOtherBars(market.config(), List.of(bars), market.scaler());
  }

  static Outcome exact(int wrong, int all, String meaning) {
    return Outcome.of(
        wrong == 0, "%d of %d differ".formatted(wrong, all), "0", wrong == 0 ? "" : meaning);
  }
}
