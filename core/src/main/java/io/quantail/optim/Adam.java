package io.quantail.optim;

import io.quantail.config.OptimizerConfig;
import io.quantail.parallel.ChunkedRange;
import io.quantail.state.StateMap;

/**
 * Adam, and AdamW when the weight decay is decoupled.
 *
 * <p>{@code m = b1 m + (1 - b1) g}, {@code v = b2 v + (1 - b2) g^2}, {@code w -= lr m' / (sqrt(v')
 * + eps)} with bias-corrected {@code m'}, {@code v'}. Decay: Adam adds {@code decay w} to the
 * gradient, AdamW multiplies {@code w} by {@code 1 - lr decay} before the step.
 *
 * <p>See: Kingma, Ba, "Adam: a method for stochastic optimization", ICLR 2015, arXiv:1412.6980;
 * Loshchilov, Hutter, "Decoupled weight decay regularization", ICLR 2019, arXiv:1711.05101. Pinned
 * by {@code adamw_one_step} and a brute-force loop in {@code OptimizerTest}.
 */
public final class Adam implements Optimizer {
  private final Settings settings;
  private final float[] firstMoment;
  private final float[] secondMoment;
  private long steps;

  /**
   * Hyper-parameters.
   *
   * @param beta1 decay of the first moment, in [0, 1)
   * @param beta2 decay of the second moment, in [0, 1)
   * @param epsilon term that keeps the divisor from zero
   * @param weightDecay decay of weights, not negative
   * @param decoupledDecay whether weights decay beside the step (AdamW) or through the gradient
   */
  record Settings(
      double beta1, double beta2, double epsilon, double weightDecay, boolean decoupledDecay) {

    /** The settings of {@code adam} or {@code adamw}. */
    static Settings of(OptimizerConfig config) {
      return new Settings(
          config.beta1(),
          config.beta2(),
          config.epsilon(),
          config.weightDecay(),
          config.name() == OptimizerConfig.Name.ADAMW);
    }
  }

  /** Constants of one step, the same for all parameters. */
  private record Factors(
      float keep,
      float decay,
      float beta1,
      float beta2,
      float share1,
      float share2,
      float correction,
      float rate) {}

  Adam(Settings settings, int parameters) {
    this.settings = settings;
    firstMoment = new float[parameters];
    secondMoment = new float[parameters];
  }

  @Override
  public void step(float[] parameters, float[] gradient, double learningRate, ChunkedRange range) {
    steps++;
    Factors factors = factors(learningRate);
    range.each((from, to) -> change(parameters, gradient, from, to, factors));
  }

  private Factors factors(double learningRate) {
    boolean decoupled = settings.decoupledDecay();
    return new Factors(
        decoupled ? (float) (1 - learningRate * settings.weightDecay()) : 1,
        decoupled ? 0 : (float) settings.weightDecay(),
        (float) settings.beta1(),
        (float) settings.beta2(),
        (float) (1 - settings.beta1()),
        (float) (1 - settings.beta2()),
        (float) (1 / (1 - Math.pow(settings.beta2(), steps))),
        (float) (-learningRate / (1 - Math.pow(settings.beta1(), steps))));
  }

  private void change(float[] parameters, float[] gradient, int from, int to, Factors factors) {
    float keep = factors.keep;
    float decay = factors.decay;
    float beta1 = factors.beta1;
    float beta2 = factors.beta2;
    float share1 = factors.share1;
    float share2 = factors.share2;
    float correction = factors.correction;
    float rate = factors.rate;
    float epsilon = (float) settings.epsilon();
    float[] first = firstMoment;
    float[] second = secondMoment;
    for (int i = from; i < to; i++) {
      float g = gradient[i] + decay * parameters[i];
      float m = Math.fma(share1, g, beta1 * first[i]);
      float v = Math.fma(share2 * g, g, beta2 * second[i]);
      first[i] = m;
      second[i] = v;
      float root = (float) Math.sqrt(v * correction);
      parameters[i] = keep * parameters[i] + rate * m / (root + epsilon);
    }
  }

  @Override
  public boolean scaleFree() {
    return true;
  }

  @Override
  public void save(StateMap state) {
    state.putLong("steps", steps);
    state.putFloats("firstMoment", firstMoment, firstMoment.length);
    state.putFloats("secondMoment", secondMoment, secondMoment.length);
  }

  @Override
  public Runnable restoring(StateMap state) {
    int count = firstMoment.length;
    long savedSteps = state.longValue("steps");
    float[] first = state.floats("firstMoment", count);
    float[] second = state.floats("secondMoment", count);
    return () -> {
      steps = savedSteps;
      System.arraycopy(first, 0, firstMoment, 0, count);
      System.arraycopy(second, 0, secondMoment, 0, count);
    };
  }
}
