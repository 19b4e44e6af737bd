package io.quantail.market.evaluation;

import io.quantail.calibration.RealisedReturns;
import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.market.MarketProvider;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.CombinedAccount;
import io.quantail.run.evaluation.EpisodeLimit;
import io.quantail.run.evaluation.LimitEstimate;
import io.quantail.run.evaluation.LimitEstimate.Samples;
import io.quantail.run.evaluation.LimitPart;
import io.quantail.run.evaluation.LimitPart.WorstWindow;
import io.quantail.run.evaluation.LimitPart.WorstYear;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the CVaR limit of a run on passes over bars. Samples are the log-returns of bars for
 * {@code rewards}, windows of the calibration horizon for {@code returns}, and windows of {@code
 * market.episode.bars} for {@code episodes}; windows do not overlap.
 *
 * @param config of the run, with a limit
 * @param seed of the bootstrap
 */
public record MarketLimit(RunConfig config, long seed) {

  /**
   * Measures one part.
   *
   * @param part name of the part
   * @param passes of the agent, one for each symbol
   */
  public LimitPart measure(String part, List<BacktestResult> passes) {
    RiskConfig risk = config.risk();
    CombinedAccount account = CombinedAccount.of(passes);
    double[] returns = account.logReturns();
    boolean ruined = passes.size() == 1 && passes.get(0).ruined();
    boolean bars = risk.measure() == RiskConfig.Measure.REWARDS;
    Map<String, LimitEstimate> symbols = new LinkedHashMap<>();
    if (passes.size() > 1) {
      passes.forEach(
          pass -> symbols.put(pass.symbol(), estimate(samples(pass.logReturns(), pass.ruined()))));
    }
    return new LimitPart(
        part,
        estimate(samples(returns, ruined)),
        bars ? null : estimate(new Samples("bars", false, returns)),
        WorstYear.of(returns, account.times(), risk).orElse(null),
        WorstWindow.of(returns, account.times(), risk).orElse(null),
        symbols);
  }

  private LimitEstimate estimate(Samples samples) {
    return LimitEstimate.of(samples, config.risk(), seed);
  }

  private Samples samples(double[] returns, boolean ended) {
    return switch (config.risk().measure()) {
      case REWARDS -> new Samples("bars", false, returns);
      case RETURNS -> {
        double gamma = config.rollout().gamma();
        yield windows(returns, ended, RealisedReturns.horizon(gamma), gamma);
      }
      case EPISODES -> windows(returns, ended, episodeBars(), 1);
    };
  }

  private int episodeBars() {
    return MarketProvider.settings(config).episode().bars();
  }

  private static Samples windows(double[] returns, boolean ended, long length, double gamma) {
    return new Samples(
        EpisodeLimit.windowUnit("bars", length),
        true,
        EpisodeLimit.windows(returns, ended, length, gamma));
  }
}
