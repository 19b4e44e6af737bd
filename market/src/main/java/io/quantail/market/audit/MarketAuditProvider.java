package io.quantail.market.audit;

import static io.quantail.audit.AuditCheck.check;

import io.quantail.audit.AuditCheck;
import io.quantail.audit.AuditProvider;
import io.quantail.audit.AuditSubject;
import io.quantail.market.Market;
import io.quantail.market.MarketEnvironments;
import io.quantail.market.data.Bars;
import io.quantail.market.trading.TrainingRange;
import java.util.List;

/** Provides the checks of market runs. */
public final class MarketAuditProvider implements AuditProvider {
  private static final int BARS = 400; // after the warm-up

  @Override
  public List<AuditCheck> checks(AuditSubject subject) {
    if (!(subject.factory() instanceof MarketEnvironments episodes)) {
      return List.of();
    }
    Market market = episodes.market();
    return AuditCheck.topic(
        "market",
        check("features-see-no-future", "FEAT-2", any -> LookAheadChecks.features(market))
            .compares(
                "every feature at a bar before and after all later bars, the next one, or their"
                    + " number were changed")
            .exercises("FeatureMatrix PriceFeatures IndicatorFeatures VolatilityEstimators"),
        check(
                "decisions-see-no-future",
                "FEAT-2",
                audited -> LookAheadChecks.decisions(market, audited.agent()))
            .compares("observations and decisions of the agent, in the same way")
            .exercises("TradingEnvironment FeatureMatrix PolicyRunner"),
        check("scale-from-training-alone", "FEAT-1 SPLIT-1", any -> LookAheadChecks.scale(market))
            .compares(
                "scale and observations of training with those computed from the training bars"
                    + " alone; in a purged split all other bars are changed")
            .exercises("Market FeatureScaler BarSplitter"),
        check("features-are-scaled", "FEAT-1", any -> ScalingChecks.values(market))
            .compares(
                "scaled features of all bars with the formula, inside and beyond the training"
                    + " percentiles")
            .exercises("FeatureScaler FeatureMatrix"),
        check("risk-units-from-volatility", "EVID-1", any -> RiskUnitChecks.weights(market))
            .compares(
                "weights of random actions in risk units with the action times budget over"
                    + " volatility, both computed from closes")
            .exercises("RiskUnits TrainingVolatility TradingEnvironment VolatilityEstimators")
            .failureMeans("positions are not sized by the volatility of the market"),
        check("forecast-rows-from-account", "EVID-9", any -> ForecastChecks.rows(market))
            .compares(
                "units and returns that the forecast of the next bar learns from, for a random"
                    + " account, with the volatility of closes times the ordered weight and the"
                    + " change of equity")
            .exercises("ForecastRow RowRecorder TradingEnvironment TradingAccount")
            .failureMeans("the forecast learns from other returns than those of the account"),
        check("flat-earns-nothing", "EPI-2", any -> AccountingChecks.flat(market))
            .compares("equity of an account that never trades with its initial cash")
            .exercises("TradingAccount TradingEnvironment")
            .failureMeans("an account without orders gains or loses money"),
        check("full-exposure-is-buy-and-hold", "EPI-2", any -> AccountingChecks.buyAndHold(market))
            .compares("equity of full exposure without frictions with last close over first open")
            .exercises("TradingAccount PriceSeries"),
        check("books-from-fills", "EXEC-1 EXEC-2", any -> AccountingChecks.books(market))
            .compares(
                "equity, fees, slippage and borrowing of a random account, bar by bar, with a"
                    + " reference account computed from prices and target weights")
            .exercises("TradingAccount PriceSeries TargetWeightMap"),
        check("reward-is-log-equity", "EXEC-2 EPI-2", any -> AccountingChecks.rewards(market))
            .compares("sum of rewards with the logarithm of last over first equity")
            .exercises("TradingEnvironment TradingAccount"),
        check("signal-is-evaluation", "SIG-1", audited -> ParityChecks.signal(market, audited))
            .compares("target weights of signal, given bars up to some bar, with those of evaluate")
            .exercises("TradingSignal AgentTradingPolicy Backtest PolicyRunner")
            .failureMeans("live decisions differ from the evaluated ones"),
        check(
                "training-sees-what-signal-sees",
                "SIG-1 FEAT-2",
                any -> ParityChecks.training(market))
            .compares(
                "features of a training environment at random bars with those computed from earlier"
                    + " bars alone")
            .exercises("TradingEnvironment FeatureMatrix FeatureScaler")
            .failureMeans("the agent is trained on other observations than it gets live"));
  }

  /** The first bars of the first symbol: the warm-up and a few more. */
  static Bars firstBars(Market market) {
    Bars bars = market.bars().get(0);
    return bars.slice(0, Math.min(bars.size(), warmup(market) + BARS));
  }

  /** The first range of training bars in which an episode fits. */
  static TrainingRange trainingRange(Market market) {
    return market.training().stream()
        .filter(range -> range.starts(market.rules()) > 0)
        .findFirst()
        .orElseThrow();
  }

  static int warmup(Market market) {
    return market.config().features().spec().warmupBars();
  }

  /** A market of other bars with the feature scale of this one. */
  static Market seenAlone(Market market, Bars bars) {
    return market.onOtherBars(List.of(bars));
  }
}
