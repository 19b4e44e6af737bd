package io.quantail.telemetry;

import io.quantail.metrics.Metrics;
import java.util.OptionalDouble;

/**
 * Compares the gradient norms of two critics' heads, measured before clipping.
 *
 * <p>{@code ratio = first / second}, defined when both norms exceed {@value #VANISHING}. A ratio
 * above {@value #IMBALANCE} or below its inverse is an imbalance; a norm below {@value #VANISHING}
 * is a vanished gradient of that critic. {@code CriticGradientBalanceTest} and the vectors {@code
 * twin_grad_monitor} and {@code twin_gradient_monitor} pin it.
 *
 * @param first gradient norm of the first critic's head
 * @param second gradient norm of the second critic's head
 */
public record CriticGradientBalance(double first, double second) {
  private static final double VANISHING = 1e-8;
  private static final double IMBALANCE = 100;

  /** First norm over second; empty when either gradient has vanished. */
  public OptionalDouble ratio() {
    return first > VANISHING && second > VANISHING
        ? OptionalDouble.of(first / second)
        : OptionalDouble.empty();
  }

  /** Whether one head learns so much faster that the twin critics no longer correct each other. */
  public boolean imbalanced() {
    double ratio = ratio().orElse(1);
    return ratio > IMBALANCE || ratio < 1 / IMBALANCE;
  }

  /** Whether the gradient of the first critic has vanished. */
  public boolean firstVanishing() {
    return first < VANISHING;
  }

  /** Whether the gradient of the second critic has vanished. */
  public boolean secondVanishing() {
    return second < VANISHING;
  }

  /** Reports the ratio where it is defined, and warnings. */
  public void report(Metrics metrics) {
    ratio().ifPresent(ratio -> metrics.put("train/critics_grad_ratio", ratio));
    if (imbalanced()) {
      metrics.put("warn/twin_critics_gradient_imbalance", 1);
      metrics.put("warn/critics_grad_imbalance_ratio", ratio().orElseThrow());
    }
    if (firstVanishing()) {
      metrics.put("warn/critic1_vanishing_gradients", first);
    }
    if (secondVanishing()) {
      metrics.put("warn/critic2_vanishing_gradients", second);
    }
  }
}
