package io.quantail.audit.reference;

import io.quantail.config.CoefficientSchedule;
import io.quantail.config.OptimizerConfig;
import io.quantail.config.PpoConfig;

/** Reference implementation of learning rate, clip range and coefficients over a run. */
public final class ReferenceSchedules {
  private ReferenceSchedules() {}

  /** The learning rate at a fraction of the run. */
  public static double learningRate(OptimizerConfig config, double progress) {
    double base = config.learningRate();
    double last = config.minLearningRate();
    double rate =
        switch (config.schedule()) {
          case CONSTANT -> base;
          case LINEAR -> (1 - progress) * base + progress * last;
          case COSINE -> halfWave(base, last, progress);
          case ONE_CYCLE ->
              progress < 0.3
                  ? halfWave(3 * base / 25, 3 * base, progress / 0.3)
                  : halfWave(3 * base, 3 * base / 25 / 1e4, (progress - 0.3) / 0.7);
        };
    return ReferenceMath.clip(rate, config.minLearningRate(), config.maxLearningRate());
  }

  private static double halfWave(double from, double to, double fraction) {
    return (from + to) / 2 + (from - to) / 2 * Math.cos(Math.PI * fraction);
  }

  /** The value of a schedule at a fraction of the run. */
  public static double value(CoefficientSchedule schedule, double progress) {
    return switch (schedule.shape()) {
      case CONSTANT -> schedule.from();
      case LINEAR -> (1 - progress) * schedule.from() + progress * schedule.to();
      case COSINE -> halfWave(schedule.from(), schedule.to(), progress);
    };
  }

  /** The clip range of an update, counted from 0. */
  public static double clipRange(PpoConfig config, long update, double progress) {
    int warmup = config.clipRangeWarmupUpdates();
    double fraction = update >= warmup ? 1 : (double) update / warmup;
    return (1 - fraction) * config.clipRangeWarmup()
        + fraction * value(config.clipRange(), progress);
  }

  /**
   * The entropy coefficient of an update.
   *
   * @param start update at which the decay started; negative before it starts
   */
  public static double entropy(PpoConfig.Entropy config, long update, long start, double progress) {
    double first = value(config.coefficient(), progress);
    double last = config.finalCoefficient() == null ? first : config.finalCoefficient();
    double fraction;
    if (config.decayUpdates() == 0) {
      fraction = 1;
    } else if (start < 0 || update < start) {
      fraction = 0;
    } else {
      fraction = Math.min(1, (double) (update - start) / config.decayUpdates());
    }
    return Math.max(config.minimum(), (1 - fraction) * first + fraction * last);
  }

  /** The coefficient of behaviour cloning after some environment steps. */
  public static double cloning(PpoConfig.Cloning config, long steps, double progress) {
    double first = value(config.coefficient(), progress);
    if (config.decaySteps() == 0 || steps < config.warmupSteps()) {
      return first;
    }
    double fraction = Math.min(1, (double) (steps - config.warmupSteps()) / config.decaySteps());
    return (1 - fraction) * first + fraction * config.finalCoefficient();
  }
}
