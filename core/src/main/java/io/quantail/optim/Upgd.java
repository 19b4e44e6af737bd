package io.quantail.optim;

import io.quantail.config.OptimizerConfig;
import io.quantail.kernel.FloatVectors;
import io.quantail.network.Parameters;
import io.quantail.optim.UpgdKernel.AdamStep;
import io.quantail.parallel.ChunkedRange;
import io.quantail.state.StateMap;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Utility-based perturbed gradient descent: weights that the loss depends on take smaller steps and
 * less noise, so that useful weights are protected and the others explore.
 *
 * <p>Utility {@code U = bu U + (1 - bu)(-g w)}; gate from {@link UtilityGate}; then
 *
 * <pre>  w = w (1 - lr decay) - lr (d + noise) gate</pre>
 *
 * SGD form: {@code d = g}, noise {@code sigma RMS(g) z} with the RMS of the parameter the weight
 * belongs to. Adam form: {@code d = m' / (sqrt(v') + eps)} of {@link Adam}, noise {@code sigma z}.
 * Either way noise keeps its proportion to the step when all gradients are scaled.
 *
 * <p>See: Elsayed, Mahmood, "Addressing loss of plasticity and catastrophic forgetting in continual
 * learning", ICLR 2024, arXiv:2404.00781; {@code docs/reference/optimizers.md} lists the
 * departures. Pinned by the vectors {@code upgd_*}, {@code adaptive_upgd_*} and by {@code
 * UpgdTest}.
 */
public final class Upgd implements Optimizer {
  private final Settings settings;
  private final ParameterNoise noise;
  private final int count;
  private float[] utility;
  private final float[] firstMoment; // empty in the SGD form, like the second
  private final float[] secondMoment;

  // Scratch arrays without meaning between steps.
  private float[] nextUtility;
  private final float[] direction;
  private long steps;

  /**
   * Hyper-parameters.
   *
   * @param adaptive whether steps follow normalised moments (Adam form) or the gradient (SGD form)
   * @param norm how utilities are compared
   * @param sigma size of the noise
   * @param betaUtility decay of the utility
   * @param beta1 decay of the first moment (Adam form)
   * @param beta2 decay of the second moment (Adam form)
   * @param epsilon term that keeps the divisor from zero (Adam form)
   * @param weightDecay decay of weights per step and unit of learning rate
   */
  record Settings(
      boolean adaptive,
      OptimizerConfig.UtilityNorm norm,
      double sigma,
      double betaUtility,
      double beta1,
      double beta2,
      double epsilon,
      double weightDecay) {

    /** The settings of {@code upgd}, {@code adaptive-upgd} or {@code upgdw}. */
    static Settings of(OptimizerConfig config) {
      return new Settings(
          config.name() != OptimizerConfig.Name.UPGD,
          config.utilityNorm(),
          config.sigma(),
          config.name() == OptimizerConfig.Name.UPGDW ? config.beta2() : config.betaUtility(),
          config.beta1(),
          config.beta2(),
          config.epsilon(),
          config.weightDecay());
    }
  }

  Upgd(Settings settings, ParameterNoise noise, int parameters) {
    this.settings = settings;
    this.noise = noise;
    count = parameters;
    utility = new float[count];
    firstMoment = new float[settings.adaptive() ? count : 0];
    secondMoment = new float[settings.adaptive() ? count : 0];
    nextUtility = new float[count];
    direction = new float[count];
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a gradient is not finite or a utility overflows; nothing
   *     has changed then
   */
  @Override
  public void step(float[] parameters, float[] gradient, double learningRate, ChunkedRange range) {
    if (settings.sigma() == 0) {
      Arrays.fill(direction, 0);
    } else {
      noise.draw(steps + 1, deviations(gradient), direction);
    }
    step(parameters, gradient, learningRate, direction);
  }

  /** A step with the given noise, which is used up. */
  void step(float[] parameters, float[] gradient, double learningRate, float[] perturbation) {
    float utilityShare = (float) (1 - settings.betaUtility());
    UpgdKernel.utilities(utility, gradient, parameters, utilityShare, nextUtility);
    float[] bounds = UpgdKernel.bounds(nextUtility);
    requireFinite(bounds);

    float[] former = utility;
    utility = nextUtility;
    nextUtility = former;
    steps++;
    if (settings.adaptive()) {
      AdamStep step = AdamStep.of(settings, steps);
      UpgdKernel.addAdamStep(step, gradient, firstMoment, secondMoment, perturbation);
    } else {
      FloatVectors.add(perturbation, gradient);
    }
    float keep = (float) (1 - learningRate * settings.weightDecay());
    float rate = (float) learningRate;
    UpgdKernel.move(parameters, keep, rate, perturbation, gate(bounds), utility);
  }

  /** A bad element of gradient or weights spoils its utility, and with it one of the bounds. */
  private static void requireFinite(float[] bounds) {
    if (!Float.isFinite(bounds[0]) || !Float.isFinite(bounds[1])) {
      throw new IllegalArgumentException(
          "gradient * weight must be finite, was between %s and %s; the step was not taken"
              .formatted(bounds[0], bounds[1]));
    }
  }

  private UtilityGate gate(float[] bounds) {
    return UtilityGate.of(settings.norm(), bounds[0], bounds[1]);
  }

  float[] utility() {
    return utility.clone();
  }

  /** The gates of the last step. */
  float[] gates() {
    float[] gates = new float[count];
    gate(UpgdKernel.bounds(utility)).of(utility, gates);
    return gates;
  }

  /** The standard deviation of the noise of each parameter. */
  double[] deviations(float[] gradient) {
    List<Parameters.Slot> slots = noise.slots();
    double[] deviations = new double[slots.size()];
    for (int i = 0; i < deviations.length; i++) {
      Parameters.Slot slot = slots.get(i);
      double rootMeanSquare =
          settings.adaptive() ? 1 : norm(gradient, slot) / Math.sqrt(slot.count());
      deviations[i] = settings.sigma() * rootMeanSquare;
    }
    return deviations;
  }

  private static double norm(float[] gradient, Parameters.Slot slot) {
    int from = (int) slot.offset();
    return FloatVectors.norm(gradient, from, from + (int) slot.count());
  }

  @Override
  public boolean scaleFree() {
    return settings.adaptive();
  }

  @Override
  public Map<String, Double> measure(float[] gradient) {
    float[] bounds = UpgdKernel.bounds(utility);
    UtilityGate gate = gate(bounds);
    double first = gate.of(bounds[0]);
    double last = gate.of(bounds[1]);
    float[] shares = gates();
    double correction = 1 - Math.pow(settings.betaUtility(), steps);
    Map<String, Double> measured = new LinkedHashMap<>();
    measured.put("optim/gate_mean", FloatVectors.sum(shares) / count);
    measured.put("optim/gate_min", Math.min(first, last));
    measured.put("optim/gate_max", Math.max(first, last));
    measured.put("optim/utility_min", bounds[0] / correction);
    measured.put("optim/utility_max", bounds[1] / correction);
    double signal = signalNorm(gradient, shares);
    if (signal > 0) {
      measured.put("optim/noise_to_signal", noiseNorm(gradient, shares) / signal);
    }
    return measured;
  }

  /** The norm of the gated step without noise and learning rate. */
  private double signalNorm(float[] gradient, float[] shares) {
    float[] signal = settings.adaptive() ? normalized() : gradient;
    double squares = 0;
    for (int i = 0; i < count; i++) {
      double gated = (double) signal[i] * shares[i];
      squares += gated * gated;
    }
    return Math.sqrt(squares);
  }

  private float[] normalized() {
    AdamStep step = AdamStep.of(settings, steps);
    float[] normalized = new float[count];
    for (int i = 0; i < count; i++) {
      double root = Math.sqrt(secondMoment[i]);
      normalized[i] = (float) (step.scale() * firstMoment[i] / (root + step.epsilon()));
    }
    return normalized;
  }

  /** The root of the expected squared norm of the gated noise. */
  private double noiseNorm(float[] gradient, float[] shares) {
    double[] deviations = deviations(gradient);
    double squares = 0;
    for (int slot = 0; slot < deviations.length; slot++) {
      long from = noise.slots().get(slot).offset();
      long to = from + noise.slots().get(slot).count();
      for (int i = (int) from; i < to; i++) {
        double gated = deviations[slot] * shares[i];
        squares += gated * gated;
      }
    }
    return Math.sqrt(squares);
  }

  @Override
  public void save(StateMap state) {
    state.putLong("steps", steps);
    state.putFloats("utility", utility, count);
    if (settings.adaptive()) {
      state.putFloats("moment1", firstMoment, count);
      state.putFloats("moment2", secondMoment, count);
    }
  }

  @Override
  public Runnable restoring(StateMap state) {
    long savedSteps = state.longValue("steps");
    float[] savedUtility = state.floats("utility", count);
    float[] first = settings.adaptive() ? state.floats("moment1", count) : new float[0];
    float[] second = settings.adaptive() ? state.floats("moment2", count) : new float[0];
    return () -> {
      steps = savedSteps;
      utility = savedUtility;
      System.arraycopy(first, 0, firstMoment, 0, first.length);
      System.arraycopy(second, 0, secondMoment, 0, second.length);
    };
  }
}
