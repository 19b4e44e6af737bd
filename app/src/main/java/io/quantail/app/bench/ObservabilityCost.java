package io.quantail.app.bench;

import io.quantail.app.dashboard.DashboardOptions;
import io.quantail.app.dashboard.DashboardServer;
import io.quantail.config.RunConfig;
import io.quantail.io.AtomicFiles;
import io.quantail.metrics.MetricRow;
import io.quantail.run.RunDirectory;
import io.quantail.run.health.HealthMonitor;
import io.quantail.train.Trainer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The cost of metrics, health rules, files and dashboard, as fractions of the time for collection
 * and update.
 *
 * <p>Blocks of updates alternate in one run: observed blocks, whose rows pass the health rules and
 * are written to the files of a run while a client follows its dashboard, and bare blocks, of which
 * only collection and update count. Both therefore have the same machine, load and compiler state,
 * and the ratio is taken of each pair of neighbouring blocks.
 *
 * @param workload name of the workload
 * @param threads worker threads
 * @param pairs number of pairs of blocks
 * @param overhead median over the pairs: time of an observed update over a bare one, minus 1
 * @param lowest first quartile over the pairs
 * @param highest third quartile over the pairs
 * @param measuring fraction for computing the metrics: the network evaluated after the update, and
 *     statistics
 * @param recording fraction for checking the health rules and writing a row
 */
public record ObservabilityCost(
    String workload,
    int threads,
    int pairs,
    double overhead,
    double lowest,
    double highest,
    double measuring,
    double recording) {
  private static final double BLOCK_SECONDS = 0.5;
  private static final double QUARTER = 0.25;

  /** Time of one block of updates, in seconds. */
  private static final class Block {
    private double training;
    private double measuring;
    private double recording;
    private int updates;

    double perUpdate() {
      return (training + measuring + recording) / updates;
    }
  }

  /** Files, health rules and dashboard of the observed blocks. */
  private record Watch(RunDirectory run, HealthMonitor health, DashboardServer dashboard) {}

  public static ObservabilityCost of(
      BenchmarkWorkload workload, RunConfig config, double warmup, double seconds) {
    Path directory = temporary();
    try (RunDirectory run = RunDirectory.create(directory.resolve("run"), config);
        HealthMonitor health = run.health(List.of());
        DashboardServer dashboard =
            DashboardServer.start(
                new DashboardOptions(run.path(), DashboardOptions.DEFAULT_HOST, 0, null));
        Trainer trainer = new Trainer(config, workload.environments())) {
      Watch watch = new Watch(run, health, dashboard);
      double start = now();
      while (now() < start + warmup) {
        watched(trainer, watch);
      }
      List<Block> bare = new ArrayList<>();
      List<Block> watched = new ArrayList<>();
      start = now();
      while (bare.isEmpty() || now() < start + seconds) {
        bare.add(bare(trainer));
        watched.add(watched(trainer, watch));
      }
      return summary(workload, config, bare, watched);
    } finally {
      AtomicFiles.deleteDirectory(directory);
    }
  }

  private static Block bare(Trainer trainer) {
    Block block = new Block();
    double start = now();
    while (block.updates == 0 || now() < start + BLOCK_SECONDS) {
      block.training += trained(trainer.iterate());
      block.updates++;
    }
    return block;
  }

  private static Block watched(Trainer trainer, Watch watch) {
    Block block = new Block();
    try (InputStream page = listen(watch)) {
      double start = now();
      while (block.updates == 0 || now() < start + BLOCK_SECONDS) {
        double begun = now();
        MetricRow row = trainer.iterate();
        double trained = now();
        watch.health.inspect(row);
        watch.run.write(watch.health.mark(row));
        block.training += trained(row);
        block.measuring += trained - begun - trained(row);
        block.recording += now() - trained;
        block.updates++;
        page.skip(page.available());
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("the dashboard does not respond", failure);
    }
    return block;
  }

  /** Connects a client that follows the run. */
  private static InputStream listen(Watch watch) throws IOException {
    String name = watch.run.path().getFileName().toString();
    return URI.create(watch.dashboard.url() + "api/events?run=" + name).toURL().openStream();
  }

  private static double trained(MetricRow row) {
    return Objects.requireNonNull(row.values().get("time/rollout_seconds"))
        + Objects.requireNonNull(row.values().get("time/update_seconds"));
  }

  private static ObservabilityCost summary(
      BenchmarkWorkload workload, RunConfig config, List<Block> bare, List<Block> watched) {
    double[] overheads = new double[bare.size()];
    double[] measuring = new double[bare.size()];
    double[] recording = new double[bare.size()];
    for (int i = 0; i < overheads.length; i++) {
      Block block = watched.get(i);
      overheads[i] = block.perUpdate() / bare.get(i).perUpdate() - 1;
      measuring[i] = block.measuring / block.training;
      recording[i] = block.recording / block.training;
    }
    return new ObservabilityCost(
        workload.written(),
        config.training().threads(),
        overheads.length,
        at(overheads, 0.5),
        at(overheads, QUARTER),
        at(overheads, 1 - QUARTER),
        at(measuring, 0.5),
        at(recording, 0.5));
  }

  private static double at(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.round(share * (sorted.length - 1))];
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("quantail-bench");
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot create a temporary directory", failure);
    }
  }

  private static double now() {
    return System.nanoTime() * 1e-9;
  }
}
