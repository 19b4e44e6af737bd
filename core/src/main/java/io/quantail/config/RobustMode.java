package io.quantail.config;

/** Whether a policy is trained to change little between observations that lie close together. */
public enum RobustMode {
  /** Observations are taken as they are. */
  OFF,
  /** The loss contains the KL divergence to the policy at the worst observation nearby. */
  STATE_ADVERSARIAL
}
