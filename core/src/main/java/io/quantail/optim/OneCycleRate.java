package io.quantail.optim;

/**
 * A cosine rise from {@code peak / startDivisor} to the peak, then a cosine fall to {@code peak /
 * startDivisor / endDivisor}.
 *
 * <p>See: Smith, Topin, "Super-convergence: very fast training of neural networks using large
 * learning rates", 2017, arXiv:1708.07120. Momentum is not cycled. Counted in steps, the peak is at
 * step {@code riseShare * totalSteps - 1} and the end at {@code totalSteps - 1}, as in PyTorch;
 * {@code LearningRateScheduleTest} and the vectors {@code onecycle_lr}, {@code one_cycle_lr} pin
 * it.
 *
 * @param peak highest rate, greater than 0
 * @param riseShare share of the run that rises, in (0, 1)
 * @param startDivisor peak over the first rate, at least 1
 * @param endDivisor first over the last rate, at least 1
 */
public record OneCycleRate(double peak, double riseShare, double startDivisor, double endDivisor)
    implements LearningRateSchedule {
  private static final double PEAK_FACTOR = 3;
  private static final double RISE_SHARE = 0.3;
  private static final double START_DIVISOR = 25;
  private static final double END_DIVISOR = 1e4;

  public OneCycleRate {
    Rates.requirePositive("peak learning rate", peak);
    if (!(riseShare > 0 && riseShare < 1)) {
      throw new IllegalArgumentException(
          "one-cycle rise share must be in (0, 1), was " + riseShare);
    }
    requireDivisor("start", startDivisor);
    requireDivisor("end", endDivisor);
  }

  /** The usual cycle for a run whose plain learning rate would be {@code rate}. */
  public static OneCycleRate around(double rate) {
    Rates.requirePositive("learning rate", rate);
    return new OneCycleRate(PEAK_FACTOR * rate, RISE_SHARE, START_DIVISOR, END_DIVISOR);
  }

  @Override
  public double rate(double progress) {
    return between(Rates.limit(progress), riseShare, 1);
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
          "step must not be negative and totalSteps at least 1, were " + step + ", " + totalSteps);
    }
    int last = totalSteps - 1;
    return between(Math.min(step, last), riseShare * totalSteps - 1, last);
  }

  private double between(double position, double peakPosition, double endPosition) {
    double start = peak / startDivisor;
    if (position < peakPosition) {
      return Rates.cosine(start, peak, position / peakPosition);
    }
    double share = (position - peakPosition) / (endPosition - peakPosition);
    return Rates.cosine(peak, start / endDivisor, share);
  }

  private static void requireDivisor(String name, double divisor) {
    if (!(divisor >= 1 && divisor < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "one-cycle " + name + " divisor must be at least 1 and finite, was " + divisor);
    }
  }
}
