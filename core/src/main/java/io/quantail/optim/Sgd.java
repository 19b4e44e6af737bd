package io.quantail.optim;

import io.quantail.config.OptimizerConfig;
import io.quantail.parallel.ChunkedRange;
import io.quantail.state.StateMap;

/**
 * Stochastic gradient descent: {@code b = momentum b + g + decay w}, {@code w -= lr b}.
 *
 * <p>See: Sutskever, Martens, Dahl, Hinton, "On the importance of initialization and momentum in
 * deep learning", ICML 2013; without the damping of the gradient.
 */
public final class Sgd implements Optimizer {
  private final OptimizerConfig config;
  private final float[] velocity;

  public Sgd(OptimizerConfig config, int parameters) {
    this.config = config;
    velocity = new float[parameters];
  }

  @Override
  public void step(float[] parameters, float[] gradient, double learningRate, ChunkedRange walk) {
    float momentum = (float) config.momentum();
    float decay = (float) config.weightDecay();
    float rate = (float) -learningRate;
    walk.each(
        (from, to) -> {
          for (int i = from; i < to; i++) {
            float moved = Math.fma(decay, parameters[i], momentum * velocity[i] + gradient[i]);
            velocity[i] = moved;
            parameters[i] = Math.fma(rate, moved, parameters[i]);
          }
        });
  }

  @Override
  public boolean scaleFree() {
    return false;
  }

  @Override
  public void save(StateMap state) {
    state.putFloats("velocity", velocity, velocity.length);
  }

  @Override
  public Runnable restoring(StateMap state) {
    float[] saved = state.floats("velocity", velocity.length);
    return () -> System.arraycopy(saved, 0, velocity, 0, saved.length);
  }
}
