package io.quantail.optim;

import io.quantail.nn.Parameters;
import io.quantail.state.StateMap;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Utility-based perturbed gradient descent: weights that the loss depends on take smaller steps and
 * less noise, so that what is useful stays and what is not is explored.
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
 * learning", ICLR 2024, arXiv:2404.00781; {@code docs/optimizers.md} lists the departures. Pinned
 * by the vectors {@code upgd_*}, {@code adaptive_upgd_*} and by {@code UpgdTest}.
 */
public final class Upgd implements Optimizer {
  private final UpgdRule rule;
  private final ParameterNoise noise;
  private final Tensor utility;
  private final List<Tensor> moments = new ArrayList<>(); // first and second; none in the SGD form
  private final float[] drawn; // reused: allocating it at every step is not free
  private long steps;

  Upgd(UpgdRule rule, ParameterNoise noise, Tensor parameters) {
    this.rule = rule;
    this.noise = noise;
    drawn = new float[(int) parameters.count()];
    try (Scope scope = Scope.open()) {
      utility = parameters.detach().mul(0).retain();
      for (int i = 0; rule.adaptive() && i < 2; i++) {
        moments.add(parameters.detach().mul(0).retain());
      }
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a gradient is not finite or a utility overflows; nothing
   *     has changed then
   */
  @Override
  public void step(Tensor parameters, Tensor gradient, double learningRate) {
    if (rule.sigma() == 0) {
      step(parameters, gradient, learningRate, gradient.mul(0));
      return;
    }
    noise.draw(steps + 1, deviations(gradient), drawn);
    step(parameters, gradient, learningRate, Tensor.of(drawn, drawn.length));
  }

  /** A step with the given noise, which is used up; returns the gates that were applied. */
  Tensor step(Tensor parameters, Tensor gradient, double learningRate, Tensor perturbation) {
    requireFinite(gradient.dot(parameters).item());
    utility
        .mulInPlace(rule.betaUtility())
        .addProductInPlace(gradient, parameters, rule.betaUtility() - 1);
    steps++;
    Tensor gates = gate(utility.bounds()).of(utility);
    Tensor direction =
        rule.adaptive() ? addNormalized(perturbation, gradient) : perturbation.addInPlace(gradient);
    if (rule.weightDecay() > 0) {
      parameters.mulInPlace(1 - learningRate * rule.weightDecay());
    }
    parameters.addProductInPlace(direction, gates, -learningRate);
    return gates;
  }

  /** One bad element of either factor spoils the sum of all utilities. */
  private static void requireFinite(double sum) {
    if (!Double.isFinite(sum)) {
      throw new IllegalArgumentException(
          "the sum of gradient * weight must be finite, was %s; the step was not taken"
              .formatted(sum));
    }
  }

  private UtilityGate gate(double[] bounds) {
    return UtilityGate.of(rule.norm(), bounds[0], bounds[1]);
  }

  private Tensor addNormalized(Tensor perturbation, Tensor gradient) {
    moments.get(0).moveInPlace(gradient, 1 - rule.beta1());
    moments.get(1).mulInPlace(rule.beta2()).addProductInPlace(gradient, gradient, 1 - rule.beta2());
    return addDirection(perturbation);
  }

  /** Adds the normalised step of the present moments; corrections are moved out of the tensors. */
  private Tensor addDirection(Tensor target) {
    double firstCorrection = 1 - Math.pow(rule.beta1(), steps);
    double secondCorrection = Math.sqrt(1 - Math.pow(rule.beta2(), steps));
    Tensor divisor = moments.get(1).sqrt().addInPlace(rule.epsilon() * secondCorrection);
    return target.addQuotientInPlace(moments.get(0), divisor, secondCorrection / firstCorrection);
  }

  Tensor utility() {
    return utility;
  }

  /** The standard deviation of the noise of each parameter. */
  double[] deviations(Tensor gradient) {
    List<Parameters.Slot> slots = noise.slots();
    double[] deviations = new double[slots.size()];
    for (int i = 0; i < deviations.length; i++) {
      Parameters.Slot slot = slots.get(i);
      double rootMeanSquare =
          rule.adaptive()
              ? 1
              : gradient.narrow(0, slot.offset(), slot.count()).norm().item()
                  / Math.sqrt(slot.count());
      deviations[i] = rule.sigma() * rootMeanSquare;
    }
    return deviations;
  }

  @Override
  public boolean scaleFree() {
    return rule.adaptive();
  }

  @Override
  public Map<String, Double> measure(Tensor gradient) {
    double[] bounds = utility.bounds();
    UtilityGate gate = gate(bounds);
    double first = gate.of(bounds[0]);
    double last = gate.of(bounds[1]);
    Tensor gates = gate.of(utility);
    Tensor direction = rule.adaptive() ? addDirection(gradient.mul(0)) : gradient;
    double signal = direction.mul(gates).norm().item();
    double correction = 1 - Math.pow(rule.betaUtility(), steps);
    Map<String, Double> measured = new LinkedHashMap<>();
    measured.put("optim/gate_mean", gates.mean().item());
    measured.put("optim/gate_min", Math.min(first, last));
    measured.put("optim/gate_max", Math.max(first, last));
    measured.put("optim/utility_min", bounds[0] / correction);
    measured.put("optim/utility_max", bounds[1] / correction);
    if (signal > 0) {
      measured.put("optim/noise_to_signal", noiseNorm(gradient, gates) / signal);
    }
    return measured;
  }

  /** The root of the expected squared norm of the gated noise. */
  private double noiseNorm(Tensor gradient, Tensor gates) {
    double[] deviations = deviations(gradient);
    double squares = 0;
    for (int i = 0; i < deviations.length; i++) {
      Parameters.Slot slot = noise.slots().get(i);
      double norm = gates.narrow(0, slot.offset(), slot.count()).norm().item();
      squares += deviations[i] * deviations[i] * norm * norm;
    }
    return Math.sqrt(squares);
  }

  @Override
  public void save(StateMap state) {
    state.putLong("steps", steps);
    state.putFloats("utility", utility.floats(), utility.count());
    for (int i = 0; i < moments.size(); i++) {
      state.putFloats("moment" + (i + 1), moments.get(i).floats(), utility.count());
    }
  }

  @Override
  public void load(StateMap state) {
    steps = state.longValue("steps");
    utility.set(state.floats("utility", utility.count()));
    for (int i = 0; i < moments.size(); i++) {
      moments.get(i).set(state.floats("moment" + (i + 1), utility.count()));
    }
  }

  @Override
  public void close() {
    utility.close();
    moments.forEach(Tensor::close);
  }
}
