package io.quantail.config;

/**
 * Search methods for the observation that changes the policy most; setting {@code robust.attack}.
 */
public enum AttackMethod {
  /** One gradient step to the boundary of the allowed set. */
  FGSM,
  /** Several gradient steps, each projected back into the allowed set. */
  PGD
}
