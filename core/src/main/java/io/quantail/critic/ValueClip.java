package io.quantail.critic;

import io.quantail.config.ValueClipMode;
import io.quantail.tensor.Tensor;

/**
 * Limits how far a critic's prediction may move from the one it made during the rollout.
 *
 * <p>With {@code m} the mean, {@code d = m - m_old}, {@code r} the range and {@code s =
 * sqrt(variance + 1e-8)}:
 *
 * <ul>
 *   <li>mean only: the distribution is moved by {@code clip(d, -r, r) - d};
 *   <li>mean and variance: then drawn together about its mean by {@code min(1, f s_old / s)};
 *   <li>per quantile: {@code q_old + clip(q - q_old, -r, r)}.
 * </ul>
 *
 * <p>The loss of a sample is the larger of the losses of the free and the clipped prediction, both
 * against the same target, which is never clipped. All is in normalised units, and each critic is
 * compared with its own old outputs.
 *
 * <p>See: Schulman, Moritz, Levine, Jordan, Abbeel, "High-dimensional continuous control using
 * generalized advantage estimation", 2015, arXiv:1506.02438, for limiting the value function; the
 * clipped form follows OpenAI's PPO code. Pinned by the vectors {@code vf_clip_*} and {@code
 * twin_*}.
 *
 * @param mode what is limited; not {@code DISABLE}
 * @param range how far the mean or a quantile may move, in normalised units
 * @param varianceFactor how many times the old spread the new one may reach
 */
public record ValueClip(ValueClipMode mode, double range, double varianceFactor) {
  private static final double VARIANCE_FLOOR = 1e-8;

  public ValueClip {
    if (mode == ValueClipMode.DISABLE) {
      throw new IllegalArgumentException("a value clip needs a mode that limits something");
    }
  }

  /**
   * A limited prediction.
   *
   * @param outputs what the critic would have to give, [row, output]
   * @param active 1 where the limit changed something, else 0; [row]
   */
  public record Clipped(Tensor outputs, Tensor active) {}

  /**
   * The losses of one critic, each [row].
   *
   * @param free loss of the prediction
   * @param clipped loss of the limited prediction
   * @param active 1 where the limit changed the prediction, else 0
   */
  public record Loss(Tensor free, Tensor clipped, Tensor active) {

    /** The larger loss of each sample. */
    public Tensor larger() {
      return free.maximum(clipped);
    }

    /** 1 where the clipped loss is the larger, so that the limit governs the gradient, else 0. */
    public Tensor binding() {
      return free.sub(clipped).below(0);
    }
  }

  /** The losses of one critic against one target each. */
  public Loss loss(Critic critic, Tensor outputs, Tensor old, Tensor targets) {
    Clipped limited = clip(critic, outputs, old);
    return new Loss(
        critic.loss(outputs, targets), critic.loss(limited.outputs(), targets), limited.active());
  }

  /** Limits outputs [row, output] to the neighbourhood of the critic's old ones. */
  public Clipped clip(Critic critic, Tensor outputs, Tensor old) {
    return switch (mode) {
      case DISABLE -> throw new IllegalStateException("refused by the constructor");
      case MEAN_ONLY -> clipMean(critic, outputs, old);
      case MEAN_AND_VARIANCE -> clipMeanAndVariance(critic, outputs, old);
      case PER_QUANTILE -> clipEach(outputs, old);
    };
  }

  private Clipped clipMean(Critic critic, Tensor outputs, Tensor old) {
    Tensor moved = critic.mean(outputs).sub(critic.mean(old)); // [row]
    return new Clipped(critic.shift(outputs, wayBack(moved)), beyondRange(moved));
  }

  /** Exactly zero inside the range, so that an idle limit leaves the prediction as it is. */
  Tensor wayBack(Tensor moved) {
    return moved.clamp(-range, range).sub(moved);
  }

  private Clipped clipMeanAndVariance(Critic critic, Tensor outputs, Tensor old) {
    Clipped shifted = clipMean(critic, outputs, old);
    Tensor ratio = spreadRatio(outputs, old); // [row]
    Tensor mean = critic.mean(shifted.outputs()).unsqueeze(1);
    Tensor drawn =
        shifted.outputs().sub(mean).mul(ratio.clamp(0, 1).unsqueeze(1)).add(mean); // [row, output]
    return new Clipped(drawn, shifted.active().maximum(ratio.below(1)));
  }

  private Clipped clipEach(Tensor outputs, Tensor old) {
    Tensor moved = outputs.sub(old); // [row, quantile]
    return new Clipped(old.add(moved.clamp(-range, range)), beyondRange(moved).sum(1).clamp(0, 1));
  }

  /** The largest spread allowed, as a multiple of the present one; [row]. */
  Tensor spreadRatio(Tensor outputs, Tensor old) {
    return spread(old).mul(varianceFactor).div(spread(outputs));
  }

  /** Population standard deviation of quantiles about their own mean; [row]. */
  static Tensor spread(Tensor quantiles) {
    Tensor centred = quantiles.sub(quantiles.mean(1).unsqueeze(1));
    return centred.square().mean(1).add(VARIANCE_FLOOR).sqrt();
  }

  private Tensor beyondRange(Tensor moved) {
    return moved.abs().neg().add(range).below(0);
  }
}
