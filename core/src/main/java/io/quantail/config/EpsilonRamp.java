package io.quantail.config;

/** The course on which ε rises; setting {@code robust.ramp}. */
public enum EpsilonRamp {
  /** A straight line. */
  LINEAR,
  /** Half a cosine. */
  COSINE
}
