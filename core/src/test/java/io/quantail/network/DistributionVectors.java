package io.quantail.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.vectors.Floats;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/** Distributions over actions: densities, entropies and divergences. */
public final class DistributionVectors implements VectorFamily {
  private static final double SIGMA_MIN = 0.2;
  private static final double SIGMA_MAX = 1.5;

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
    vector.allowSinglePrecision(magnitude(mean, sigma, raw));
    vector.expect("log_prob_sigmoid", logProbability(Squashing.SIGMOID, mean, sigma, raw)[0]);
    vector.expect("log_prob_tanh", logProbability(Squashing.TANH, mean, sigma, raw)[0]);
    vector.expect("log_prob_raw", logProbability(Squashing.NONE, mean, sigma, raw)[0]);
  }

  private void checkSquashed(VectorCase vector, Squashing squashing) {
    double[] raw = vector.doubles("raw");
    double mean = vector.number("mean");
    double sigma = vector.number("sigma");
    vector.expect("score", map(raw, squashing::apply));
    vector.expect("log_jacobian", map(raw, squashing::logDerivative));
    vector.allowSinglePrecision(magnitude(mean, sigma, raw));
    vector.expect("log_prob", logProbability(squashing, mean, sigma, raw));
    vector.expect("log_prob_raw", logProbability(Squashing.NONE, mean, sigma, raw));
  }

  /**
   * What rounded actions, means and deviations may change in a log-probability: its derivative by
   * each of them, times their size.
   */
  private static double magnitude(double mean, double sigma, double... raw) {
    double largest = 0;
    for (double x : raw) {
      double z = Math.abs(x - mean) / sigma;
      double byPlace = (z / sigma + 2) * (Math.abs(x) + Math.abs(mean));
      largest = Math.max(largest, byPlace + z * z + 1);
    }
    return largest;
  }

  private void checkRatio(VectorCase vector) {
    double[] raw = vector.doubles("raw");
    vector.allowSinglePrecision(
        magnitude(vector.number("mean_old"), vector.number("sigma_old"), raw)
            + magnitude(vector.number("mean_new"), vector.number("sigma_new"), raw));
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
    vector.allowSinglePrecision(entropyMagnitude(pairs));
    vector.expect("sigmoid", entropy(Squashing.SIGMOID, pairs));
    vector.expect("tanh", entropy(Squashing.TANH, pairs));
    vector.expect("raw_gaussian", entropy(Squashing.NONE, pairs));
  }

  /** A rounded deviation counts by its relative error, a rounded mean by its own. */
  private static double entropyMagnitude(double[][] meanAndSigma) {
    return 2 + 2 * Floats.largest(Floats.flat(meanAndSigma));
  }

  /** We integrate instead of sampling; the samples' mean still pins the density. */
  private void checkSampledEntropy(VectorCase vector) {
    double mean = vector.number("mean");
    double sigma = vector.number("sigma");
    double[] raw = map(vector.doubles("z"), z -> draw(mean, sigma, z));
    vector.allowSinglePrecision(magnitude(mean, sigma, raw));
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
    vector.allowSinglePrecision(entropyMagnitude(pairs));
    vector.expect("entropy", entropy(Squashing.NONE, pairs));
  }

  private void checkLimit(VectorCase vector) {
    assertThat(vector.number("z_max")).as("our limit").isEqualTo(PolicyDistribution.MAX_SIGMAS);
    double mean = vector.number("mean");
    double sigma = vector.number("sigma");
    vector.expect(
        "raw_clamped", map(vector.doubles("raw"), raw -> draw(mean, sigma, (raw - mean) / sigma)));
  }

  /** The raw action that a policy draws where its stream gives a standard normal number. */
  private static double draw(double mean, double sigma, double z) {
    return mean + sigma * GaussianPolicy.limit(z);
  }

  private void checkDivergences(VectorCase vector) {
    double[][] clean = vector.matrix("clean");
    double[][] other = vector.matrix("adv");
    vector.allowSinglePrecision(
        Math.max(divergenceMagnitude(clean, other), divergenceMagnitude(other, clean)));
    vector.expect("kl", divergence(clean, other));
    vector.expect("reverse", divergence(other, clean));
  }

  private void checkDivergence(VectorCase vector) {
    double[][] before = {{vector.number("mu_old"), vector.number("sigma_old")}};
    double[][] after = {{vector.number("mu_new"), vector.number("sigma_new")}};
    vector.allowSinglePrecision(divergenceMagnitude(before, after));
    vector.expect("kl_old_new", divergence(before, after)[0]);
  }

  private void checkCategorical(VectorCase vector) {
    double[] probabilities = vector.doubles("old_probs");
    float[] before = logits(probabilities);
    float[] after = logits(vector.doubles("new_probs"));
    vector.allowSinglePrecision(
        1 + Floats.largest(Floats.widened(before)) + Floats.largest(Floats.widened(after)));
    vector.expect("kl_old_new", divergence(before, after));
    vector.expect("kl_new_old", divergence(after, before));
    double first = 0;
    double third = 0;
    for (int action = 0; action < probabilities.length; action++) {
      float[] raw = {action};
      double logRatio =
          categorical(after).logProbability(raw, 0) - categorical(before).logProbability(raw, 0);
      first -= probabilities[action] * logRatio;
      third += probabilities[action] * (Math.expm1(logRatio) - logRatio);
    }
    vector.expect("k1_expectation", first);
    vector.expect("k3_expectation", third);
  }

  private static double divergence(float[] from, float[] to) {
    float[] stored = new float[from.length];
    categorical(from).store(stored, 0);
    return categorical(to).divergenceFrom(stored, 0);
  }

  private static CategoricalPolicy categorical(float[] logits) {
    CategoricalPolicy policy = new CategoricalPolicy(logits.length);
    policy.set(logits, new float[0]);
    return policy;
  }

  private static float[] logits(double[] probabilities) {
    return Floats.of(map(probabilities, Math::log));
  }

  private static double[] logProbability(
      Squashing squashing, double mean, double sigma, double... raw) {
    GaussianPolicy policy = gaussian(squashing, mean, sigma);
    float[] actions = Floats.of(raw);
    return IntStream.range(0, raw.length)
        .mapToDouble(i -> policy.logProbability(actions, i))
        .toArray();
  }

  private static double[] entropy(Squashing squashing, double[][] meanAndSigma) {
    return Arrays.stream(meanAndSigma)
        .mapToDouble(pair -> gaussian(squashing, pair[0], pair[1]).entropy())
        .toArray();
  }

  private static double[] divergence(double[][] from, double[][] to) {
    return IntStream.range(0, from.length)
        .mapToDouble(
            i -> {
              float[] stored = new float[2];
              gaussian(Squashing.TANH, from[i][0], from[i][1]).store(stored, 0);
              return gaussian(Squashing.TANH, to[i][0], to[i][1]).divergenceFrom(stored, 0);
            })
        .toArray();
  }

  /** The derivatives by means and deviations, times their size. */
  private static double divergenceMagnitude(double[][] from, double[][] to) {
    double largest = 0;
    for (int i = 0; i < from.length; i++) {
      double sigma = to[i][1];
      double distance = Math.abs(from[i][0] - to[i][0]) / sigma;
      double ratio = from[i][1] / sigma;
      double byMeans = distance * (Math.abs(from[i][0]) + Math.abs(to[i][0])) / sigma;
      largest = Math.max(largest, byMeans + distance * distance + ratio * ratio + 1);
    }
    return largest;
  }

  private static GaussianPolicy gaussian(Squashing squashing, double mean, double sigma) {
    GaussianPolicy policy = new GaussianPolicy(Floats.of(sigma), squashing);
    policy.set(Floats.of(mean), new float[0]);
    return policy;
  }

  private static double[] sigma(double[] u) {
    return map(u, x -> PolicyHead.sigma(x, SIGMA_MIN, SIGMA_MAX));
  }

  private static double[] map(double[] values, DoubleUnaryOperator operator) {
    return Arrays.stream(values).map(operator).toArray();
  }

  private static double average(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }
}
