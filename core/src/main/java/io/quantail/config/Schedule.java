package io.quantail.config;

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
