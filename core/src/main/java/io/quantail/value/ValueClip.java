package io.quantail.value;

import io.quantail.config.CriticConfig;

/**
 * Limits the change of a critic's prediction from the one made during the rollout.
 *
 * <p>With {@code m} the mean of the quantiles or atoms, {@code d = m - m_old}, {@code r} the range
 * and {@code s = sqrt(variance + 1e-8)}:
 *
 * <ul>
 *   <li>mean only: the distribution is shifted by {@code clip(d, -r, r) - d};
 *   <li>mean and variance: then contracted about its mean by {@code min(1, f s_old / s)};
 *   <li>per quantile: {@code q_old + clip(q - q_old, -r, r)}.
 * </ul>
 *
 * <p>Each mode is a pair of functions of one sample: {@link #apply} gives the limited prediction,
 * {@link #gradient} carries a gradient back through it. Old outputs are constants. All is in
 * normalised units, and each critic is compared with its own old outputs. A mean head is neither
 * limited nor used. {@link ClippedLoss} is the loss made of them.
 *
 * <p>See: Schulman, Moritz, Levine, Jordan, Abbeel, "High-dimensional continuous control using
 * generalized advantage estimation", 2015, arXiv:1506.02438, for limiting the value function; the
 * clipped form follows OpenAI's PPO code. Pinned by the vectors {@code vf_clip_*} and {@code
 * twin_*}.
 *
 * @param mode what is limited; not {@code DISABLE}
 * @param range how far the mean or a quantile may move, in normalised units
 * @param varianceFactor how many times the old standard deviation the new one may reach
 */
public record ValueClip(CriticConfig.ClipMode mode, double range, double varianceFactor) {
  private static final double VARIANCE_FLOOR = 1e-8;

  public ValueClip {
    if (mode == CriticConfig.ClipMode.DISABLE) {
      throw new IllegalArgumentException("a value clip needs a mode that limits something");
    }
  }

  /**
   * Limits the prediction of one sample.
   *
   * @param old the critic's outputs during the rollout, at an offset of their own
   * @param limited receives the limited outputs, from index 0 on
   * @return whether the limit changed the prediction
   */
  public boolean apply(
      Critic critic, float[] outputs, int offset, float[] old, int oldOffset, float[] limited) {
    return switch (mode) {
      case DISABLE -> throw new IllegalStateException("refused by the constructor");
      case MEAN_ONLY -> {
        double moved = moved(critic, outputs, offset, old, oldOffset);
        critic.shift(outputs, offset, correction(moved), limited);
        yield Math.abs(moved) > range;
      }
      case MEAN_AND_VARIANCE -> contract(critic, outputs, offset, old, oldOffset, limited);
      case PER_QUANTILE -> limitEach(critic, outputs, offset, old, oldOffset, limited);
    };
  }

  /**
   * The gradient by the outputs, given that by the limited ones.
   *
   * @param dLimited derivative by each limited output, from index 0 on
   * @param dOutputs receives the derivative by each output
   */
  public void gradient(
      Critic critic,
      float[] outputs,
      int offset,
      float[] old,
      int oldOffset,
      float[] dLimited,
      float[] dOutputs) {
    switch (mode) {
      case DISABLE -> throw new IllegalStateException("refused by the constructor");
      case MEAN_ONLY -> {
        double moved = moved(critic, outputs, offset, old, oldOffset);
        double byDistance =
            critic.shiftGradient(outputs, offset, correction(moved), dLimited, dOutputs);
        if (Math.abs(moved) > range) {
          critic.addCentreGradient(outputs, offset, -byDistance, dOutputs);
        }
      }
      case MEAN_AND_VARIANCE ->
          contractedGradient(critic, outputs, offset, old, oldOffset, dLimited, dOutputs);
      case PER_QUANTILE -> {
        for (int i = 0; i < critic.points(); i++) {
          boolean free = Math.abs(outputs[offset + i] - old[oldOffset + i]) <= range;
          dOutputs[offset + i] = free ? dLimited[i] : 0;
        }
      }
    }
  }

  private static double moved(
      Critic critic, float[] outputs, int offset, float[] old, int oldOffset) {
    return critic.centre(outputs, offset) - critic.centre(old, oldOffset);
  }

  /** The shift that brings the mean back into its range; exactly zero inside it. */
  double correction(double moved) {
    return Math.max(-range, Math.min(range, moved)) - moved;
  }

  private boolean contract(
      Critic critic, float[] outputs, int offset, float[] old, int oldOffset, float[] limited) {
    double mean = critic.centre(outputs, offset);
    double oldMean = critic.centre(old, oldOffset);
    double moved = mean - oldMean;
    double ratio =
        deviationRatio(
            deviation(critic, old, oldOffset, oldMean), deviation(critic, outputs, offset, mean));
    double factor = Math.min(1, ratio);
    double center = mean + correction(moved);
    for (int i = 0; i < critic.points(); i++) {
      limited[i] = (float) (factor * (outputs[offset + i] - mean) + center);
    }
    return Math.abs(moved) > range || ratio < 1;
  }

  /**
   * With factor {@code c = f s_old / s} below 1, {@code dc / dq_j = -c (q_j - m) / (N s^2)}; the
   * centre follows the mean while that is inside the range.
   */
  private void contractedGradient(
      Critic critic,
      float[] outputs,
      int offset,
      float[] old,
      int oldOffset,
      float[] dLimited,
      float[] dOutputs) {
    int count = critic.points();
    double mean = critic.centre(outputs, offset);
    double oldMean = critic.centre(old, oldOffset);
    double moved = mean - oldMean;
    double deviation = deviation(critic, outputs, offset, mean);
    double ratio = deviationRatio(deviation(critic, old, oldOffset, oldMean), deviation);
    double factor = Math.min(1, ratio);
    double sum = 0;
    double byFactor = 0;
    for (int i = 0; i < count; i++) {
      sum += dLimited[i];
      byFactor += dLimited[i] * (outputs[offset + i] - mean);
    }
    double pull = ratio < 1 ? -factor * byFactor / (count * deviation * deviation) : 0;
    double center = Math.abs(moved) <= range ? sum / count : 0;
    for (int i = 0; i < count; i++) {
      dOutputs[offset + i] =
          (float)
              (factor * (dLimited[i] - sum / count) + center + pull * (outputs[offset + i] - mean));
    }
  }

  private boolean limitEach(
      Critic critic, float[] outputs, int offset, float[] old, int oldOffset, float[] limited) {
    float limit = (float) range;
    boolean active = false;
    for (int i = 0; i < critic.points(); i++) {
      float before = old[oldOffset + i];
      float moved = outputs[offset + i] - before;
      boolean beyond = Math.abs(moved) > range;
      active |= beyond;
      limited[i] = beyond ? before + Math.copySign(limit, moved) : outputs[offset + i];
    }
    return active;
  }

  /** The largest allowed standard deviation as a multiple of the current one. */
  double deviationRatio(double oldDeviation, double deviation) {
    return oldDeviation * varianceFactor / deviation;
  }

  /** Population standard deviation of quantiles about their mean, with a minimum. */
  static double deviation(Critic critic, float[] quantiles, int offset, double mean) {
    double squares = 0;
    for (int i = 0; i < critic.points(); i++) {
      double distance = quantiles[offset + i] - mean;
      squares += distance * distance;
    }
    return Math.sqrt(squares / critic.points() + VARIANCE_FLOOR);
  }
}
