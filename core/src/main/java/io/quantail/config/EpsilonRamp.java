package io.quantail.config;

/** How ε grows; setting {@code robust.ramp}. */
public enum EpsilonRamp {
  /** A straight line. */
  LINEAR,
  /** Half a cosine. */
  COSINE
}
