package io.quantail.config;

/**
 * How returns are normalised for the critic; section {@code returns}.
 *
 * @param mode centre and divide, or divide only: {@code z-score} or {@code scale}; default {@code
 *     z-score}
 * @param spread dispersion of returns in mode {@code z-score}: {@code std}, or {@code mad}, which
 *     is robust against outliers; default {@code std}
 * @param emaBeta weight of a new rollout in the running moments; in (0, 1]; default 0.2
 * @param stdFloor smallest standard deviation used as divisor; positive; default 0.003
 * @param adaptiveFloor fraction of the average dispersion over about a hundred rollouts below which
 *     the divisor does not fall; in [0, 1); default 0.5; at 0 only {@code stdFloor} counts
 * @param maxRelativeStep largest relative change of the statistics per update; at least 0; default
 *     0.5
 * @param scaleCap largest factor by which returns may be enlarged; positive; default 1000
 */
public record ReturnScaleConfig(
    Mode mode,
    Spread spread,
    double emaBeta,
    double stdFloor,
    double adaptiveFloor,
    double maxRelativeStep,
    double scaleCap) {
  public ReturnScaleConfig {
    Check.present("returns.mode", mode);
    Check.present("returns.spread", spread);
    Check.positiveFraction("returns.emaBeta", emaBeta);
    Check.positive("returns.stdFloor", stdFloor);
    Check.decay("returns.adaptiveFloor", adaptiveFloor);
    Check.notNegative("returns.maxRelativeStep", maxRelativeStep);
    Check.positive("returns.scaleCap", scaleCap);
  }

  public static ReturnScaleConfig defaults() {
    return new ReturnScaleConfig(Mode.Z_SCORE, Spread.STD, 0.2, 3e-3, 0.5, 0.5, 1000.0);
  }

  /** How returns are brought to the order of one for the critic; setting {@code returns.mode}. */
  public enum Mode {
    /** Subtract the running mean and divide by the running standard deviation. */
    Z_SCORE,
    /** Divide only. */
    SCALE
  }

  /** Measures of the dispersion of returns. */
  public enum Spread {
    /** The standard deviation. */
    STD,
    /** 1.4826 times the median distance from the median: robust against outliers. */
    MAD
  }
}
