package io.quantail.optim;

import io.quantail.config.OptimizerConfig;
import io.quantail.state.StateMap;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;

/**
 * Stochastic gradient descent: {@code b = momentum b + g + decay w}, {@code w -= lr b}.
 *
 * <p>See: Sutskever, Martens, Dahl, Hinton, "On the importance of initialization and momentum in
 * deep learning", ICML 2013; without the damping of the gradient.
 */
public final class Sgd implements Optimizer {
  private final OptimizerConfig config;
  private final Tensor velocity;

  public Sgd(OptimizerConfig config, Tensor parameters) {
    this.config = config;
    try (Scope scope = Scope.open()) {
      velocity = parameters.detach().mul(0).retain();
    }
  }

  @Override
  public void step(Tensor parameters, Tensor gradient, double learningRate) {
    velocity
        .mulInPlace(config.momentum())
        .addInPlace(gradient)
        .addInPlace(parameters, config.weightDecay());
    parameters.addInPlace(velocity, -learningRate);
  }

  @Override
  public boolean scaleFree() {
    return false;
  }

  @Override
  public void save(StateMap state) {
    state.putFloats("velocity", velocity.floats(), velocity.count());
  }

  @Override
  public void load(StateMap state) {
    velocity.set(state.floats("velocity", velocity.count()));
  }

  @Override
  public void close() {
    velocity.close();
  }
}
