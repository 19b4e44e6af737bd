package io.quantail.app;

import io.quantail.checkpoint.Loaded;
import io.quantail.config.RunConfig;
import io.quantail.critic.ReturnScale;
import io.quantail.critic.ReturnStatistics;
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
record OpenedRun(Path directory, RunConfig config, Loaded snapshot) {

  /**
   * Refuses settings that were edited since the snapshot was written, unless they may be.
   *
   * @param notes takes lines for the person at the screen
   */
  static OpenedRun open(Path directory, Consumer<String> notes) {
    RunConfig config = RunDirectory.config(directory);
    Loaded snapshot = RunDirectory.latestSnapshot(directory);
    snapshot.problems().forEach(notes);
    RunDirectory.requireSameConfig(directory, config, snapshot)
        .forEach(change -> notes.accept(change.toString()));
    return new OpenedRun(directory, config, snapshot);
  }

  /** Converts predictions of the agent's critics to returns. */
  ReturnScale scale() {
    ReturnStatistics statistics = new ReturnStatistics(config.returns());
    statistics.load(snapshot.state().child("returns"));
    return statistics.scale();
  }
}
