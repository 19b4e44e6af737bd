package io.quantail.train;

import io.quantail.checkpoint.SnapshotInfo;
import io.quantail.checkpoint.SnapshotStore;
import io.quantail.checkpoint.Versions;
import io.quantail.config.RunConfig;
import io.quantail.health.Health;
import io.quantail.health.Rules;
import io.quantail.metrics.MetricCsv;
import io.quantail.metrics.MetricRow;
import io.quantail.metrics.MetricSink;
import io.quantail.metrics.TensorBoardSink;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.settings.YamlConfig;
import io.quantail.state.StateMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/** Trains without a person watching, and leaves the files of a run ({@code docs/runs.md}). */
public final class TrainedRun {
  private TrainedRun() {}

  /**
   * @param config what is written down; the trainer may have been given another number of threads
   * @throws InterruptedException when its thread is interrupted between two iterations
   */
  public static void train(
      Trainer trainer, RunConfig config, String dataFingerprint, Path directory)
      throws InterruptedException {
    try {
      Files.writeString(directory.resolve("config.yaml"), YamlConfig.toStoredYaml(config));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + directory, failure);
    }
    Health health = new Health(Rules.of(config));
    try (MetricSink log = new MetricCsv(directory.resolve("metrics.csv"), Clock.systemUTC());
        MetricSink events =
            new TensorBoardSink(directory.resolve("tensorboard"), Clock.systemUTC())) {
      while (!trainer.finished()) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedException("asked to stop");
        }
        MetricRow unmarked = trainer.iterate();
        health.inspect(unmarked);
        MetricRow row = health.mark(unmarked);
        log.write(row);
        events.write(row);
      }
    }
    StateMap state = new StateMap();
    trainer.save(state);
    new SnapshotStore(directory.resolve("snapshots"))
        .write(
            state,
            new SnapshotInfo(
                trainer.updates(),
                trainer.steps(),
                ConfigDiff.resumeHash(config),
                dataFingerprint,
                Versions.all()));
  }
}
