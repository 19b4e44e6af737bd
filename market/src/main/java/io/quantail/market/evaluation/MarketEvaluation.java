package io.quantail.market.evaluation;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.market.Market;
import io.quantail.market.MarketEnvironments;
import io.quantail.market.MarketManifest;
import io.quantail.market.backtest.AgentTradingPolicy;
import io.quantail.market.split.SplitPart;
import io.quantail.model.Agent;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.value.ReturnScale;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Evaluation by one pass over a part of each symbol's bars with the agent's most likely actions,
 * next to buy-and-hold, flat and random.
 *
 * @param config of the run
 * @param market bars, features and trading rules
 * @param part bars to trade
 * @param seed of the random baseline and of the bootstrap
 */
public record MarketEvaluation(RunConfig config, Market market, DataPart part, long seed)
    implements EvaluationProtocol {
  public MarketEvaluation {
    MarketEnvironments.passes(market, split(part)); // refuses too few bars before training
  }

  private static SplitPart split(DataPart part) {
    return part == DataPart.DATA ? SplitPart.TEST : SplitPart.valueOf(part.name());
  }

  @Override
  public EnvironmentFactory environments() {
    return MarketEnvironments.passes(market, split(part));
  }

  @Override
  public String scoreDescription() {
    return "log of final over first equity on the %s bars%s"
        .formatted(
            part.name().toLowerCase(Locale.ROOT),
            part == DataPart.VALIDATION ? " (the test bars are unseen)" : "");
  }

  @Override
  public void prepare(Path directory) {
    MarketManifest.of(market).write(directory);
  }

  @Override
  public MarketEvaluationResult evaluate(Agent agent, ReturnScale scale) {
    AgentTradingPolicy policy = AgentTradingPolicy.forecasting(agent, scale, config.risk());
    List<BaselineComparison> symbols = BaselineComparison.of(market, split(part), policy, seed);
    return new MarketEvaluationResult(
        part,
        symbols,
        new MarketEvaluationResult.Provenance(policy.forecasts(), market.fingerprints(), seed));
  }
}
