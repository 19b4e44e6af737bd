package io.quantail.app;

import io.quantail.config.RunConfig;
import io.quantail.critic.ReturnScale;
import io.quantail.env.EnvironmentFactory;
import io.quantail.market.backtest.ForecastingPolicy;
import io.quantail.market.desk.Bundle;
import io.quantail.market.desk.Comparison;
import io.quantail.market.setup.Market;
import io.quantail.rollout.Agent;
import java.nio.file.Path;
import java.util.List;

/**
 * One pass over a part of each symbol's bars with the agent's most likely actions, beside
 * buy-and-hold, flat and random.
 *
 * @param config of the run
 * @param market the bars
 * @param part which of them
 * @param seed of the random baseline and of the bootstrap
 */
record MarketAssessment(RunConfig config, Market market, MarketPart part, long seed)
    implements Assessment {
  MarketAssessment {
    // Too few bars are refused here, not after hours of training.
    for (int symbol = 0; symbol < market.instruments().size(); symbol++) {
      market.pass(symbol, part.split());
    }
  }

  @Override
  public EnvironmentFactory environments() {
    return index -> market.pass(index % market.instruments().size(), part.split());
  }

  @Override
  public void prepare(Path directory) {
    Bundle.of(market).write(directory);
  }

  @Override
  public Verdict judge(Agent agent, ReturnScale scale) {
    ForecastingPolicy policy = new ForecastingPolicy(agent, scale, config.risk());
    List<Comparison> symbols = Comparison.of(market, part.split(), policy, seed);
    return new MarketVerdict(
        part, symbols, new MarketVerdict.Evidence(policy.forecasts(), market.fingerprints(), seed));
  }
}
