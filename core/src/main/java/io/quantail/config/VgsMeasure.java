package io.quantail.config;

/** What counts as noise of the gradient; setting {@code optimizer.vgs.measure}. */
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
