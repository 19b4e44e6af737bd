package io.quantail.app.bench;

import io.quantail.config.RunConfig;
import io.quantail.kernel.ProductPeak;
import io.quantail.metrics.MetricRow;
import io.quantail.network.Parameters;
import io.quantail.train.Trainer;
import java.time.Duration;

/**
 * The speed of a whole training.
 *
 * @param workload name of the workload
 * @param threads worker threads
 * @param stepsPerSecond environment steps, collected and learnt from
 * @param updateGflops arithmetic of the matrix products of the updates over their time
 * @param tileGflops speed of our own product kernel on one core at its best size, mean of just
 *     before and just after
 * @param seconds time that was measured, after the warm-up
 * @param cpuSeconds processor time of the process in it, which does not grow with other load on the
 *     machine
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

  /** Fraction of the peak of as many cores as there are threads. */
  public double peakShare() {
    return updateGflops / (tileGflops * threads);
  }

  /** Steps per second of one core that no other process uses. */
  public double stepsPerCpuSecond() {
    return stepsPerSecond * seconds / cpuSeconds;
  }

  /**
   * Trains for the warm-up, then for the measured time, both rounded up to whole updates.
   *
   * @param warmupSeconds in processor time, because the compiler needs the same under any load
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
      update += row.values().get("time/update_seconds");
      elapsed = (System.nanoTime() - start) * 1e-9;
    }
    return new Timed(elapsed, update);
  }

  /**
   * Operations of the products of one row forward and backward: two for each weight forward, two
   * for its gradient, two for that of its input unless the input is an observation.
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
