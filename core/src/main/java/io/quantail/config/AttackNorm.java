package io.quantail.config;

/** How the distance from an observation is measured; setting {@code robust.norm}. */
public enum AttackNorm {
  /** The largest change of a feature. */
  LINF,
  /** The Euclidean length of the change. */
  L2
}
