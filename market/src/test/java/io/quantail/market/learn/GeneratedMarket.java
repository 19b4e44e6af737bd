package io.quantail.market.learn;

import io.quantail.calibration.CalibrationSummary;
import io.quantail.config.RunConfig;
import io.quantail.market.Market;
import io.quantail.market.MarketConfig;
import io.quantail.market.MarketEnvironments;
import io.quantail.market.MarketProvider;
import io.quantail.market.SampleBars;
import io.quantail.market.backtest.AgentTradingPolicy;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.TradingPolicy;
import io.quantail.market.data.Bars;
import io.quantail.market.performance.ForecastCalibration;
import io.quantail.market.performance.Performance;
import io.quantail.market.split.SplitPart;
import io.quantail.market.synthetic.MarketModel;
import io.quantail.market.synthetic.Optimum;
import io.quantail.market.synthetic.SyntheticMarketGenerator;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.run.settings.YamlConfig;
import io.quantail.train.Trainer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A market whose law is known, an agent trained in it, and the best that could have been done.
 *
 * @param name of the configuration in {@code configs/market/generated}
 * @param model the law, with the numbers of {@code data generate}
 * @param oracle whether the agent sees the next return
 */
record GeneratedMarket(String name, MarketModel model, boolean oracle) {
  static final GeneratedMarket ORACLE =
      new GeneratedMarket("oracle", new MarketModel.Noise(0.01), true);
  static final GeneratedMarket MEAN_REVERSION =
      new GeneratedMarket("mean-reversion", new MarketModel.MeanReversion(0.9, 0.01), false);
  static final GeneratedMarket TREND =
      new GeneratedMarket("trend", new MarketModel.Trend(0.0005, 0.01), false);
  static final GeneratedMarket NOISE =
      new GeneratedMarket("noise", new MarketModel.Noise(0.01), false);

  /** Overrides that leave an agent as it was born: one update, whose steps are invisibly small. */
  static final String[] UNTRAINED = {"training.steps=4096", "optimizer.learningRate=1e-9"};

  private static final Path CONFIGS =
      Path.of(System.getProperty("quantail.root"), "configs", "market", "generated");

  /**
   * On bars that the agent has not learnt from.
   *
   * @param growth of the logarithm of the agent's account, per bar
   * @param optimum the same of the best policy, traded through the same books on the same bars; 0
   *     in pure noise, where the best is to do nothing
   * @param exposureChange mean absolute change of weight per bar
   * @param calibration of the critics' predictions; null without enough bars
   */
  record Score(
      double growth,
      double optimum,
      double exposureChange,
      @Nullable CalibrationSummary calibration) {
    double share() {
      return growth / optimum;
    }

    /** The bar of pure noise, which is absolute: there is no optimum to have a share of. */
    boolean isCalm() {
      return exposureChange < 0.02 && returnPerThousandBars() >= -0.01;
    }

    double returnPerThousandBars() {
      return Math.expm1(1000 * growth);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "growth per bar %.6f, optimum %.6f%s, exposure change %.4f, %+.2f %% per 1,000 bars",
          growth,
          optimum,
          optimum == 0 ? "" : String.format(Locale.ROOT, " (%.1f %%)", 100 * share()),
          exposureChange,
          100 * returnPerThousandBars());
    }
  }

  /**
   * @param seed of the bars and of the agent
   * @param bars how many, those for the test included
   */
  Score train(long seed, int bars, String... overrides) {
    List<String> settings = new ArrayList<>(List.of(overrides));
    settings.add("seed=" + seed);
    settings.add("training.threads=1");
    RunConfig config = YamlConfig.load(CONFIGS.resolve(name + ".yaml"), settings);
    MarketConfig rules = MarketProvider.settings(config);
    Bars generated = SyntheticMarketGenerator.generate(model, bars, SampleBars.HOUR, seed, oracle);
    Market market = Market.load(rules, config.risk(), List.of(generated));
    try (Trainer trainer = new Trainer(config, MarketEnvironments.training(market))) {
      while (!trainer.finished()) {
        trainer.iterate();
      }
      AgentTradingPolicy policy =
          AgentTradingPolicy.forecasting(trainer.agent(), trainer.returnScale(), config.risk());
      BacktestResult agent = Backtest.run(market.pass(0, SplitPart.TEST), "agent", policy);
      return new Score(
          growth(agent),
          optimum(market, generated),
          Performance.of(agent, seed).exposureChange(),
          ForecastCalibration.pooled(List.of(agent), policy.forecasts(), config.rollout().gamma())
              .orElse(null));
    }
  }

  private static double growth(BacktestResult result) {
    double[] equity = result.series().equity();
    return Math.log(equity[equity.length - 1] / result.initialEquity()) / equity.length;
  }

  private double optimum(Market market, Bars bars) {
    MarketConfig rules = market.config();
    double cost = (rules.execution().takerBps() + rules.execution().halfSpreadBps()) / 1e4;
    double[] weights = rules.action().levels().stream().mapToDouble(Double::doubleValue).toArray();
    TradingEnvironment account = market.pass(0, SplitPart.TEST);
    if (oracle) {
      return Optimum.ofPath(bars, account.range(), cost, weights) / (account.range().size() - 1);
    }
    Optimum best = Optimum.of(model, cost, weights);
    return growth(Backtest.run(account, "optimum", policy(best, bars)));
  }

  private static TradingPolicy policy(Optimum best, Bars bars) {
    return new TradingPolicy() {
      @Override
      public void begin() {
        // decides by the account alone
      }

      @Override
      public double weight(TradingEnvironment account, float[] observation) {
        double state = bars.extra(SyntheticMarketGenerator.STATE, account.bar());
        return best.weight(state, account.account().exposure(account.bar()));
      }
    };
  }
}
