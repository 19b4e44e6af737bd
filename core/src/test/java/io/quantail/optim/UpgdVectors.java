package io.quantail.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.OptimizerConfig;
import io.quantail.kernel.FloatVectors;
import io.quantail.network.Parameters;
import io.quantail.testing.vectors.Floats;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** UPGD in both forms, with the noise that the vectors prescribe. */
public final class UpgdVectors implements VectorFamily {
  private static final double NO_EPSILON = Double.MIN_NORMAL;

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "upgd_three_steps_recommended",
        vector -> checkSteps(vector, false, OptimizerConfig.UtilityNorm.MIN_MAX),
        "upgd_three_steps_paper_global_max",
        vector -> checkSteps(vector, false, OptimizerConfig.UtilityNorm.GLOBAL_MAX),
        "adaptive_upgd_three_steps_recommended",
        vector -> checkSteps(vector, true, OptimizerConfig.UtilityNorm.MIN_MAX),
        "upgd_gate_all_negative_utilities",
        this::checkNegativeUtilities,
        "upgd_first_step_bias_mismatch",
        this::checkFirstStep,
        "upgd_equal_utilities",
        this::checkEqualUtilities,
        "upgd_missing_gradient_untouched",
        this::checkMissingGradient,
        "adaptive_noise_ema_init_bug",
        this::checkNoEmaOfNorms,
        "adaptive_noise_tensor_size",
        this::checkNoiseSize,
        "vgs_noise_interaction_ratio",
        this::checkNoiseRatio);
  }

  private void checkSteps(VectorCase vector, boolean adaptive, OptimizerConfig.UtilityNorm norm) {
    Upgd.Settings rule = rule(vector, adaptive, norm, vector.number("eps", NO_EPSILON));
    Run run = new Run(vector, rule, 1);
    vector.expectFlat("params_after_each_step", run.allParameters());
    vector.expectFlat("gates_each_step", run.allGates());
    vector.expectFlat("utility_ema_after_last", run.utility);
  }

  private void checkNegativeUtilities(VectorCase vector) {
    double[] utilities = vector.doubles("utilities");
    vector.expect("gate_minmax", gates(OptimizerConfig.UtilityNorm.MIN_MAX, utilities));
    vector.expect(
        "gate_global_max_division", gates(OptimizerConfig.UtilityNorm.GLOBAL_MAX, utilities));
  }

  private void checkFirstStep(VectorCase vector) {
    Run run = new Run(vector, rule(vector, false, OptimizerConfig.UtilityNorm.MIN_MAX, 1), 1);
    vector.expect("gates_recommended", run.allGates());
  }

  private void checkEqualUtilities(VectorCase vector) {
    Run run = new Run(vector, rule(vector, false, OptimizerConfig.UtilityNorm.MIN_MAX, 1), 1);
    vector.expect("gate_recommended", run.allGates());
    vector.expect("params_recommended", run.allParameters());
  }

  /** What has no gradient is no part of the vector that an optimiser is given. */
  private void checkMissingGradient(VectorCase vector) {
    JsonNode gradients = vector.input("grads").get(0); // of the only step
    double[] all = vector.doubles("params");
    List<Integer> given = new ArrayList<>(); // places of the parameters that have a gradient
    List<Double> numbers = new ArrayList<>();
    int place = 0;
    for (int tensor = 0; tensor < gradients.size(); tensor++) {
      for (int i = 0; i < gradients.get(tensor).size(); i++) {
        given.add(place + i);
        numbers.add(gradients.get(tensor).get(i).doubleValue());
      }
      place += vector.input("params").get(tensor).size();
    }
    double[] gradient = numbers.stream().mapToDouble(Double::doubleValue).toArray();
    float[] part = Floats.of(given.stream().mapToDouble(i -> all[i]).toArray());
    Upgd.Settings rule = rule(vector, false, OptimizerConfig.UtilityNorm.MIN_MAX, 1);
    Upgd upgd = new Upgd(rule, noNoise(), part.length);
    upgd.step(part, Floats.of(gradient), vector.number("lr"), new float[part.length]);
    vector.expectFlat("gates", gatesOrNothing(gradients, upgd.gates()));
    for (int i = 0; i < part.length; i++) {
      all[given.get(i)] = part[i];
    }
    vector.expectFlat("params", all);
  }

  /** Gates tensor by tensor; one NaN stands for a tensor that has none. */
  private static double[] gatesOrNothing(JsonNode gradients, float[] gates) {
    List<Double> result = new ArrayList<>();
    int next = 0;
    for (JsonNode tensor : gradients) {
      if (tensor.isNull()) {
        result.add(Double.NaN);
      }
      for (int i = 0; i < tensor.size(); i++) {
        result.add((double) gates[next++]);
      }
    }
    return result.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Noise follows the present gradient: there is no running norm that could start wrong. */
  private void checkNoEmaOfNorms(VectorCase vector) {
    double[] gradient = vector.doubles("first_gradient");
    double deviation = deviation(gradient, vector.number("sigma"));
    double root = Math.sqrt(gradient.length);
    vector.expect("true_norm", deviation * root / vector.number("sigma"));
    vector.expect(
        "corrected_estimate_recommended_seed0", deviation * root / vector.number("sigma"));
    vector.expect("noise_std_recommended", deviation * root);
    vector.ignore("ema_after_step1", "an intermediate result of the audited program");
  }

  private void checkNoiseSize(VectorCase vector) {
    double[] gradient = new double[vector.integer("elements")];
    Arrays.fill(gradient, vector.number("constant_gradient"));
    double deviation = deviation(gradient, vector.number("sigma"));
    vector.expect("std_recommended_rms", deviation);
    vector.expect(
        "expected_noise_to_gradient_recommended", deviation / vector.number("constant_gradient"));
  }

  private void checkNoiseRatio(VectorCase vector) {
    expectRatios(vector, "upgd_fixed", false);
    expectRatios(vector, "adaptive_upgd_fixed", true);
    vector.ignore("adaptive_upgd_instant_noise", "uses the gate of the audited program");
  }

  /**
   * The ratio of two displacements of about 0.01, each the difference of weights of about 1 that
   * were rounded to single precision three times: good to 1e-4 at best.
   */
  private static void expectRatios(VectorCase vector, String field, boolean adaptive) {
    double[] scales = vector.doubles("scales");
    JsonNode expected = vector.expected(field);
    for (int i = 0; i < scales.length; i++) {
      assertThat(ratio(vector, adaptive, scales[i]))
          .isCloseTo(expected.get(i).doubleValue(), withinPercentage(0.01));
    }
  }

  private static double ratio(VectorCase vector, boolean adaptive, double scale) {
    Upgd.Settings noisy = rule(vector, adaptive, OptimizerConfig.UtilityNorm.MIN_MAX, NO_EPSILON);
    Upgd.Settings quiet =
        new Upgd.Settings(
            adaptive,
            noisy.norm(),
            0,
            noisy.betaUtility(),
            noisy.beta1(),
            noisy.beta2(),
            noisy.epsilon(),
            0);
    double[] start = vector.doubles("params");
    double[] withNoise = new Run(vector, noisy, scale).last();
    double[] without = new Run(vector, quiet, scale).last();
    return distance(withNoise, without) / distance(without, start);
  }

  private static double distance(double[] left, double[] right) {
    return Math.sqrt(
        IntStream.range(0, left.length)
            .mapToDouble(i -> (left[i] - right[i]) * (left[i] - right[i]))
            .sum());
  }

  private static double deviation(double[] gradient, double sigma) {
    Upgd.Settings rule =
        new Upgd.Settings(false, OptimizerConfig.UtilityNorm.MIN_MAX, sigma, 0, 0, 0, 1, 0);
    long count = gradient.length;
    Parameters.Slot slot = new Parameters.Slot("weights", List.of(count), 0, count);
    Upgd upgd = new Upgd(rule, new ParameterNoise(1, List.of(slot)), gradient.length);
    return upgd.deviations(Floats.of(gradient))[0];
  }

  private static double[] gates(OptimizerConfig.UtilityNorm norm, double[] utilities) {
    double min = Arrays.stream(utilities).min().orElseThrow();
    double max = Arrays.stream(utilities).max().orElseThrow();
    UtilityGate gate = UtilityGate.of(norm, min, max);
    float[] gates = new float[utilities.length];
    gate.of(Floats.of(utilities), gates);
    double[] exact = Arrays.stream(utilities).map(gate::of).toArray();
    assertThat(exact).containsExactly(Floats.widened(gates), within(1e-7));
    return exact;
  }

  private static ParameterNoise noNoise() {
    return new ParameterNoise(1, List.of());
  }

  private static Upgd.Settings rule(
      VectorCase vector, boolean adaptive, OptimizerConfig.UtilityNorm norm, double epsilon) {
    return new Upgd.Settings(
        adaptive,
        norm,
        vector.number("sigma", 0),
        vector.number("beta_utility"),
        vector.number("beta1", 0.9),
        vector.number("beta2", 0.999),
        epsilon,
        vector.number("weight_decay", 0));
  }

  /** All steps of a vector. */
  private static final class Run {
    private final double[][] parameters;
    private final double[][] gates;
    private final double[] utility;

    Run(VectorCase vector, Upgd.Settings rule, double scale) {
      double[] start = vector.doubles("params");
      double[][] gradients = vector.matrix("grads");
      parameters = new double[gradients.length][];
      gates = new double[gradients.length][];
      float[] weights = Floats.of(start);
      Upgd upgd = new Upgd(rule, noNoise(), weights.length);
      for (int i = 0; i < gradients.length; i++) {
        float[] gradient = Floats.of(gradients[i]);
        FloatVectors.scale(gradient, scale);
        float[] noise = draws(vector, i, start.length);
        for (int j = 0; j < noise.length; j++) {
          noise[j] *= (float) rule.sigma();
        }
        upgd.step(weights, gradient, vector.number("lr"), noise);
        gates[i] = Floats.widened(upgd.gates());
        parameters[i] = Floats.widened(weights);
      }
      utility = Floats.widened(upgd.utility());
    }

    private static float[] draws(VectorCase vector, int step, int count) {
      return vector.has("standard_normal_draws")
          ? Floats.of(vector.matrix("standard_normal_draws")[step])
          : new float[count];
    }

    double[] allParameters() {
      return Arrays.stream(parameters).flatMapToDouble(Arrays::stream).toArray();
    }

    double[] allGates() {
      return Arrays.stream(gates).flatMapToDouble(Arrays::stream).toArray();
    }

    double[] last() {
      return parameters[parameters.length - 1];
    }
  }
}
