package io.quantail.ppo;

import io.quantail.config.Names;
import io.quantail.config.OptimizerConfig;
import io.quantail.kernel.Vectors;
import io.quantail.metrics.Metrics;
import io.quantail.nn.ActorCritic;
import io.quantail.nn.ParameterReplica;
import io.quantail.nn.Parameters;
import io.quantail.optim.GradientClip;
import io.quantail.optim.LearningRateBounds;
import io.quantail.optim.LearningRateSchedule;
import io.quantail.optim.Optimizer;
import io.quantail.optim.VarianceGradientScaler;
import io.quantail.parallel.ParallelLoop;
import io.quantail.rollout.GroupWeights;
import io.quantail.state.StateMap;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * From the gradients of a batch's pieces to changed parameters: add, scale by noise, clip, measure,
 * step.
 *
 * <p>The noise of gradients is judged on what the pieces gave, before anything is scaled. Norms are
 * those after scaling and before clipping. A gradient that is not finite is refused: neither the
 * parameters nor the optimiser nor the scaler change, and the refusal is counted.
 */
final class GradientStep {

  /**
   * What one step measured.
   *
   * @param taken whether the parameters changed
   * @param normBefore global norm before clipping
   * @param normAfter global norm after clipping
   * @param groupNorms norm of each monitored part before clipping, by metric name
   * @param measures what else was measured, by metric name
   */
  record Report(
      boolean taken,
      double normBefore,
      double normAfter,
      Map<String, Double> groupNorms,
      Map<String, Double> measures) {

    static Report refused(double norm) {
      return new Report(false, norm, Double.NaN, Map.of(), Map.of());
    }
  }

  private final Parameters parameters;
  private final List<Parameters.Part> parts;
  private final Optimizer optimizer;
  private final Optional<VarianceGradientScaler> scaler;
  private final double baseRate;
  private final LearningRateSchedule schedule;
  private final LearningRateBounds bounds;
  private final GradientClip clip;
  private final ParallelLoop team;
  private final Map<String, Parameters.Range> monitored = new LinkedHashMap<>(); // by metric

  /**
   * @param team does what can be done in parts
   */
  GradientStep(
      OptimizerConfig config,
      Parameters parameters,
      ActorCritic network,
      long seed,
      ParallelLoop team) {
    this.parameters = parameters;
    this.team = team;
    parts = parameters.parts();
    optimizer = Optimizer.create(config, parameters.slots(), seed);
    scaler =
        config.vgs().enabled()
            ? Optional.of(new VarianceGradientScaler(config.vgs(), parameters.values().length))
            : Optional.empty();
    baseRate = config.learningRate();
    schedule =
        LearningRateSchedule.named(
            Names.written(config.schedule()), config.learningRate(), config.minLearningRate());
    bounds = new LearningRateBounds(config.minLearningRate(), config.maxLearningRate());
    clip = GradientClip.of(config.maxGradientNorm());
    for (String layer : network.recurrentLayers()) {
      monitored.put("train/lstm_grad_norm/" + layer, parameters.range(layer + "."));
    }
    for (int head = 1; head <= network.valueHeads().size(); head++) {
      monitored.put(
          "train/critic" + head + "_grad_norm", parameters.range("critic.head" + head + "."));
    }
  }

  /** The learning rate in force at a share of the run. */
  LearningRateBounds.Bounded learningRate(double progress) {
    return bounds.apply(schedule.rate(progress));
  }

  /**
   * Combines the pieces' weighted gradients in their order and takes a step.
   *
   * @param measured whether to look at what the optimiser did, which costs as much as the step
   */
  Report apply(
      List<ParameterReplica> replicas,
      List<LossResult> results,
      double learningRate,
      boolean measured) {
    double[] valid = results.stream().mapToDouble(LossResult::samples).toArray();
    boolean[] used = new boolean[valid.length];
    for (int i = 0; i < used.length; i++) {
      used[i] = results.get(i).usable();
    }
    OptionalDouble correction = GroupWeights.correction(valid, used);
    if (correction.isEmpty()) {
      return Report.refused(Double.NaN);
    }
    List<float[]> gradients = replicas.stream().map(ParameterReplica::gradient).toList();
    float[] gradient = gradients.get(0);
    double[] squares = new double[parts.size()];
    eachPart(
        (part, from, to) -> {
          for (int i = 1; i < results.size(); i++) {
            Vectors.add(gradient, gradients.get(i), from, to);
          }
          if (correction.getAsDouble() != 1) {
            Vectors.scale(gradient, correction.getAsDouble(), from, to);
          }
          squares[part] = Vectors.squares(gradient, from, to);
        });
    return step(gradient, squares, learningRate, measured);
  }

  /** What to do with a part [from, to) of the flat vector. */
  private interface PartTask {
    void accept(int part, int from, int to);
  }

  private void eachPart(PartTask task) {
    team.each(
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
      eachPart((part, from, to) -> Vectors.scale(gradient, gradientFactor * coefficient, from, to));
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
    parameters.change(team, (values, walk) -> optimizer.step(values, gradient, learningRate, walk));
  }

  private Map<String, Double> measuredChange(float[] gradient, double learningRate) {
    float[] moved = parameters.values().clone();
    change(gradient, learningRate);
    for (int i = 0; i < moved.length; i++) {
      moved[i] -= parameters.values()[i];
    }
    Map<String, Double> measures = new LinkedHashMap<>(optimizer.measure(gradient));
    measures.put("optim/update_norm", Vectors.norm(moved));
    return measures;
  }

  /** Reports the learning rate and the limits in force. */
  void report(Metrics metrics, double progress) {
    LearningRateBounds.Bounded bounded = learningRate(progress);
    metrics.put("train/learning_rate", bounded.rate());
    metrics.put("train/lr_base", baseRate);
    metrics.put("train/lr_before_clip", schedule.rate(progress));
    metrics.put("train/optimizer_lr_min", bounds.minimum());
    if (bounded.floorHit()) {
      metrics.put("warn/optimizer_lr_floor_hit", 1);
    }
    if (Double.isFinite(clip.limit())) {
      metrics.put("train/max_grad_norm_used", clip.limit());
    }
  }

  /** Reports what is known of the noise of gradients after an update. */
  void reportNoise(Metrics metrics) {
    scaler.ifPresent(statistics -> statistics.report(metrics));
  }

  void save(StateMap state) {
    optimizer.save(state);
    scaler.ifPresent(statistics -> statistics.save(state.child("vgs")));
  }

  void load(StateMap state) {
    optimizer.load(state);
    scaler.ifPresent(statistics -> statistics.load(state.child("vgs")));
  }

  /**
   * Takes over what another agent's step handed over: the noise of gradients always, the
   * optimiser's memory if asked to. The learning rate is not part of it: it is configured.
   */
  void adopt(StateMap state, boolean moments) {
    if (moments) {
      optimizer.load(state);
    }
    scaler.ifPresent(statistics -> statistics.load(state.child("vgs")));
  }
}
