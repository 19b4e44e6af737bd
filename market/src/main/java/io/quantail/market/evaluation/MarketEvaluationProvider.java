package io.quantail.market.evaluation;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.market.Market;
import io.quantail.market.MarketEnvironments;
import io.quantail.market.MarketManifest;
import io.quantail.market.MarketProvider;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.evaluation.EvaluationProtocolProvider;
import io.quantail.run.evaluation.ValidationPass;
import java.nio.file.Path;

/** Provides {@link MarketEvaluation} for runs on a market. */
public final class MarketEvaluationProvider implements EvaluationProtocolProvider {

  @Override
  public boolean supports(RunConfig config) {
    return MarketProvider.provides(config);
  }

  @Override
  public boolean hasDataParts() {
    return true;
  }

  @Override
  public EvaluationProtocol protocol(
      RunConfig config, EnvironmentFactory environments, DataPart part) {
    Market market = ((MarketEnvironments) environments).market();
    return new MarketEvaluation(config, market, part, config.seed());
  }

  @Override
  public EvaluationProtocol reopen(RunConfig config, Path directory, DataPart part, long seed) {
    Market market =
        MarketManifest.read(directory).ownMarket(MarketProvider.settings(config), config.risk());
    return new MarketEvaluation(config, market, part, seed);
  }

  @Override
  public ValidationPass validation(RunConfig config, EnvironmentFactory environments) {
    Market market = ((MarketEnvironments) environments).market();
    return new MarketValidationPass(market, config.risk().alpha());
  }
}
