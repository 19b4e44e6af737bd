package io.quantail.optim;

/**
 * Limits the global norm of a gradient: it is multiplied by {@code min(1, limit / (norm + 1e-6))}.
 *
 * <p>See: Pascanu, Mikolov, Bengio, "On the difficulty of training recurrent neural networks", ICML
 * 2013, arXiv:1211.5063. Pinned by {@code grad_global_norm_clip}.
 *
 * @param limit largest norm allowed; infinite when clipping is off
 */
public record GradientNormClip(double limit) {
  private static final double DEFAULT_LIMIT = 0.5;
  private static final double EPSILON = 1e-6;

  /** Unset means 0.5, zero or less means no clipping. */
  public static GradientNormClip of(Double setting) {
    if (setting == null) {
      return new GradientNormClip(DEFAULT_LIMIT);
    }
    return new GradientNormClip(setting <= 0 ? Double.POSITIVE_INFINITY : setting);
  }

  /** The factor for a gradient of the given norm. */
  public double coefficient(double norm) {
    return Math.min(1, limit / (norm + EPSILON));
  }
}
