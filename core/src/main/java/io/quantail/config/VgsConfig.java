package io.quantail.config;

/**
 * Variance gradient scaling: smaller steps while the gradient is noisy; section {@code
 * optimizer.vgs}.
 *
 * @param enabled whether it acts; default false
 * @param measure measure of the noise: {@code elementwise}, {@code mean}, {@code norm} or {@code
 *     pooled}; default {@code elementwise}
 * @param beta decay of the running moments of the gradient; in (0, 1); default 0.99
 * @param alpha how strongly noise shortens steps; at least 0; default 0.1
 * @param warmupSteps optimiser steps before scaling begins; at least 0; default 100
 * @param cap upper bound of the normalised variance; positive; default 50
 * @param floor smallest factor on a step; in (0, 1]; default 0.1
 */
public record VgsConfig(
    boolean enabled,
    VgsMeasure measure,
    double beta,
    double alpha,
    int warmupSteps,
    double cap,
    double floor) {
  public VgsConfig {
    Check.present("optimizer.vgs.measure", measure);
    Check.insideUnit("optimizer.vgs.beta", beta);
    Check.notNegative("optimizer.vgs.alpha", alpha);
    Check.atLeast("optimizer.vgs.warmupSteps", warmupSteps, 0);
    Check.positive("optimizer.vgs.cap", cap);
    Check.positiveFraction("optimizer.vgs.floor", floor);
  }

  public static VgsConfig defaults() {
    return new VgsConfig(false, VgsMeasure.ELEMENTWISE, 0.99, 0.1, 100, 50, 0.1);
  }
}
