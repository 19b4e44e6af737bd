package io.quantail.nn;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.nn.Gaussian.Squashing;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.vectors.VectorCase;
import io.quantail.vectors.VectorCheck;
import io.quantail.vectors.VectorFamily;
import java.util.Arrays;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/** Distributions over actions: densities, entropies and divergences. */
public final class DistributionVectors implements VectorFamily {
  private static final double SIGMA_MIN = 0.2;
  private static final double SIGMA_MAX = 1.5;
  private static final double MAX_SIGMAS = 8;

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.ofEntries(
        Map.entry("squashed_gaussian_log_prob", this::checkLogProbability),
        Map.entry("squashed_logprob_sigmoid", vector -> checkSquashed(vector, Squashing.SIGMOID)),
        Map.entry("squashed_logprob_tanh", vector -> checkSquashed(vector, Squashing.TANH)),
        Map.entry("squashed_ratio_jacobian_cancels", this::checkRatio),
        Map.entry("squashed_entropy_exact", this::checkEntropy),
        Map.entry("squashed_entropy_four_sample", this::checkSampledEntropy),
        Map.entry("policy_sigma_map", this::checkSigma),
        Map.entry("gaussian_entropy_and_sigma_map", this::checkSigmaAndEntropy),
        Map.entry("clamp_by_z", this::checkLimit),
        Map.entry("gaussian_kl", this::checkDivergences),
        Map.entry("kl_gaussian_closed_form", this::checkDivergence),
        Map.entry("kl_direction", this::checkCategorical));
  }

  private void checkLogProbability(VectorCase vector) {
    double raw = vector.number("raw");
    double mean = vector.number("mean");
    double sigma = vector.number("std");
    vector.expect("sigmoid_action", Squashing.SIGMOID.apply(raw));
    vector.expect("tanh_action", Squashing.TANH.apply(raw));
    vector.expect("log_prob_sigmoid", logProbability(Squashing.SIGMOID, mean, sigma, raw)[0]);
    vector.expect("log_prob_tanh", logProbability(Squashing.TANH, mean, sigma, raw)[0]);
    vector.expect("log_prob_raw", logProbability(Squashing.NONE, mean, sigma, raw)[0]);
  }

  private void checkSquashed(VectorCase vector, Squashing squashing) {
    double[] raw = vector.doubles("raw");
    double mean = vector.number("mean");
    double sigma = vector.number("sigma");
    vector.expect("score", map(raw, squashing::apply));
    vector.expect("log_prob", logProbability(squashing, mean, sigma, raw));
    vector.expect("log_prob_raw", logProbability(Squashing.NONE, mean, sigma, raw));
    try (Scope scope = Scope.open()) {
      Tensor derivative = squashing.logDerivative(Tensor.of(raw, raw.length));
      vector.expect("log_jacobian", derivative.doubles());
    }
  }

  private void checkRatio(VectorCase vector) {
    double[] raw = vector.doubles("raw");
    for (Squashing squashing : Squashing.values()) {
      double[] before =
          logProbability(squashing, vector.number("mean_old"), vector.number("sigma_old"), raw);
      double[] after =
          logProbability(squashing, vector.number("mean_new"), vector.number("sigma_new"), raw);
      double[] ratio = new double[raw.length];
      Arrays.setAll(ratio, i -> after[i] - before[i]);
      vector.expect("log_ratio", ratio);
    }
  }

  private void checkEntropy(VectorCase vector) {
    double[][] pairs = vector.matrix("mean_sigma");
    vector.expect("sigmoid", entropy(Squashing.SIGMOID, pairs));
    vector.expect("tanh", entropy(Squashing.TANH, pairs));
    vector.expect("raw_gaussian", entropy(Squashing.NONE, pairs));
  }

  /** We integrate instead of sampling; the samples' mean still pins the density. */
  private void checkSampledEntropy(VectorCase vector) {
    double mean = vector.number("mean");
    double sigma = vector.number("sigma");
    double[] raw = map(vector.doubles("z"), z -> mean + sigma * Gaussian.limit(z));
    vector.expect("sigmoid", -average(logProbability(Squashing.SIGMOID, mean, sigma, raw)));
    vector.expect("tanh", -average(logProbability(Squashing.TANH, mean, sigma, raw)));
  }

  private void checkSigma(VectorCase vector) {
    vector.expect("sigma", sigma(vector.doubles("u")));
  }

  private void checkSigmaAndEntropy(VectorCase vector) {
    double[] sigma = sigma(vector.doubles("u"));
    double[][] pairs =
        Arrays.stream(sigma).mapToObj(s -> new double[] {0, s}).toArray(double[][]::new);
    vector.expect("sigma", sigma);
    vector.expect("entropy", entropy(Squashing.NONE, pairs));
  }

  private void checkLimit(VectorCase vector) {
    assertThat(vector.number("z_max")).as("our limit").isEqualTo(MAX_SIGMAS);
    double mean = vector.number("mean");
    double sigma = vector.number("sigma");
    vector.expect(
        "raw_clamped",
        map(vector.doubles("raw"), raw -> mean + sigma * Gaussian.limit((raw - mean) / sigma)));
  }

  private void checkDivergences(VectorCase vector) {
    double[][] clean = vector.matrix("clean");
    double[][] other = vector.matrix("adv");
    vector.expect("kl", divergence(clean, other));
    vector.expect("reverse", divergence(other, clean));
  }

  private void checkDivergence(VectorCase vector) {
    double[][] before = {{vector.number("mu_old"), vector.number("sigma_old")}};
    double[][] after = {{vector.number("mu_new"), vector.number("sigma_new")}};
    vector.expect("kl_old_new", divergence(before, after)[0]);
  }

  private void checkCategorical(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      double[] probabilities = vector.doubles("old_probs");
      Categorical before = categorical(probabilities);
      Categorical after = categorical(vector.doubles("new_probs"));
      vector.expect("kl_old_new", before.divergence(after).item());
      vector.expect("kl_new_old", after.divergence(before).item());
      double first = 0;
      double third = 0;
      for (int action = 0; action < probabilities.length; action++) {
        Tensor index = Tensor.of(new double[] {action}, 1, 1);
        double logRatio = after.logProbability(index).item() - before.logProbability(index).item();
        first -= probabilities[action] * logRatio;
        third += probabilities[action] * (Math.expm1(logRatio) - logRatio);
      }
      vector.expect("k1_expectation", first);
      vector.expect("k3_expectation", third);
    }
  }

  private static Categorical categorical(double[] probabilities) {
    return Categorical.fromLogits(
        Tensor.of(map(probabilities, Math::log), 1, probabilities.length));
  }

  private static double[] logProbability(
      Squashing squashing, double mean, double sigma, double... raw) {
    try (Scope scope = Scope.open()) {
      Gaussian gaussian = new Gaussian(scalar(mean), scalar(sigma), squashing);
      return gaussian.logProbability(Tensor.of(raw, raw.length, 1)).doubles();
    }
  }

  private static double[] entropy(Squashing squashing, double[][] meanAndSigma) {
    try (Scope scope = Scope.open()) {
      return gaussian(meanAndSigma, squashing).entropy().doubles();
    }
  }

  private static double[] divergence(double[][] from, double[][] to) {
    try (Scope scope = Scope.open()) {
      return gaussian(from, Squashing.TANH).divergence(gaussian(to, Squashing.TANH)).doubles();
    }
  }

  private static Gaussian gaussian(double[][] meanAndSigma, Squashing squashing) {
    return new Gaussian(column(meanAndSigma, 0), column(meanAndSigma, 1), squashing);
  }

  private static Tensor column(double[][] rows, int index) {
    return Tensor.of(Arrays.stream(rows).mapToDouble(row -> row[index]).toArray(), rows.length, 1);
  }

  private static double[] sigma(double[] u) {
    try (Scope scope = Scope.open()) {
      return ActionHead.sigma(Tensor.of(u, u.length), SIGMA_MIN, SIGMA_MAX).doubles();
    }
  }

  private static Tensor scalar(double value) {
    return Tensor.of(new double[] {value}, 1, 1);
  }

  private static double[] map(double[] values, DoubleUnaryOperator operator) {
    return Arrays.stream(values).map(operator).toArray();
  }

  private static double average(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }
}
