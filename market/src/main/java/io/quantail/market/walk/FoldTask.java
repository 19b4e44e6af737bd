package io.quantail.market.walk;

import io.quantail.config.RunConfig;
import io.quantail.market.backtest.AgentPolicy;
import io.quantail.market.desk.Bundle;
import io.quantail.market.desk.Comparison;
import io.quantail.market.setup.Market;
import io.quantail.market.setup.MarketProvider;
import io.quantail.market.split.Split;
import io.quantail.run.settings.YamlConfig;
import io.quantail.task.AgentTask;
import io.quantail.task.OutcomeFile;
import io.quantail.train.TrainedRun;
import io.quantail.train.Trainer;
import java.nio.file.Path;
import java.util.List;

/**
 * Trains an agent on one fold and judges it on the bars that follow. The directory of the attempt
 * becomes the agent's run: {@code evaluate} and {@code signal} take it, {@link OutcomeFile} reads
 * the result again.
 *
 * @param fold number of the fold
 * @param seed of the agent
 * @param settings of its run, see {@link FoldSpan#run}, as YAML
 * @param threads that train it; they do not change the result
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
    RunConfig config = YamlConfig.parse(settings, name(), List.of("training.threads=" + threads));
    Market market = Market.load(MarketProvider.settings(config));
    // Too few bars to judge on are refused before training, as by train.
    for (int symbol = 0; symbol < market.instruments().size(); symbol++) {
      market.pass(symbol, Split.TEST);
    }
    Bundle.of(market).write(directory);
    try (Trainer trainer = new Trainer(config, market.training())) {
      TrainedRun.train(trainer, config, market.training().dataFingerprint(), directory);
      List<Comparison> symbols =
          Comparison.of(market, Split.TEST, new AgentPolicy(trainer.agent()), seed);
      FoldOutcome outcome = new FoldOutcome(fold, seed, trainer.steps(), symbols);
      OutcomeFile.write(directory, this, outcome);
      return outcome;
    }
  }
}
