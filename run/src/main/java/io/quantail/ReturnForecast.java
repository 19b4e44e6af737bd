package io.quantail;

import io.quantail.config.RiskConfig.CvarMethod;
import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;
import java.util.Locale;

/**
 * The distribution of the discounted return from a decision on, as the critics predict it, in the
 * units of the reward.
 *
 * <p>It looks beyond a time limit: an episode that is truncated after 50 steps is predicted as if
 * it went on, so the mean may be larger than the return of any episode. Of twin critics it is the
 * distribution of the one with the lower mean.
 */
public final class ReturnForecast {
  private final Critic critic;
  private final ReturnScale scale;
  private final CvarMethod method;
  private final double gamma;
  private float[] outputs = {}; // of all critics, side by side
  private boolean read;

  ReturnForecast(Critic critic, ReturnScale scale, CvarMethod method, double gamma) {
    this.critic = critic;
    this.scale = scale;
    this.method = method;
    this.gamma = gamma;
  }

  /** Makes it the forecast of what the critics give for another observation. */
  ReturnForecast of(float[] criticOutputs) {
    outputs = criticOutputs;
    read = false;
    return this;
  }

  ReturnForecast copy() {
    return new ReturnForecast(critic.another(), scale, method, gamma).of(outputs.clone());
  }

  private Critic reading() {
    if (!read) {
      critic.read(outputs);
      read = true;
    }
    return critic;
  }

  /** {@return the expected return} */
  public double mean() {
    return scale.denormalize(critic.value(outputs));
  }

  /**
   * Reads a quantile.
   *
   * @param level probability of a lower return, above 0 and below 1
   * @return the return below which it lies with that probability
   */
  public double quantile(double level) {
    if (!(level > 0 && level < 1)) {
      throw new IllegalArgumentException("level must be between 0 and 1, was " + level);
    }
    return scale.denormalize(reading().quantile(level));
  }

  /**
   * Reads the mean of the worst returns.
   *
   * @param alpha fraction of the worst returns, above 0 and at most 1
   * @return their mean
   */
  public double cvar(double alpha) {
    if (!(alpha > 0 && alpha <= 1)) {
      throw new IllegalArgumentException("alpha must be above 0 and at most 1, was " + alpha);
    }
    return scale.denormalize(reading().cvar(alpha, method));
  }

  /**
   * Reads a probability.
   *
   * @param value a return
   * @return the probability of that return or a lower one
   */
  public double probabilityBelow(double value) {
    return reading().level(scale.normalize(value));
  }

  /** {@return the factor by which the reward of each later step counts less} */
  public double discount() {
    return gamma;
  }

  /** {@return the distance between the means of twin critics; 0 with one critic} */
  public double disagreement() {
    double lowest = Double.POSITIVE_INFINITY;
    double highest = Double.NEGATIVE_INFINITY;
    for (int offset = 0; offset < outputs.length; offset += critic.outputs()) {
      double mean = critic.mean(outputs, offset);
      lowest = Math.min(lowest, mean);
      highest = Math.max(highest, mean);
    }
    return (highest - lowest) * scale.std();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.4g (5 %% to 95 %%: %.4g to %.4g; discounted by %s per step, beyond any time limit)",
        mean(),
        quantile(0.05),
        quantile(0.95),
        gamma);
  }
}
