package io.quantail.value;

import io.quantail.config.ReturnScaleConfig;
import io.quantail.math.Moments;
import io.quantail.math.Percentiles;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;
import java.util.Arrays;

/**
 * Tracks the mean and dispersion of raw returns over rollouts and gives the next scale.
 *
 * <p>In z-score mode moving averages of the first two moments give mean and std; in scale mode the
 * mean stays 0 and the std is the 99th percentile of absolute returns, within [1e-3, 1e3]. {@link
 * #begin} sets a first scale from the rewards of the first rollout, before its targets are formed.
 * {@link #commit} is called once per update, after it, with the particles of the rollout: the first
 * one sets the statistics, later ones change them by at most a relative step.
 */
public final class ReturnScaleTracker implements Restorable {
  private static final double SCALE_LIMIT = 1e3;
  private static final double SCALE_PERCENTILE = 0.99;
  private static final double USUAL_WEIGHT = 0.01;
  private static final double NORMAL_PERCENTILE = 2.33;

  /** Of a normal distribution, std over median absolute deviation. */
  private static final double STD_OVER_MAD = 1.4826;

  private final ReturnScaleConfig config;
  private ReturnScale scale = ReturnScale.IDENTITY;
  private double usualStd; // moving average over about a hundred rollouts
  private long commits;

  /** Starts with {@link ReturnScale#IDENTITY}. */
  public ReturnScaleTracker(ReturnScaleConfig config) {
    this.config = config;
  }

  /** The scale of the current cycle. */
  public ReturnScale scale() {
    return scale;
  }

  /** The number of commits. */
  public long commits() {
    return commits;
  }

  /**
   * Sets the scale of the first cycle from its rewards; see {@link FirstReturnScale}. Later calls
   * change nothing. In scale mode the std is {@code |mean| + 2.33 std} of the returns, the 99th
   * percentile of a normal distribution.
   */
  public ReturnScale begin(
      double[] rewards, boolean[] terminated, boolean[] truncated, int environments, double gamma) {
    if (commits > 0) {
      return scale;
    }
    ReturnScale first =
        FirstReturnScale.of(rewards, terminated, truncated, environments, gamma, smallestStd());
    scale =
        config.mode() == ReturnScaleConfig.Mode.SCALE
            ? new ReturnScale(0, limited(Math.abs(first.mean()) + NORMAL_PERCENTILE * first.std()))
            : first;
    return scale;
  }

  private static double limited(double size) {
    return Math.max(1 / SCALE_LIMIT, Math.min(SCALE_LIMIT, size));
  }

  /** Adds the raw returns of a finished cycle and returns the scale of the next one. */
  public ReturnScale commit(double[] rawReturns) {
    ReturnScale next = candidate(rawReturns);
    if (commits > 0) {
      next = limit(scale, next, config.maxRelativeStep());
    }
    usualStd = commits == 0 ? next.std() : usualStd + USUAL_WEIGHT * (next.std() - usualStd);
    scale = new ReturnScale(next.mean(), Math.max(next.std(), smallestStd()));
    commits++;
    return scale;
  }

  /** The scale that follows from the returns of a cycle, before the limit on the step. */
  public ReturnScale candidate(double[] rawReturns) {
    ReturnScale sample = sample(rawReturns);
    return commits == 0 ? sample : follow(scale, sample, config.emaBeta());
  }

  private double smallestStd() {
    double adaptive = config.adaptiveFloor() * usualStd;
    return Math.max(Math.max(config.stdFloor(), adaptive), 1 / config.scaleCap());
  }

  private ReturnScale sample(double[] rawReturns) {
    double spread = dispersion(rawReturns);
    if (config.mode() == ReturnScaleConfig.Mode.SCALE) {
      return new ReturnScale(0, limited(spread));
    }
    double mean = Moments.mean(rawReturns);
    return new ReturnScale(mean, Math.max(spread, smallestStd()));
  }

  /** The dispersion of the returns of one cycle, before any floor. */
  public double dispersion(double[] rawReturns) {
    if (config.mode() == ReturnScaleConfig.Mode.SCALE) {
      return percentileOfAbsolute(rawReturns, SCALE_PERCENTILE);
    }
    return config.spread() == ReturnScaleConfig.Spread.MAD
        ? robustSpread(rawReturns)
        : Moments.deviation(rawReturns);
  }

  static double robustSpread(double[] values) {
    double median = Percentiles.of(values).at(0.5);
    double[] distances = Arrays.stream(values).map(x -> Math.abs(x - median)).toArray();
    return STD_OVER_MAD * Percentiles.of(distances).at(0.5);
  }

  /** Moving averages of E[x] and E[x^2]; beta weighs the new sample. */
  static ReturnScale follow(ReturnScale old, ReturnScale sample, double beta) {
    double mean = (1 - beta) * old.mean() + beta * sample.mean();
    double second = (1 - beta) * secondMoment(old) + beta * secondMoment(sample);
    double variance = Math.max(second - mean * mean, Double.MIN_NORMAL);
    return new ReturnScale(mean, Math.sqrt(variance));
  }

  static double secondMoment(ReturnScale scale) {
    return scale.std() * scale.std() + scale.mean() * scale.mean();
  }

  /**
   * Limits the change of the mean to {@code step} times its size or the standard deviation, and
   * that of the standard deviation to a factor.
   */
  static ReturnScale limit(ReturnScale old, ReturnScale proposed, double step) {
    double reach = step * Math.max(Math.abs(old.mean()), Math.max(proposed.std(), old.std()));
    double mean = Math.max(old.mean() - reach, Math.min(old.mean() + reach, proposed.mean()));
    double factor = 1 + step;
    double std = Math.max(old.std() / factor, Math.min(old.std() * factor, proposed.std()));
    return new ReturnScale(mean, std);
  }

  private static double percentileOfAbsolute(double[] values, double fraction) {
    return Percentiles.of(Arrays.stream(values).map(Math::abs).toArray()).at(fraction);
  }

  @Override
  public void save(StateMap state) {
    state.putDoubles("scale", new double[] {scale.mean(), scale.std()}, 2);
    state.putDouble("usualStd", usualStd);
    state.putLong("commits", commits);
  }

  @Override
  public Runnable restoring(StateMap state) {
    double[] saved = state.doubles("scale", 2);
    ReturnScale savedScale = new ReturnScale(saved[0], saved[1]);
    double savedStd = state.doubleValue("usualStd");
    long savedCommits = state.longValue("commits");
    return () -> {
      scale = savedScale;
      usualStd = savedStd;
      commits = savedCommits;
    };
  }
}
