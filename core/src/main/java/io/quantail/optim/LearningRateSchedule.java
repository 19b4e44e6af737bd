package io.quantail.optim;

import java.util.List;

/**
 * The base learning rate as a pure function of how much of the run is done.
 *
 * <p>Progress is 0 at the start and 1 at the end; a run that goes on past its planned end keeps the
 * rate of the end. The schedule owns the base rate: nobody else writes one. {@code
 * LearningRateScheduleTest} pins it.
 */
public sealed interface LearningRateSchedule
    permits ConstantRate, LinearRate, CosineRate, OneCycleRate {
  /** The names that {@link #named} knows. */
  List<String> NAMES = List.of("constant", "linear", "cosine", "one-cycle");

  /**
   * The base learning rate.
   *
   * @param progress share of the run that is done, not negative; above 1 counts as 1
   */
  double rate(double progress);

  /**
   * The schedule with that name.
   *
   * @param name one of {@link #NAMES}
   * @param rate the rate of the run, greater than 0; a one-cycle peaks at three times this rate
   * @param finalRate where linear and cosine schedules end, not negative
   */
  static LearningRateSchedule named(String name, double rate, double finalRate) {
    return switch (name) {
      case "constant" -> new ConstantRate(rate);
      case "linear" -> new LinearRate(rate, finalRate);
      case "cosine" -> new CosineRate(rate, finalRate);
      case "one-cycle" -> OneCycleRate.around(rate);
      default ->
          throw new IllegalArgumentException(
              "learning-rate schedule must be one of " + NAMES + ", was '" + name + "'");
    };
  }
}
