package io.quantail.value;

/**
 * Converts raw returns to normalised returns and back: {@code z = (x - mean) / std}.
 *
 * <p>An immutable pair, frozen from the start of a rollout to the end of the update that consumes
 * it, so that values, bootstraps, advantages and targets of one cycle are in the same units.
 *
 * @param mean centre of the raw returns
 * @param std standard deviation of the raw returns, or another dispersion; positive
 */
public record ReturnScale(double mean, double std) {

  /** The scale before the first rollout: normalised units are raw units. */
  public static final ReturnScale IDENTITY = new ReturnScale(0, 1);

  public ReturnScale {
    if (!Double.isFinite(mean) || !Double.isFinite(std) || std <= 0) {
      throw new IllegalArgumentException(
          "a return scale needs a finite mean and a positive std, was (" + mean + ", " + std + ")");
    }
  }

  /** A raw return in normalised units. */
  public double normalize(double raw) {
    return (raw - mean) / std;
  }

  /** A normalised return in raw units. */
  public double denormalize(double normalized) {
    return normalized * std + mean;
  }

  /** Raw returns in normalised units. */
  public double[] normalize(double[] raw) {
    double[] normalized = new double[raw.length];
    for (int i = 0; i < raw.length; i++) {
      normalized[i] = normalize(raw[i]);
    }
    return normalized;
  }
}
