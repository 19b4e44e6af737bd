package io.quantail.optim;

import io.quantail.state.StateMap;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;

/**
 * The variance over time of every element of the gradient, summed, against the summed squares of
 * their means.
 *
 * <p>With {@code delta = g - mean}: {@code variance = (1 - a)(variance + a delta^2)}, {@code mean
 * += a delta}. That equals {@code E[g^2] - E[g]^2} of bias-corrected exponential means, but
 * subtracts nothing large: a constant gradient has a variance of exactly zero in single precision.
 *
 * <p>See: Finch, "Incremental calculation of weighted mean and variance", 2009. Pinned by the
 * vectors {@code vgs_*}.
 */
final class ElementwiseNoise implements GradientNoise {
  private final Tensor mean;
  private final Tensor variance;

  ElementwiseNoise(Tensor parameters) {
    try (Scope scope = Scope.open()) {
      mean = parameters.detach().mul(0).retain();
      variance = parameters.detach().mul(0).retain();
    }
  }

  @Override
  public void add(Tensor gradient, double weight) {
    Tensor delta = gradient.sub(mean);
    variance.mulInPlace(1 - weight).addProductInPlace(delta, delta, weight * (1 - weight));
    mean.addInPlace(delta, weight);
  }

  @Override
  public Level level() {
    try (Scope scope = Scope.open()) {
      double norm = mean.norm().item();
      return new Level(variance.sum().item(), norm * norm);
    }
  }

  @Override
  public void save(StateMap state) {
    state.putFloats("mean", mean.floats(), mean.count());
    state.putFloats("variance", variance.floats(), variance.count());
  }

  @Override
  public void load(StateMap state) {
    mean.set(state.floats("mean", mean.count()));
    variance.set(state.floats("variance", variance.count()));
  }

  @Override
  public void close() {
    mean.close();
    variance.close();
  }
}
