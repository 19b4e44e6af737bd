package io.quantail.config;

/** Whether a policy learns to say the same of observations that lie close together. */
public enum RobustMode {
  /** Observations are taken as they are. */
  OFF,
  /** The loss holds the divergence from what the policy says of the worst close observation. */
  STATE_ADVERSARIAL
}
