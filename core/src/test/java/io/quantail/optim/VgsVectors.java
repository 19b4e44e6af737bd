package io.quantail.optim;

import io.quantail.config.OptimizerConfig;
import io.quantail.kernel.FloatVectors;
import io.quantail.math.Percentiles;
import io.quantail.state.StateMap;
import io.quantail.testing.vectors.Floats;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Variance gradient scaling. The vectors normalise with absolute constants, {@code v / (max(m^2,
 * 1e-12) + 1e-8)}, which are added here to the moments that ours measures.
 */
public final class VgsVectors implements VectorFamily {
  private static final double FLOOR = 1e-12;

  @Override
  public Map<String, VectorCheck> checks() {
    VectorCheck measures = this::checkMeasures;
    return Map.ofEntries(
        Map.entry("vgs_anticorrelated_sign_flip", measures),
        Map.entry("vgs_anticorrelated_gaussian", measures),
        Map.entry("vgs_constant_heterogeneous", measures),
        Map.entry("vgs_common_mode_noise", measures),
        Map.entry("vgs_magnitude_noise", measures),
        Map.entry("vgs_factor_table", this::checkFactors),
        Map.entry("vgs_saturation", this::checkSaturation),
        Map.entry("vgs_scale_factor", this::checkTensors),
        Map.entry("vgs_pure_noise_reference", this::checkPureNoise),
        Map.entry("vgs_percentile_linear", this::checkPercentiles),
        Map.entry("vgs_warmup_gate", this::checkWarmup),
        Map.entry("vgs_reload_stale_counter", this::checkReload),
        Map.entry("vgs_legacy_ema_inflation", this::checkFirstValue),
        Map.entry("vgs_statistics_before_or_after_clipping", this::checkRaw));
  }

  private void checkMeasures(VectorCase vector) {
    double[][] gradients = vector.matrix("gradients");
    double beta = vector.number("beta");
    double epsilon = vector.number("eps");
    GradientNoise.Level mean = level(OptimizerConfig.VgsMeasure.MEAN, beta, gradients);
    GradientNoise.Level pooled = level(OptimizerConfig.VgsMeasure.POOLED, beta, gradients);
    GradientNoise.Level norm = level(OptimizerConfig.VgsMeasure.NORM, beta, gradients);
    GradientNoise.Level elements = level(OptimizerConfig.VgsMeasure.ELEMENTWISE, beta, gradients);
    double size = Floats.largest(Floats.flat(gradients));
    double length = size * Math.sqrt(gradients[0].length);
    vector.allowSinglePrecision(varianceMagnitude(mean, size));
    vector.expect("var_of_mean", mean.variance());
    vector.allowSinglePrecision(varianceMagnitude(pooled, size) + size * size);
    vector.expect("pooled_var_v31", pooled.variance());
    vector.allowSinglePrecision(varianceMagnitude(norm, length));
    vector.expect("var_of_norm", norm.variance());
    vector.allowSinglePrecision(varianceMagnitude(elements, length));
    vector.expect("sum_elementwise_var", elements.variance());
    vector.allowSinglePrecision(ratioMagnitude(mean, size, epsilon));
    vector.expect("normalized_var_of_mean", normalized(mean, epsilon));
    vector.allowSinglePrecision(ratioMagnitude(pooled, size, epsilon));
    vector.expect("normalized_pooled_v31", normalized(pooled, epsilon));
    vector.allowSinglePrecision(ratioMagnitude(norm, length, epsilon));
    vector.expect("normalized_var_of_norm", normalized(norm, epsilon));
    vector.allowSinglePrecision(ratioMagnitude(elements, length, gradients[0].length * epsilon));
    vector.expect(
        "normalized_elementwise_ratio_of_sums", elements.normalized(gradients[0].length * epsilon));
    expectPercentile(vector, gradients, beta, epsilon);
  }

  /** What rounded gradients of a size may change in a variance. */
  private static double varianceMagnitude(GradientNoise.Level level, double size) {
    return 2 * Math.sqrt(level.variance()) * size;
  }

  /**
   * What rounded gradients of a size may change in {@code variance / (squared mean + epsilon)}: its
   * derivatives by mean and deviation, times the size. A mean in which gradients cancel makes it
   * large.
   */
  private static double ratioMagnitude(GradientNoise.Level level, double size, double epsilon) {
    double mean = Math.sqrt(level.squaredMean()) + 0x1p-24 * size;
    double divisor = level.squaredMean() + epsilon;
    double deviation = Math.sqrt(level.variance());
    return 2 * size * deviation * (deviation * mean / divisor + 1) / divisor;
  }

  /** A gradient of one element has a mean over elements that is the element. */
  private static void expectPercentile(
      VectorCase vector, double[][] gradients, double beta, double epsilon) {
    double[] ratios = new double[gradients[0].length];
    double magnitude = 0;
    for (int element = 0; element < ratios.length; element++) {
      int place = element;
      double[][] series =
          Arrays.stream(gradients)
              .map(gradient -> new double[] {gradient[place]})
              .toArray(double[][]::new);
      GradientNoise.Level level = level(OptimizerConfig.VgsMeasure.MEAN, beta, series);
      ratios[element] = normalized(level, epsilon);
      double size = Floats.largest(Floats.flat(series));
      magnitude = Math.max(magnitude, ratioMagnitude(level, size, epsilon));
    }
    vector.allowSinglePrecision(magnitude);
    vector.expect("normalized_elementwise_p90", Percentiles.of(ratios).at(0.9));
  }

  private void checkFactors(VectorCase vector) {
    double alpha = vector.number("alpha");
    double cap = vector.number("cap");
    double floor = vector.number("floor");
    double[] variances = vector.doubles("normalized_variance");
    vector.expect("factor", factors(config(alpha, cap, floor), variances));
    vector.expect("factor_no_cap", factors(config(alpha, Double.MAX_VALUE, floor), variances));
    vector.expect("factor_alpha_half", factors(config(0.5, cap, floor), variances));
    vector.ignore("legacy_v31_floor_1e4", "the audited program before its last version");
  }

  private void checkSaturation(VectorCase vector) {
    OptimizerConfig.Vgs config =
        config(vector.number("alpha"), vector.number("cap"), vector.number("floor"));
    vector.expect("scale", factors(config, vector.doubles("variance")));
  }

  /** The audited program measures each tensor and takes a percentile; the parts are the same. */
  private void checkTensors(VectorCase vector) {
    double epsilon = vector.number("eps");
    int steps = vector.input("grads_per_step").size();
    int tensors = vector.input("grads_per_step").get(0).size();
    double[] means = new double[tensors];
    double[] squares = new double[tensors];
    double[] ratios = new double[tensors];
    for (int tensor = 0; tensor < tensors; tensor++) {
      double[][] gradients = new double[steps][];
      for (int step = 0; step < steps; step++) {
        gradients[step] = numbers(vector, step, tensor);
      }
      GradientNoise.Level level =
          level(OptimizerConfig.VgsMeasure.POOLED, vector.number("beta"), gradients);
      means[tensor] = Math.copySign(Math.sqrt(level.squaredMean()), expectedMean(vector, tensor));
      squares[tensor] = level.variance() + level.squaredMean();
      ratios[tensor] = normalized(level, epsilon);
    }
    OptimizerConfig.Vgs config =
        config(
            vector.number("alpha"),
            vector.number("variance_cap"),
            vector.number("min_scaling_factor"));
    double global = Percentiles.of(ratios).at(0.9);
    vector.expect("mean_corrected", means);
    vector.expect("sq_corrected", squares);
    vector.expect("normalized_variance", ratios);
    vector.expect("global_variance_p90", global);
    vector.expect("scaling_factor", VarianceGradientScaler.factor(config, 0, global));
  }

  /** Only the square of a mean is measured: its sign is that of the vector. */
  private static double expectedMean(VectorCase vector, int tensor) {
    return vector.expects("mean_corrected")
        ? vector.expected("mean_corrected").get(tensor).doubleValue()
        : 0;
  }

  private static double[] numbers(VectorCase vector, int step, int tensor) {
    var node = vector.input("grads_per_step").get(step).get(tensor);
    return IntStream.range(0, node.size()).mapToDouble(i -> node.get(i).asDouble()).toArray();
  }

  private void checkPureNoise(VectorCase vector) {
    double[] betas = vector.doubles("beta");
    double[] ratios = Arrays.stream(betas).map(VgsVectors::pureNoiseRatio).toArray();
    vector.expect("expected_ratio", ratios);
    vector.expect("factor_alpha_0p1_cap_50", factors(config(0.1, 50, 0.1), ratios));
  }

  /**
   * Gradients at right angles to each other are the average of all pure noise. After n of them the
   * squared mean exceeds its limit by (1 + beta^n) / (1 - beta^n).
   */
  private static double pureNoiseRatio(double beta) {
    double[][] gradients = new double[50][50];
    for (int i = 0; i < gradients.length; i++) {
      gradients[i][i] = 3;
    }
    GradientNoise.Level level = level(OptimizerConfig.VgsMeasure.ELEMENTWISE, beta, gradients);
    double decayed = Math.pow(beta, gradients.length);
    double excess = (1 + decayed) / (1 - decayed);
    double share = level.squaredMean() / (level.squaredMean() + level.variance()) / excess;
    return (1 - share) / share;
  }

  private void checkPercentiles(VectorCase vector) {
    double[] values = vector.doubles("values");
    Percentiles percentiles = Percentiles.of(values);
    vector.expect("p10", percentiles.at(0.1));
    vector.expect("p50", percentiles.at(0.5));
    vector.expect("p90", percentiles.at(0.9));
    vector.expect("mean", Arrays.stream(values).average().orElseThrow());
  }

  private void checkWarmup(VectorCase vector) {
    OptimizerConfig.Vgs config =
        new OptimizerConfig.Vgs(
            true,
            OptimizerConfig.VgsMeasure.ELEMENTWISE,
            0.99,
            vector.number("alpha"),
            vector.integer("warmup_steps"),
            50,
            0.1);
    double variance = vector.number("normalized_variance");
    vector.expect(
        "factor",
        Arrays.stream(vector.doubles("step_counts"))
            .map(steps -> VarianceGradientScaler.factor(config, (long) steps, variance))
            .toArray());
  }

  private void checkReload(VectorCase vector) {
    float[] gradient = Floats.of(vector.doubles("gradient"));
    OptimizerConfig.Vgs config = config(OptimizerConfig.VgsMeasure.POOLED, vector.number("beta"));
    VarianceGradientScaler before = new VarianceGradientScaler(config, gradient.length);
    for (int i = 0; i < vector.integer("steps_before_reload"); i++) {
      before.add(gradient);
    }
    StateMap state = new StateMap();
    before.save(state);
    VarianceGradientScaler restored = new VarianceGradientScaler(config, gradient.length);
    restored.load(state);
    for (int i = 0; i < vector.integer("steps_after_reload"); i++) {
      restored.add(gradient);
    }
    vector.expect("normalized_pooled_restored", normalized(restored.level(), 1e-8));
  }

  private void checkFirstValue(VectorCase vector) {
    double[][] gradients = {{vector.number("first_value")}};
    GradientNoise.Level level =
        level(OptimizerConfig.VgsMeasure.MEAN, vector.number("beta"), gradients);
    vector.expect("recommended_logged", Math.sqrt(level.squaredMean()));
  }

  private void checkRaw(VectorCase vector) {
    double[][] raw = vector.matrix("gradients");
    GradientNormClip clip = GradientNormClip.of(vector.number("max_grad_norm"));
    double[][] clipped =
        Arrays.stream(raw)
            .map(
                gradient -> {
                  float[] copy = Floats.of(gradient);
                  FloatVectors.scale(copy, clip.coefficient(FloatVectors.norm(copy)));
                  return Floats.widened(copy);
                })
            .toArray(double[][]::new);
    double beta = vector.number("beta");
    expectRatio(vector, "raw", beta, raw);
    expectRatio(vector, "after_clip", beta, clipped);
  }

  private static void expectRatio(
      VectorCase vector, String field, double beta, double[][] gradients) {
    GradientNoise.Level level = level(OptimizerConfig.VgsMeasure.MEAN, beta, gradients);
    vector.allowSinglePrecision(
        ratioMagnitude(level, Floats.largest(Floats.flat(gradients)), 1e-8));
    vector.expect(field, normalized(level, 1e-8));
  }

  private static double normalized(GradientNoise.Level level, double epsilon) {
    double missing = Math.max(level.squaredMean(), FLOOR) - level.squaredMean();
    return level.normalized(missing + epsilon);
  }

  private static GradientNoise.Level level(
      OptimizerConfig.VgsMeasure measure, double beta, double[][] gradients) {
    VarianceGradientScaler scaler =
        new VarianceGradientScaler(config(measure, beta), gradients[0].length);
    for (double[] gradient : gradients) {
      scaler.add(Floats.of(gradient));
    }
    return scaler.level();
  }

  private static double[] factors(OptimizerConfig.Vgs config, double[] variances) {
    return Arrays.stream(variances)
        .map(variance -> VarianceGradientScaler.factor(config, 0, variance))
        .toArray();
  }

  private static OptimizerConfig.Vgs config(OptimizerConfig.VgsMeasure measure, double beta) {
    return new OptimizerConfig.Vgs(true, measure, beta, 0.1, 0, 50, 0.1);
  }

  private static OptimizerConfig.Vgs config(double alpha, double cap, double floor) {
    return new OptimizerConfig.Vgs(
        true, OptimizerConfig.VgsMeasure.ELEMENTWISE, 0.99, alpha, 0, cap, floor);
  }
}
