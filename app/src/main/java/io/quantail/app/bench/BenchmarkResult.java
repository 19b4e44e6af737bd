package io.quantail.app.bench;

import io.quantail.config.RunConfig;
import io.quantail.kernel.ProductPeak;
import io.quantail.metrics.MetricRow;
import io.quantail.network.Parameters;
import io.quantail.train.Trainer;
import java.time.Duration;
import java.util.Objects;

/**
 * The speed of a whole training.
 *
 * @param workload name of the workload
 * @param threads worker threads
 * @param stepsPerSecond environment steps, collected and learnt from
 * @param updateGflops speed of the matrix products of the updates
 * @param tileGflops peak speed of the matrix kernel on one core, mean of a measurement before and
 *     one after
 * @param seconds measured time, without the warm-up
 * @param cpuSeconds processor time of the process in the measured time, which does not depend on
 *     other load on the machine
 */
public record BenchmarkResult(
    String workload,
    int threads,
    double stepsPerSecond,
    double updateGflops,
    double tileGflops,
    double seconds,
    double cpuSeconds) {
  private static final double PEAK_SECONDS = 0.5;

  /** Speed of the matrix products as a fraction of the peak of all threads. */
  public double peakShare() {
    return updateGflops / (tileGflops * threads);
  }

  /** Steps per second of processor time. */
  public double stepsPerCpuSecond() {
    return stepsPerSecond * seconds / cpuSeconds;
  }

  /**
   * Trains for the warm-up, then for the measured time, both rounded up to whole updates.
   *
   * @param warmupSeconds in processor time, because the compiler needs the same amount under any
   *     load
   */
  public static BenchmarkResult of(
      BenchmarkWorkload workload, RunConfig config, double warmupSeconds, double measuredSeconds) {
    try (Trainer trainer = new Trainer(config, workload.environments())) {
      double warm = processSeconds() + warmupSeconds;
      while (processSeconds() < warm) {
        trainer.iterate();
      }
      double peakBefore = ProductPeak.gflops(PEAK_SECONDS);
      long before = trainer.steps();
      double cpu = processSeconds();
      Timed timed = train(trainer, measuredSeconds);
      double cpuSeconds = processSeconds() - cpu;
      double peakAfter = ProductPeak.gflops(PEAK_SECONDS);
      double steps = trainer.steps() - before;
      double products = steps * config.ppo().epochs() * productsPerRow(trainer);
      return new BenchmarkResult(
          workload.written(),
          config.training().threads(),
          steps / timed.seconds,
          products / timed.updateSeconds * 1e-9,
          (peakBefore + peakAfter) / 2,
          timed.seconds,
          cpuSeconds);
    }
  }

  private static double processSeconds() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos() * 1e-9;
  }

  private record Timed(double seconds, double updateSeconds) {}

  private static Timed train(Trainer trainer, double seconds) {
    long start = System.nanoTime();
    double update = 0;
    double elapsed = 0;
    while (elapsed < seconds) {
      MetricRow row = trainer.iterate();
      update += Objects.requireNonNull(row.values().get("time/update_seconds"));
      elapsed = (System.nanoTime() - start) * 1e-9;
    }
    return new Timed(elapsed, update);
  }

  /**
   * Floating-point operations of the matrix products of one row: two per weight forward, two for
   * the gradient of the weight, and two for the gradient of its input unless that is an
   * observation.
   */
  static double productsPerRow(Trainer trainer) {
    double operations = 0;
    for (Parameters.Slot slot : trainer.model().parameters().slots()) {
      if (slot.shape().size() == 2) {
        boolean seesObservation = slot.name().endsWith("lstm.0.weight_ih");
        operations += (seesObservation ? 4.0 : 6.0) * slot.count();
      }
    }
    return operations;
  }
}
