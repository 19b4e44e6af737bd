package io.quantail.critic;

import io.quantail.config.CvarMethod;
import io.quantail.tensor.Tensor;
import java.util.List;

/**
 * How a value head's outputs describe a distribution of returns.
 *
 * <p>All quantities are in normalised units (see {@link ReturnScale}); rows are samples.
 */
public interface Critic {

  /** Numbers a value head gives per sample. */
  int outputs();

  /** The expected return of each sample; outputs [row, output], result [row]. */
  Tensor mean(Tensor outputs);

  /** The return that a share {@code level} of the distribution lies below; result [row]. */
  Tensor quantile(Tensor outputs, double level);

  /**
   * The mean of the worst share {@code alpha} of each sample's distribution; result [row].
   *
   * @param method how it is read from quantiles; probabilities leave no choice
   */
  Tensor cvar(Tensor outputs, double alpha, CvarMethod method);

  /** The regression loss of each sample against one target each; result [row]. */
  Tensor loss(Tensor outputs, Tensor targets);

  /** The outputs that describe each sample's distribution moved by a distance; distance [row]. */
  Tensor shift(Tensor outputs, Tensor distance);

  /** The same for one row after the other, in plain numbers; for one thread. */
  CriticRow row();

  /** Whether outputs are returns themselves, so that they can follow a change of the scale. */
  boolean outputsAreReturns();

  /**
   * The value used for advantages and bootstraps: the lowest of the critics' means.
   *
   * <p>The minimum of means, not the mean of an element-wise minimum: the latter mixes quantiles of
   * different critics and is lower still.
   */
  default Tensor value(List<Tensor> critics) {
    return critics.stream().map(this::mean).reduce(Tensor::minimum).orElseThrow();
  }

  /** Broadcasting would compare every row with every other. */
  static void requireOneTargetPerRow(Tensor outputs, Tensor targets) {
    long rows = outputs.size(0);
    if (targets.count() != rows) {
      throw new IllegalArgumentException(
          "one target per sample is needed: " + rows + " samples, " + targets.count() + " targets");
    }
  }
}
