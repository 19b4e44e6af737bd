package io.quantail.app;

import io.quantail.checkpoint.Snapshot;
import io.quantail.config.RunConfig;
import io.quantail.critic.ReturnScale;
import io.quantail.critic.ReturnStatistics;
import io.quantail.market.setup.MarketProvider;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A run whose agent is to be used: its settings and its newest good snapshot, which belong
 * together.
 *
 * @param directory of the run
 * @param config its settings
 * @param snapshot its newest good snapshot
 */
record OpenedRun(Path directory, RunConfig config, Snapshot snapshot) {

  /**
   * Refuses settings that were edited since the snapshot was written, unless they may be.
   *
   * @param notes takes lines for the person at the screen
   */
  static OpenedRun open(Path directory, Consumer<String> notes) {
    RunConfig config = RunDirectory.config(directory);
    Snapshot snapshot = RunDirectory.latestSnapshot(directory);
    snapshot.problems().forEach(notes);
    RunDirectory.requireSameConfig(directory, config, snapshot)
        .forEach(change -> notes.accept(change.toString()));
    return new OpenedRun(directory, config, snapshot);
  }

  boolean onMarket() {
    return config.environment().name().equals(MarketProvider.NAME);
  }

  /** Turns what the agent's critics say into returns. */
  ReturnScale scale() {
    ReturnStatistics statistics = new ReturnStatistics(config.returns());
    statistics.load(snapshot.state().child("returns"));
    return statistics.scale();
  }
}
