package io.quantail.optim;

import io.quantail.config.OptimizerConfig;
import io.quantail.config.SettingNames;
import io.quantail.kernel.FloatVectors;
import io.quantail.network.ActorCritic;
import io.quantail.network.ParameterReplica;
import io.quantail.network.Parameters;
import io.quantail.parallel.ParallelLoop;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One optimiser step of a minibatch: adds the gradients of its microbatches, scales them by their
 * noise, clips their norm and changes the parameters.
 *
 * <p>The noise of gradients is measured before they are scaled. Norms are those after scaling and
 * before clipping. A gradient that is not finite is refused: neither the parameters nor the
 * optimiser nor the scaler change.
 */
public final class OptimizerStep implements Restorable {

  /**
   * The measurements of one step.
   *
   * @param taken whether the parameters changed
   * @param normBefore global norm before clipping
   * @param normAfter global norm after clipping
   * @param groupNorms norm of each monitored group of parameters before clipping, by metric name
   * @param measures further measurements, by metric name
   */
  public record Report(
      boolean taken,
      double normBefore,
      double normAfter,
      Map<String, Double> groupNorms,
      Map<String, Double> measures) {

    /** A step that was not taken because its gradient was missing or not finite. */
    public static Report refused(double norm) {
      return new Report(false, norm, Double.NaN, Map.of(), Map.of());
    }
  }

  /**
   * The learning rate of an update and the limits in force.
   *
   * @param rate learning rate, within its bounds
   * @param base configured learning rate
   * @param scheduled learning rate of the schedule, before the bounds
   * @param minimum lower bound
   * @param floorHit whether the lower bound replaced the scheduled rate
   * @param maxNorm largest gradient norm; infinite without a limit
   */
  public record Limits(
      double rate,
      double base,
      double scheduled,
      double minimum,
      boolean floorHit,
      double maxNorm) {}

  private final Parameters parameters;
  private final List<Parameters.Part> parts;
  private final Optimizer optimizer;
  private final Optional<VarianceGradientScaler> scaler;
  private final double baseRate;
  private final LearningRateSchedule schedule;
  private final LearningRateBounds bounds;
  private final GradientNormClip clip;
  private final ParallelLoop loop;
  private final Map<String, Parameters.Range> monitored = new LinkedHashMap<>(); // by metric

  /**
   * @param seed of the run, for optimisers that draw noise
   * @param loop runs the loops over parameters
   */
  public OptimizerStep(
      OptimizerConfig config,
      Parameters parameters,
      ActorCritic network,
      long seed,
      ParallelLoop loop) {
    this.parameters = parameters;
    this.loop = loop;
    parts = parameters.parts();
    optimizer = Optimizer.create(config, parameters.slots(), seed);
    scaler =
        config.vgs().enabled()
            ? Optional.of(new VarianceGradientScaler(config.vgs(), parameters.values().length))
            : Optional.empty();
    baseRate = config.learningRate();
    schedule =
        LearningRateSchedule.named(
            SettingNames.written(config.schedule()),
            config.learningRate(),
            config.minLearningRate());
    bounds = new LearningRateBounds(config.minLearningRate(), config.maxLearningRate());
    clip = GradientNormClip.of(config.maxGradientNorm());
    for (String layer : network.recurrentLayers()) {
      monitored.put("train/lstm_grad_norm/" + layer, parameters.range(layer + "."));
    }
    for (int head = 1; head <= network.valueHeads().size(); head++) {
      monitored.put(
          "train/critic" + head + "_grad_norm", parameters.range("critic.head" + head + "."));
    }
  }

  /**
   * The learning rate and the limits in force.
   *
   * @param progress fraction of the run that is done, in [0, 1]
   */
  public Limits limits(double progress) {
    LearningRateBounds.Bounded bounded = bounds.apply(schedule.rate(progress));
    return new Limits(
        bounded.rate(),
        baseRate,
        schedule.rate(progress),
        bounds.minimum(),
        bounded.floorHit(),
        clip.limit());
  }

  /**
   * Adds the weighted gradients of the microbatches in their order and takes a step.
   *
   * @param replicas hold the gradients, one replica per microbatch
   * @param samples number of samples of each microbatch
   * @param usable whether the gradient of each microbatch may be used
   * @param measured whether to measure the change of the parameters, which costs as much as the
   *     step
   */
  public Report apply(
      List<ParameterReplica> replicas,
      double[] samples,
      boolean[] usable,
      double learningRate,
      boolean measured) {
    OptionalDouble correction = MicrobatchWeights.correction(samples, usable);
    if (correction.isEmpty()) {
      return Report.refused(Double.NaN);
    }
    List<float[]> gradients = replicas.stream().map(ParameterReplica::gradient).toList();
    float[] gradient = gradients.get(0);
    double[] squares = new double[parts.size()];
    eachPart(
        (part, from, to) -> {
          for (int i = 1; i < gradients.size(); i++) {
            FloatVectors.add(gradient, gradients.get(i), from, to);
          }
          if (correction.getAsDouble() != 1) {
            FloatVectors.scale(gradient, correction.getAsDouble(), from, to);
          }
          squares[part] = FloatVectors.squares(gradient, from, to);
        });
    return step(gradient, squares, learningRate, measured);
  }

  /** A task on the range [from, to) of the flat vector. */
  private interface PartTask {
    void accept(int part, int from, int to);
  }

  private void eachPart(PartTask task) {
    loop.each(
        parts.size(), index -> task.accept(index, parts.get(index).from(), parts.get(index).to()));
  }

  /**
   * @param squares sum of the squares of each part's gradient
   */
  private Report step(float[] gradient, double[] squares, double learningRate, boolean measured) {
    double whole = Math.sqrt(Arrays.stream(squares).sum());
    if (!Double.isFinite(whole)) {
      return Report.refused(whole);
    }
    double factor = scaler.map(VarianceGradientScaler::factor).orElse(1.0);
    scaler.ifPresent(statistics -> statistics.add(gradient));
    double gradientFactor = optimizer.scaleFree() ? 1 : factor;
    double rateFactor = optimizer.scaleFree() ? factor : 1;

    double norm = whole * gradientFactor;
    Map<String, Double> groupNorms = new LinkedHashMap<>();
    monitored.forEach((name, range) -> groupNorms.put(name, norm(squares, range) * gradientFactor));
    double coefficient = clip.coefficient(norm);
    if (gradientFactor * coefficient < 1) {
      eachPart(
          (part, from, to) -> FloatVectors.scale(gradient, gradientFactor * coefficient, from, to));
    }
    Map<String, Double> measures = new LinkedHashMap<>();
    if (measured) {
      measures.putAll(measuredChange(gradient, learningRate * rateFactor));
    } else {
      change(gradient, learningRate * rateFactor);
    }
    scaler.ifPresent(ignored -> measures.put("train/vgs_scaling_factor_applied", factor));
    return new Report(true, norm, norm * coefficient, groupNorms, measures);
  }

  private double norm(double[] squares, Parameters.Range range) {
    double sum = 0;
    for (int part = 0; part < squares.length; part++) {
      sum += range.holds(parts.get(part).slot()) ? squares[part] : 0;
    }
    return Math.sqrt(sum);
  }

  private void change(float[] gradient, double learningRate) {
    parameters.change(loop, (values, walk) -> optimizer.step(values, gradient, learningRate, walk));
  }

  private Map<String, Double> measuredChange(float[] gradient, double learningRate) {
    float[] moved = parameters.values().clone();
    change(gradient, learningRate);
    for (int i = 0; i < moved.length; i++) {
      moved[i] -= parameters.values()[i];
    }
    Map<String, Double> measures = new LinkedHashMap<>(optimizer.measure(gradient));
    measures.put("optim/update_norm", FloatVectors.norm(moved));
    return measures;
  }

  /** The noise of the gradients so far; empty without variance scaling. */
  public Optional<VarianceGradientScaler.Reading> noise() {
    return scaler.map(statistics -> statistics.reading(parameters.slots()));
  }

  @Override
  public void save(StateMap state) {
    optimizer.save(state);
    scaler.ifPresent(statistics -> statistics.save(state.child("vgs")));
  }

  @Override
  public Runnable restoring(StateMap state) {
    return restoring(state, true);
  }

  /**
   * Reads the state of another agent's steps: always the noise of its gradients, and on request the
   * moments of its optimiser. The learning rate is not part of it: it is configured.
   *
   * @return assigns the values that were read
   */
  public Runnable restoring(StateMap state, boolean moments) {
    Runnable steps = moments ? optimizer.restoring(state) : () -> {};
    Runnable noise =
        scaler.map(statistics -> statistics.restoring(state.child("vgs"))).orElse(() -> {});
    return () -> {
      steps.run();
      noise.run();
    };
  }
}
