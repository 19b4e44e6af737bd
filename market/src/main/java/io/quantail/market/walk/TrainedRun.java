package io.quantail.market.walk;

import io.quantail.checkpoint.Retention;
import io.quantail.checkpoint.SnapshotInfo;
import io.quantail.checkpoint.SnapshotStore;
import io.quantail.checkpoint.Versions;
import io.quantail.config.ConfigLoader;
import io.quantail.config.RunConfig;
import io.quantail.config.RunSettings;
import io.quantail.metrics.MetricLog;
import io.quantail.metrics.MetricRow;
import io.quantail.metrics.MetricSink;
import io.quantail.metrics.TensorBoardSink;
import io.quantail.state.StateMap;
import io.quantail.train.Trainer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/** Trains without a person watching, and leaves the files of a run ({@code docs/runs.md}). */
final class TrainedRun {
  private TrainedRun() {}

  static void train(Trainer trainer, RunConfig config, String dataFingerprint, Path directory)
      throws InterruptedException {
    try {
      Files.writeString(directory.resolve("config.yaml"), ConfigLoader.toYaml(config));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + directory, failure);
    }
    try (MetricSink log = new MetricLog(directory.resolve("metrics.csv"));
        MetricSink events =
            new TensorBoardSink(directory.resolve("tensorboard"), Clock.systemUTC())) {
      while (!trainer.finished()) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedException("asked to stop");
        }
        MetricRow row = trainer.iterate();
        log.write(row);
        events.write(row);
      }
    }
    StateMap state = new StateMap();
    trainer.save(state);
    new SnapshotStore(directory.resolve("snapshots"), Retention.DEFAULT)
        .write(
            state,
            new SnapshotInfo(
                trainer.updates(),
                trainer.steps(),
                null,
                RunSettings.hash(config),
                dataFingerprint,
                Versions.all()));
  }
}
