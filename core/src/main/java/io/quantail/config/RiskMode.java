package io.quantail.config;

/** How the limit on the lower tail acts. */
public enum RiskMode {
  /** The tail is measured and reported; nothing acts on it. */
  OFF,
  /** A weight on the predicted CVaR in the loss, ramped in while the limit is violated. */
  PENALTY,
  /** A multiplier on the predicted violation in the loss. */
  CONSTRAINT,
  /** A multiplier on the shortfall in the advantages: the policy itself avoids the tail. */
  POLICY
}
