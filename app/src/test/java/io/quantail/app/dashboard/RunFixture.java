package io.quantail.app.dashboard;

import io.quantail.run.RunStatus;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/** Writes run directories as training does, without training. */
final class RunFixture {
  static final String HEADER = "update,steps,metric,value\n";
  static final int STEPS_PER_UPDATE = 2_048;

  private final Path directory;

  RunFixture(Path directory) {
    this.directory = directory;
    try {
      Files.createDirectories(directory);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  Path path() {
    return directory;
  }

  /** Settings and start, as {@code train} leaves them. */
  RunFixture begun(String environment, long totalSteps) {
    write(
        "config.yaml",
        "seed: 7\nenvironment: {name: \"%s\"}\ntraining: {steps: %d}\nrisk: {limit: -0.5}\n"
            .formatted(environment, totalSteps));
    write(
        "run.json",
        "{\"seed\": 7, \"versions\": {\"quantail\": \"test\"}, \"started\":"
            + " \"2026-01-01T00:00:00Z\"}");
    return this;
  }

  RunFixture write(String file, String text) {
    try {
      Files.writeString(directory.resolve(file), text);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return this;
  }

  RunFixture append(String file, String text) {
    try {
      Files.writeString(
          directory.resolve(file), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return this;
  }

  static String line(long update, String metric, double value) {
    return update + "," + update * STEPS_PER_UPDATE + "," + metric + "," + value + "\n";
  }

  /** A log of so many updates of one metric, whose value is the number of the update. */
  RunFixture rows(String metric, int updates) {
    StringBuilder text = new StringBuilder(HEADER);
    for (int update = 1; update <= updates; update++) {
      text.append(line(update, metric, update));
    }
    return write("metrics.csv", text.toString());
  }

  /** A log of many metrics, smooth with a little noise, as large as those of long runs. */
  RunFixture large(String[] metrics, int updates) {
    try (BufferedWriter writer = Files.newBufferedWriter(directory.resolve("metrics.csv"))) {
      writer.write(HEADER);
      for (int update = 1; update <= updates; update++) {
        for (int k = 0; k < metrics.length; k++) {
          double noise = Math.sin(12.9898 * update + 78.233 * k) * 43758.5453 % 1;
          double trend = 1 - Math.exp(-update / (updates / (4.0 + k % 5)));
          writer.write(line(update, metrics[k], trend + 0.1 * noise));
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return this;
  }

  /** The times of some updates of one process, one update a second. */
  RunFixture clock(long startSecond, int firstUpdate, int lastUpdate) {
    StringBuilder text = new StringBuilder();
    if (!Files.exists(directory.resolve("clock.csv"))) {
      text.append("update,steps,seconds,epochMillis\n");
    }
    for (int update = firstUpdate; update <= lastUpdate; update++) {
      int seconds = update - firstUpdate + 1;
      text.append(update).append(',').append((long) update * STEPS_PER_UPDATE).append(',');
      text.append(seconds).append(".0,").append(1_000 * (startSecond + seconds)).append('\n');
    }
    return append("clock.csv", text.toString());
  }

  /** A status written by this process. */
  RunFixture status(RunStatus.State state, long update, Instant time) {
    new RunStatus(state, ProcessHandle.current().pid(), update, time, null).write(directory);
    return this;
  }
}
