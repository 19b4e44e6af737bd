package io.quantail.network;

import io.quantail.env.ActionSpace;
import io.quantail.testing.vectors.Floats;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Masked choices and several actions at once, as {@code tools/action-vectors} derives them. */
public final class ActionVectors implements VectorFamily {
  private static final float[] NO_FEATURES = {};

  /** Of the derivatives of the vectors; means are subtracted in single precision. */
  private static final double LARGEST = 20;

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("masked_choice", this::checkChoice, "product_actions", this::checkProduct);
  }

  private void checkChoice(VectorCase vector) {
    float[] logits = Floats.of(vector.doubles("logits"));
    boolean[] mask = vector.flags("mask");
    float[] stored = Floats.of(vector.doubles("stored"));
    forbid(stored, mask);
    float[] action = {vector.integer("action")};
    CategoricalPolicy policy = new CategoricalPolicy(logits.length);
    policy.set(logits, NO_FEATURES, mask, 0);
    float[] logs = new float[logits.length];
    policy.store(logs, 0);
    double[] probabilities = new double[logs.length];
    Arrays.setAll(probabilities, k -> Math.exp(logs[k]));
    vector.expect("probabilities", probabilities);
    vector.expect("log_probability", policy.logProbability(action, 0));
    vector.expect("entropy", policy.entropy());
    vector.expect("divergence", policy.divergenceFrom(stored, 0));
    double[] factors = vector.doubles("factors");
    vector.expect("slopes_log_probability", slopes(policy, logits.length, 1, 0, 0));
    vector.expect("slopes_entropy", slopes(policy, logits.length, 0, 1, 0));
    vector.expect("slopes_divergence", slopes(policy, logits.length, 0, 0, 1));
    vector.expect(
        "slopes_mixed", slopes(policy, logits.length, factors[0], factors[1], factors[2]));
  }

  private void checkProduct(VectorCase vector) {
    int[] counts = vector.integers("counts");
    int boxes = vector.integer("boxes");
    float[] sigmas = Floats.of(vector.doubles("sigmas"));
    boolean squashed = vector.input("squash").asText().equals("tanh");
    Squashing squashing = squashed ? Squashing.TANH : Squashing.NONE;
    List<ActionSpace> parts = new ArrayList<>();
    for (int count : counts) {
      parts.add(ActionSpace.discrete(count));
    }
    if (boxes > 0) {
      float[] low = new float[boxes];
      float[] high = new float[boxes];
      Arrays.fill(low, -1);
      Arrays.fill(high, 1);
      parts.add(ActionSpace.box(low, high));
    }
    float[] outputs = Floats.of(vector.doubles("outputs"));
    boolean[] mask = vector.flags("mask");
    float[] stored = Floats.of(vector.doubles("stored"));
    forbid(stored, mask);
    float[] action = Floats.of(vector.doubles("action"));
    for (String term : List.of("log_probability", "entropy", "divergence")) {
      if (!vector.expects(term)) {
        continue;
      }
      ProductPolicy policy =
          new ProductPolicy(
              parts,
              i ->
                  i < counts.length
                      ? new CategoricalPolicy(counts[i])
                      : new GaussianPolicy(sigmas.clone(), squashing));
      policy.set(outputs, NO_FEATURES, mask, 0);
      double[] values = {
        policy.logProbability(action, 0), policy.entropy(), policy.divergenceFrom(stored, 0)
      };
      vector.allowSinglePrecision(LARGEST);
      int which = List.of("log_probability", "entropy", "divergence").indexOf(term);
      vector.expect(term, values[which]);
      double[] slopes =
          slopes(
              policy, outputs.length, which == 0 ? 1 : 0, which == 1 ? 1 : 0, which == 2 ? 1 : 0);
      vector.expect("slopes_" + term, slopes);
      vector.expect("sigma_slopes_" + term, doubles(policy.beside()));
    }
  }

  /** Stored log-probabilities of masked choices are minus infinity. */
  private static void forbid(float[] stored, boolean[] mask) {
    for (int k = 0; k < mask.length; k++) {
      stored[k] = mask[k] ? stored[k] : Float.NEGATIVE_INFINITY;
    }
  }

  private static double[] slopes(
      PolicyDistribution policy,
      int outputs,
      double byLogProbability,
      double byEntropy,
      double byDivergence) {
    float[] slopes = new float[outputs];
    policy.addGradient(slopes, byLogProbability, byEntropy, byDivergence);
    return doubles(slopes);
  }

  private static double[] doubles(float[] numbers) {
    double[] doubles = new double[numbers.length];
    Arrays.setAll(doubles, i -> numbers[i]);
    return doubles;
  }
}
