package io.quantail.critic;

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

  /** The regression loss of each sample against one target each; result [row]. */
  Tensor loss(Tensor outputs, Tensor targets);

  /**
   * The value used for advantages and bootstraps: the lowest of the critics' means.
   *
   * <p>The minimum of means, not the mean of an element-wise minimum: the latter mixes quantiles of
   * different critics and is lower still.
   */
  default Tensor value(List<Tensor> critics) {
    return critics.stream().map(this::mean).reduce(Tensor::minimum).orElseThrow();
  }
}
