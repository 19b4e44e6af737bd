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
  private final Settings settings;
  private final float[] velocity;

  /**
   * Hyper-parameters.
   *
   * @param momentum decay of the velocity, in [0, 1)
   * @param weightDecay decay of weights, not negative
   */
  record Settings(double momentum, double weightDecay) {

    static Settings of(OptimizerConfig config) {
      return new Settings(config.momentum(), config.weightDecay());
    }
  }

  Sgd(Settings settings, int parameters) {
    this.settings = settings;
    velocity = new float[parameters];
  }

  @Override
  public void step(float[] parameters, float[] gradient, double learningRate, ChunkedRange range) {
    float momentum = (float) settings.momentum();
    float decay = (float) settings.weightDecay();
    float rate = (float) -learningRate;
    range.each(
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
