package io.quantail.config;

import io.quantail.config.Check.Setting;

/**
 * The optimiser and its learning rate; section {@code optimizer}.
 *
 * @param name {@code adam}, {@code adamw}, {@code sgd}, {@code upgd}, {@code adaptive-upgd} or
 *     {@code upgdw}; default {@code adam}
 * @param learningRate base learning rate; positive and between the two bounds; default 0.0003
 * @param schedule course of the learning rate over the run: {@code constant}, {@code linear},
 *     {@code cosine} or {@code one-cycle}; default {@code constant}
 * @param minLearningRate lower bound of the learning rate in use; at least 0; default 0
 * @param maxLearningRate upper bound of the learning rate in use; at least {@code minLearningRate};
 *     default 1
 * @param maxGradientNorm global norm gradients are clipped to; default 2; null means 0.5; zero or
 *     less switches clipping off
 * @param beta1 decay of the first moment (Adam, Adam forms of UPGD); in [0, 1); default 0.9
 * @param beta2 decay of the second moment (Adam, Adam forms of UPGD); in [0, 1); default 0.999
 * @param epsilon term that keeps Adam's divisor from zero; positive; default 1e-8
 * @param weightDecay decay of weights per step; at least 0; default 0
 * @param momentum momentum (SGD); in [0, 1); default 0
 * @param sigma noise of UPGD relative to a normalised step (Adam forms) or to the root mean square
 *     of the parameter's gradient (SGD form); at least 0; default 0.001
 * @param betaUtility decay of the utility of weights (UPGD; {@code upgdw} uses {@code beta2}); in
 *     [0, 1); default 0.999
 * @param utilityNorm how utilities are compared (UPGD): {@code min-max} or {@code global-max};
 *     default {@code min-max}
 * @param vgs variance gradient scaling
 */
public record OptimizerConfig(
    Name name,
    double learningRate,
    Schedule schedule,
    double minLearningRate,
    double maxLearningRate,
    Double maxGradientNorm,
    double beta1,
    double beta2,
    double epsilon,
    double weightDecay,
    double momentum,
    double sigma,
    double betaUtility,
    UtilityNorm utilityNorm,
    Vgs vgs) {
  private static final double DEFAULT_MAX_GRADIENT_NORM = 2;
  private static final double AUDITED_MAX_GRADIENT_NORM = 0.5;

  public OptimizerConfig {
    Check.present("optimizer.name", name);
    Check.present("optimizer.schedule", schedule);
    checkLearningRate(learningRate, minLearningRate, maxLearningRate);
    maxGradientNorm = maxGradientNorm == null ? AUDITED_MAX_GRADIENT_NORM : maxGradientNorm;
    Check.finite("optimizer.maxGradientNorm", maxGradientNorm);
    Check.decay("optimizer.beta1", beta1);
    Check.decay("optimizer.beta2", beta2);
    Check.positive("optimizer.epsilon", epsilon);
    Check.notNegative("optimizer.weightDecay", weightDecay);
    Check.decay("optimizer.momentum", momentum);
    Check.notNegative("optimizer.sigma", sigma);
    Check.decay("optimizer.betaUtility", betaUtility);
    Check.present("optimizer.utilityNorm", utilityNorm);
    Check.present("optimizer.vgs", vgs);
  }

  public static OptimizerConfig defaults() {
    return new OptimizerConfig(
        Name.ADAM,
        3e-4,
        Schedule.CONSTANT,
        0.0,
        1.0,
        DEFAULT_MAX_GRADIENT_NORM,
        0.9,
        0.999,
        1e-8,
        0.0,
        0.0,
        1e-3,
        0.999,
        UtilityNorm.MIN_MAX,
        Vgs.defaults());
  }

  private static void checkLearningRate(double rate, double min, double max) {
    Check.positive("optimizer.learningRate", rate);
    Check.notNegative("optimizer.minLearningRate", min);
    Check.positive("optimizer.maxLearningRate", max);
    Setting base = new Setting("optimizer.learningRate", rate);
    Setting low = new Setting("optimizer.minLearningRate", min);
    Setting high = new Setting("optimizer.maxLearningRate", max);
    Check.notBelow(high, low);
    Check.notBelow(base, low);
    Check.notBelow(high, base);
  }

  /** Optimisers; {@code docs/reference/optimizers.md} describes when to use which. */
  public enum Name {
    ADAM,
    /** Adam with decoupled weight decay. */
    ADAMW,
    /** Gradient descent with momentum. */
    SGD,
    /** Utility-based perturbed gradient descent on the plain gradient. */
    UPGD,
    /** UPGD on the normalised steps of Adam. */
    ADAPTIVE_UPGD,
    /** Adaptive UPGD whose utilities decay with {@code beta2}. */
    UPGDW
  }

  /** The course of the learning rate over a run; setting {@code optimizer.schedule}. */
  public enum Schedule {
    CONSTANT,
    /** A straight line to the minimum. */
    LINEAR,
    /** Half a cosine to the minimum. */
    COSINE,
    /** Up to a peak, then down. */
    ONE_CYCLE
  }

  /** How UPGD compares the utilities of weights; setting {@code optimizer.utilityNorm}. */
  public enum UtilityNorm {
    /** By their position between the smallest and the largest utility. */
    MIN_MAX,
    /** By division by the largest utility, as in the paper. */
    GLOBAL_MAX
  }

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
  public record Vgs(
      boolean enabled,
      VgsMeasure measure,
      double beta,
      double alpha,
      int warmupSteps,
      double cap,
      double floor) {
    public Vgs {
      Check.present("optimizer.vgs.measure", measure);
      Check.insideUnit("optimizer.vgs.beta", beta);
      Check.notNegative("optimizer.vgs.alpha", alpha);
      Check.atLeast("optimizer.vgs.warmupSteps", warmupSteps, 0);
      Check.positive("optimizer.vgs.cap", cap);
      Check.positiveFraction("optimizer.vgs.floor", floor);
    }

    public static Vgs defaults() {
      return new Vgs(false, VgsMeasure.ELEMENTWISE, 0.99, 0.1, 100, 50, 0.1);
    }
  }

  /** Measure of the noise of the gradient; setting {@code optimizer.vgs.measure}. */
  public enum VgsMeasure {
    /** Variance over time of every element, summed, over the summed squares of their means. */
    ELEMENTWISE,
    /** Variance over time of the mean over all elements. */
    MEAN,
    /** Variance over time of the Euclidean norm. */
    NORM,
    /** Variance over time and elements together; takes differences between elements for noise. */
    POOLED
  }
}
