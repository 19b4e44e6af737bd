package io.quantail.market.walk;

import io.quantail.config.ConfigLoader;
import io.quantail.config.RunConfig;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.evaluation.MarketEvaluation;
import io.quantail.market.setup.Market;
import io.quantail.market.setup.MarketEnvironments;
import io.quantail.market.setup.MarketProvider;
import io.quantail.run.evaluation.DataPart;
import io.quantail.task.AgentTask;
import io.quantail.task.OutcomeFile;
import io.quantail.train.TrainedRun;
import io.quantail.train.Trainer;
import java.nio.file.Path;
import java.util.List;

/**
 * Trains an agent on one fold and evaluates it on the bars that follow. The directory of the
 * attempt becomes the agent's run, for {@code evaluate} and {@code signal}; {@link OutcomeFile}
 * restores the outcome.
 *
 * @param fold number of the fold
 * @param seed of the agent
 * @param settings of its run, see {@link FoldSpan#run}, as YAML
 * @param threads of the training; they do not change the result
 */
public record FoldTask(int fold, long seed, String settings, int threads)
    implements AgentTask<FoldOutcome> {

  @Override
  public String name() {
    return "fold-%d-seed-%d".formatted(fold, seed);
  }

  @Override
  public Class<FoldOutcome> outcomeType() {
    return FoldOutcome.class;
  }

  @Override
  public FoldOutcome run(Path directory) throws InterruptedException {
    RunConfig config = ConfigLoader.parse(settings, name(), List.of("training.threads=" + threads));
    Market market = Market.load(MarketProvider.settings(config));
    MarketEvaluation evaluation = new MarketEvaluation(config, market, DataPart.TEST, seed);
    evaluation.prepare(directory);
    MarketEnvironments environments = MarketEnvironments.training(market);
    try (Trainer trainer = new Trainer(config, environments)) {
      TrainedRun.train(trainer, config, environments.dataFingerprint(), directory);
      List<BaselineComparison> symbols =
          evaluation.evaluate(trainer.agent(), trainer.returnScale()).symbols();
      FoldOutcome outcome = new FoldOutcome(fold, seed, trainer.steps(), symbols);
      OutcomeFile.write(directory, this, outcome);
      return outcome;
    }
  }
}
