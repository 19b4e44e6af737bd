package io.quantail.config;

/** How an observation is searched that changes the policy most; setting {@code robust.attack}. */
public enum AttackMethod {
  /** One gradient, then to the edge of what is allowed. */
  FGSM,
  /** Several steps along the gradient, each brought back into what is allowed. */
  PGD
}
