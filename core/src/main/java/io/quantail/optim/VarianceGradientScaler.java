package io.quantail.optim;

import io.quantail.config.OptimizerConfig;
import io.quantail.network.Parameters;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;
import java.util.List;

/**
 * A factor in [floor, 1] that shortens optimiser steps while the gradient is noisy.
 *
 * <p>With the normalised variance {@code nv = variance / squared mean} of raw gradients over time:
 * {@code factor = max(floor, 1 / (1 + alpha min(nv, cap)))}, and 1 until {@code warmupSteps}
 * gradients have been added. The caller reads the factor before it adds the gradient, so that a
 * factor never depends on the gradient it is applied to. Pure noise has {@code nv = 2 beta / (1 -
 * beta)}.
 *
 * <p>The caller multiplies the learning rate of a {@linkplain Optimizer#scaleFree() scale-free}
 * optimiser, in which a factor on the gradient would cancel, and the gradient of another. Pinned by
 * the vectors {@code vgs_*} and by {@code VarianceGradientScalerTest}.
 */
public final class VarianceGradientScaler implements Restorable {
  private final OptimizerConfig.Vgs config;
  private final GradientNoise noise;
  private long steps;

  public VarianceGradientScaler(OptimizerConfig.Vgs config, int parameters) {
    this.config = config;
    noise = GradientNoise.of(config.measure(), parameters);
  }

  /** The factor for the next step, from the gradients added so far. */
  public double factor() {
    return factor(config, steps, steps == 0 ? 0 : normalizedVariance());
  }

  static double factor(OptimizerConfig.Vgs config, long steps, double normalizedVariance) {
    if (steps < config.warmupSteps()) {
      return 1;
    }
    double factor = 1 / (1 + config.alpha() * Math.min(normalizedVariance, config.cap()));
    return Math.max(config.floor(), factor);
  }

  /** Adds the raw gradient of a step: finite, neither scaled nor clipped. */
  public void add(float[] gradient) {
    steps++;
    double weight = (1 - config.beta()) / (1 - Math.pow(config.beta(), steps));
    noise.add(gradient, weight);
  }

  double normalizedVariance() {
    return level().normalized();
  }

  GradientNoise.Level level() {
    return noise.level();
  }

  /**
   * The noise of the gradients added so far.
   *
   * @param measure how it is measured
   * @param normalizedVariance variance over squared mean
   * @param factor factor for the next step
   * @param steps number of gradients
   * @param warmingUp whether the factor is still 1 because there are too few gradients
   * @param tensors variance over squared mean of each tensor; empty unless measured elementwise
   */
  public record Reading(
      OptimizerConfig.VgsMeasure measure,
      double normalizedVariance,
      double factor,
      long steps,
      boolean warmingUp,
      List<Double> tensors) {}

  /**
   * The noise of the gradients added so far.
   *
   * @param tensors ranges of the gradient that are also measured one by one
   */
  public Reading reading(List<Parameters.Slot> tensors) {
    return new Reading(
        config.measure(),
        normalizedVariance(),
        factor(),
        steps,
        steps < config.warmupSteps(),
        noise.levels(tensors).stream().map(GradientNoise.Level::normalized).toList());
  }

  @Override
  public void save(StateMap state) {
    state.putLong("steps", steps);
    noise.save(state);
  }

  @Override
  public Runnable restoring(StateMap state) {
    long savedSteps = state.longValue("steps");
    Runnable moments = noise.restoring(state);
    return () -> {
      steps = savedSteps;
      moments.run();
    };
  }
}
