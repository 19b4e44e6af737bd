package io.quantail.config;

/**
 * How returns are normalised for the critic; section {@code returns}.
 *
 * @param mode centre and divide, or divide only; default {@code z-score}
 * @param emaBeta weight of a new rollout in the running moments; in (0, 1]; default 0.2
 * @param stdFloor smallest standard deviation used as divisor; positive; default 0.003
 * @param maxRelativeStep largest relative change of the statistics per update; at least 0; default
 *     0.5
 * @param scaleCap largest factor by which returns may be enlarged; positive; default 1000
 */
public record ReturnConfig(
    ReturnMode mode, double emaBeta, double stdFloor, double maxRelativeStep, double scaleCap) {
  public ReturnConfig {
    Check.present("returns.mode", mode);
    Check.positiveFraction("returns.emaBeta", emaBeta);
    Check.positive("returns.stdFloor", stdFloor);
    Check.notNegative("returns.maxRelativeStep", maxRelativeStep);
    Check.positive("returns.scaleCap", scaleCap);
  }

  public static ReturnConfig defaults() {
    return new ReturnConfig(ReturnMode.Z_SCORE, 0.2, 3e-3, 0.5, 1000.0);
  }
}
