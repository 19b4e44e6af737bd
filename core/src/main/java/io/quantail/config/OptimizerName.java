package io.quantail.config;

/** Optimisers; {@code docs/optimizers.md} says when to use which. */
public enum OptimizerName {
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
