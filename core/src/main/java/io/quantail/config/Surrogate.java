package io.quantail.config;

/** The policy objective; setting {@code ppo.surrogate}. */
public enum Surrogate {
  /** The clipped surrogate of PPO. */
  CLIP,
  /** A smooth replacement whose gradient fades instead of stopping at the clip range. */
  SMOOTH
}
