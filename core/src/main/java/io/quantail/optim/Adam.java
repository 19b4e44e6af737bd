package io.quantail.optim;

import io.quantail.config.OptimizerConfig;
import io.quantail.state.StateMap;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;

/**
 * Adam, and AdamW when the weight decay is decoupled.
 *
 * <p>{@code m = b1 m + (1 - b1) g}, {@code v = b2 v + (1 - b2) g^2}, {@code w -= lr m' / (sqrt(v')
 * + eps)} with bias-corrected {@code m'}, {@code v'}. Decay: Adam adds {@code decay w} to the
 * gradient, AdamW multiplies {@code w} by {@code 1 - lr decay} before the step.
 *
 * <p>See: Kingma, Ba, "Adam: a method for stochastic optimization", ICLR 2015, arXiv:1412.6980;
 * Loshchilov, Hutter, "Decoupled weight decay regularization", ICLR 2019, arXiv:1711.05101. Pinned
 * by {@code adamw_one_step} and a brute-force twin in {@code OptimizerTest}.
 */
public final class Adam implements Optimizer {
  private final OptimizerConfig config;
  private final boolean decoupledDecay;
  private final Tensor firstMoment;
  private final Tensor secondMoment;
  private long steps;

  public Adam(OptimizerConfig config, boolean decoupledDecay, Tensor parameters) {
    this.config = config;
    this.decoupledDecay = decoupledDecay;
    try (Scope scope = Scope.open()) {
      firstMoment = parameters.detach().mul(0).retain();
      secondMoment = parameters.detach().mul(0).retain();
    }
  }

  @Override
  public void step(Tensor parameters, Tensor gradient, double learningRate) {
    steps++;
    Tensor direction = gradient;
    if (decoupledDecay) {
      parameters.mulInPlace(1 - learningRate * config.weightDecay());
    } else if (config.weightDecay() > 0) {
      direction = gradient.add(parameters.mul(config.weightDecay()));
    }
    firstMoment.mulInPlace(config.beta1()).addInPlace(direction, 1 - config.beta1());
    secondMoment
        .mulInPlace(config.beta2())
        .addProductInPlace(direction, direction, 1 - config.beta2());
    double firstCorrection = 1 - Math.pow(config.beta1(), steps);
    double secondCorrection = 1 - Math.pow(config.beta2(), steps);
    Tensor denominator =
        secondMoment.mul(1 / secondCorrection).sqrtInPlace().addInPlace(config.epsilon());
    parameters.addQuotientInPlace(firstMoment, denominator, -learningRate / firstCorrection);
  }

  @Override
  public boolean scaleFree() {
    return true;
  }

  @Override
  public void save(StateMap state) {
    state.putLong("steps", steps);
    state.putFloats("firstMoment", firstMoment.floats(), firstMoment.count());
    state.putFloats("secondMoment", secondMoment.floats(), secondMoment.count());
  }

  @Override
  public void load(StateMap state) {
    steps = state.longValue("steps");
    firstMoment.set(state.floats("firstMoment", firstMoment.count()));
    secondMoment.set(state.floats("secondMoment", secondMoment.count()));
  }

  @Override
  public void close() {
    firstMoment.close();
    secondMoment.close();
  }
}
