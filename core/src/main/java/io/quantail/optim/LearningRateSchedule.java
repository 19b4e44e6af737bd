package io.quantail.optim;

import io.quantail.config.CoefficientSchedule;
import java.util.List;

/**
 * The base learning rate as a pure function of the completed fraction of a run.
 *
 * <p>Progress is 0 at the start and 1 at the end; a run that continues past its planned end keeps
 * the rate of the end. Only the schedule sets the base rate. {@code LearningRateScheduleTest} pins
 * it.
 */
public sealed interface LearningRateSchedule {
  /** The names that {@link #named} accepts. */
  List<String> NAMES = List.of("constant", "linear", "cosine", "one-cycle");

  /**
   * The base learning rate.
   *
   * @param progress completed fraction of the run, not negative; above 1 counts as 1
   */
  double rate(double progress);

  /**
   * The schedule with a name.
   *
   * @param name one of {@link #NAMES}
   * @param rate the rate of the run, greater than 0; a one-cycle peaks at three times this rate
   * @param finalRate where linear and cosine schedules end, not negative
   */
  static LearningRateSchedule named(String name, double rate, double finalRate) {
    return switch (name) {
      case "constant" -> new Constant(rate);
      case "linear" -> new Linear(rate, finalRate);
      case "cosine" -> new Cosine(rate, finalRate);
      case "one-cycle" -> OneCycle.around(rate);
      default ->
          throw new IllegalArgumentException(
              "learning-rate schedule must be one of " + NAMES + ", was '" + name + "'");
    };
  }

  /**
   * The same learning rate throughout.
   *
   * @param rate learning rate, greater than 0
   */
  record Constant(double rate) implements LearningRateSchedule {
    public Constant {
      requirePositive("learning rate", rate);
    }

    @Override
    public double rate(double progress) {
      limit(progress);
      return rate;
    }
  }

  /**
   * A straight line from the initial to the final learning rate.
   *
   * @param initial rate at the start, greater than 0
   * @param last rate at the end, not negative
   */
  record Linear(double initial, double last) implements LearningRateSchedule {
    public Linear {
      requirePositive("initial learning rate", initial);
      requireNotNegative("final learning rate", last);
    }

    @Override
    public double rate(double progress) {
      return CoefficientSchedule.Shape.LINEAR.between(initial, last, limit(progress));
    }
  }

  /**
   * Half a cosine wave from the initial to the final learning rate.
   *
   * @param initial rate at the start, greater than 0
   * @param last rate at the end, not negative
   */
  record Cosine(double initial, double last) implements LearningRateSchedule {
    public Cosine {
      requirePositive("initial learning rate", initial);
      requireNotNegative("final learning rate", last);
    }

    @Override
    public double rate(double progress) {
      return CoefficientSchedule.Shape.COSINE.between(initial, last, limit(progress));
    }
  }

  /**
   * A cosine rise from {@code peak / startDivisor} to the peak, then a cosine fall to {@code peak /
   * startDivisor / endDivisor}.
   *
   * <p>See: Smith, Topin, "Super-convergence: very fast training of neural networks using large
   * learning rates", 2017, arXiv:1708.07120. Momentum is not cycled. Counted in steps, the peak is
   * at step {@code riseFraction * totalSteps - 1} and the end at {@code totalSteps - 1}, as in
   * PyTorch; {@code LearningRateScheduleTest} and the vectors {@code onecycle_lr}, {@code
   * one_cycle_lr} pin it.
   *
   * @param peak highest rate, greater than 0
   * @param riseFraction fraction of the run in which the rate rises, in (0, 1)
   * @param startDivisor peak over the first rate, at least 1
   * @param endDivisor first over the last rate, at least 1
   */
  record OneCycle(double peak, double riseFraction, double startDivisor, double endDivisor)
      implements LearningRateSchedule {
    private static final double PEAK_FACTOR = 3;
    private static final double RISE_FRACTION = 0.3;
    private static final double START_DIVISOR = 25;
    private static final double END_DIVISOR = 1e4;

    public OneCycle {
      requirePositive("peak learning rate", peak);
      if (!(riseFraction > 0 && riseFraction < 1)) {
        throw new IllegalArgumentException(
            "one-cycle rise fraction must be in (0, 1), was " + riseFraction);
      }
      requireDivisor("start", startDivisor);
      requireDivisor("end", endDivisor);
    }

    /** The usual cycle for a run whose plain learning rate would be {@code rate}. */
    public static OneCycle around(double rate) {
      requirePositive("learning rate", rate);
      return new OneCycle(PEAK_FACTOR * rate, RISE_FRACTION, START_DIVISOR, END_DIVISOR);
    }

    @Override
    public double rate(double progress) {
      return between(limit(progress), riseFraction, 1);
    }

    /**
     * The rate of one of a known number of optimiser steps.
     *
     * @param step counted from 0; steps past the end keep the last rate
     * @param totalSteps planned number of steps, at least 1
     */
    public double rate(int step, int totalSteps) {
      if (step < 0 || totalSteps < 1) {
        throw new IllegalArgumentException(
            "step must not be negative and totalSteps at least 1, were "
                + step
                + ", "
                + totalSteps);
      }
      int last = totalSteps - 1;
      return between(Math.min(step, last), riseFraction * totalSteps - 1, last);
    }

    private double between(double position, double peakPosition, double endPosition) {
      double start = peak / startDivisor;
      if (position < peakPosition) {
        return CoefficientSchedule.Shape.COSINE.between(start, peak, position / peakPosition);
      }
      double fraction = (position - peakPosition) / (endPosition - peakPosition);
      return CoefficientSchedule.Shape.COSINE.between(peak, start / endDivisor, fraction);
    }

    private static void requireDivisor(String name, double divisor) {
      if (!(divisor >= 1 && divisor < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "one-cycle " + name + " divisor must be at least 1 and finite, was " + divisor);
      }
    }
  }

  private static void requirePositive(String name, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be positive and finite, was " + value);
    }
  }

  private static void requireNotNegative(String name, double value) {
    if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be finite and not negative, was " + value);
    }
  }

  /** Progress limited to [0, 1]. */
  private static double limit(double progress) {
    if (!(progress >= 0)) {
      throw new IllegalArgumentException("progress must not be negative, was " + progress);
    }
    return Math.min(progress, 1);
  }
}
