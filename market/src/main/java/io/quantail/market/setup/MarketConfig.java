package io.quantail.market.setup;

import io.quantail.config.Check;
import io.quantail.market.execution.ExecutionSettings;
import io.quantail.market.risk.RiskLimits;
import io.quantail.market.split.SplitSettings;
import io.quantail.market.split.WalkForwardSettings;
import io.quantail.market.trading.EpisodeSettings;
import io.quantail.market.trading.TradingRules;

/**
 * Market settings of a run; section {@code market}.
 *
 * @param data section {@code market.data}
 * @param features section {@code market.features}
 * @param execution section {@code market.execution}
 * @param action section {@code market.action}
 * @param episode section {@code market.episode}
 * @param risk section {@code market.risk}
 * @param split section {@code market.split}
 * @param walkforward section {@code market.walkforward}
 */
public record MarketConfig(
    DataSettings data,
    FeatureSettings features,
    ExecutionSettings execution,
    ActionSettings action,
    EpisodeSettings episode,
    RiskLimits risk,
    SplitSettings split,
    WalkForwardSettings walkforward) {
  public MarketConfig {
    Check.present("market.data", data);
    Check.present("market.features", features);
    Check.present("market.execution", execution);
    Check.present("market.action", action);
    Check.present("market.episode", episode);
    Check.present("market.risk", risk);
    Check.present("market.split", split);
    Check.present("market.walkforward", walkforward);
  }

  /** The default settings. */
  public static MarketConfig defaults() {
    return new MarketConfig(
        DataSettings.defaults(),
        FeatureSettings.defaults(),
        ExecutionSettings.defaults(),
        ActionSettings.defaults(),
        EpisodeSettings.defaults(),
        RiskLimits.defaults(),
        SplitSettings.defaults(),
        WalkForwardSettings.defaults());
  }

  /** Actions, costs, limits and episodes of every account. */
  public TradingRules rules() {
    return new TradingRules(action.map(), execution, risk, episode);
  }
}
