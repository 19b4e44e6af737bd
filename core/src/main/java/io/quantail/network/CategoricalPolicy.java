package io.quantail.network;

import io.quantail.random.RandomStream;

/**
 * A choice among finitely many actions; the raw action is the index.
 *
 * <p>With logits l, probabilities p and entropy H: {@code d log p_a / dl_k = 1{k = a} - p_k},
 * {@code dH / dl_k = -p_k (log p_k + H)}, {@code dKL(q || p) / dl_k = p_k - q_k}.
 */
final class CategoricalPolicy implements PolicyDistribution {
  private static final float[] NOTHING = {};

  private final double[] logs;
  private final double[] probabilities;
  private final double[] stored; // probabilities of the distribution that was compared
  private int action;
  private double entropy;

  CategoricalPolicy(int actions) {
    logs = new double[actions];
    probabilities = new double[actions];
    stored = new double[actions];
  }

  @Override
  public void set(float[] outputs, float[] features) {
    double highest = Double.NEGATIVE_INFINITY;
    for (float output : outputs) {
      highest = Math.max(highest, output);
    }
    double sum = 0;
    for (float output : outputs) {
      sum += StrictMath.exp(output - highest);
    }
    double normalizer = highest + StrictMath.log(sum);
    entropy = 0;
    for (int k = 0; k < logs.length; k++) {
      logs[k] = outputs[k] - normalizer;
      probabilities[k] = StrictMath.exp(logs[k]);
      entropy -= probabilities[k] * logs[k];
    }
  }

  @Override
  public double logProbability(float[] raw, int offset) {
    action = (int) raw[offset];
    return logs[action];
  }

  @Override
  public double entropy() {
    return entropy;
  }

  @Override
  public double divergenceFrom(float[] logProbabilities, int offset) {
    double divergence = 0;
    for (int k = 0; k < logs.length; k++) {
      stored[k] = StrictMath.exp(logProbabilities[offset + k]);
      divergence += stored[k] * (logProbabilities[offset + k] - logs[k]);
    }
    return divergence;
  }

  @Override
  public void addGradient(
      float[] dOutputs, double byLogProbability, double byEntropy, double byDivergence) {
    for (int k = 0; k < logs.length; k++) {
      double p = probabilities[k];
      dOutputs[k] +=
          (float)
              (byLogProbability * ((k == action ? 1 : 0) - p)
                  - byEntropy * p * (logs[k] + entropy)
                  + byDivergence * (p - stored[k]));
    }
  }

  @Override
  public void store(float[] target, int offset) {
    for (int k = 0; k < logs.length; k++) {
      target[offset + k] = (float) logs[k];
    }
  }

  @Override
  public void sample(RandomStream stream, float[] raw, int offset) {
    double remaining = stream.nextDouble() - probabilities[0];
    int chosen = 0;
    while (remaining >= 0 && chosen < probabilities.length - 1) {
      chosen++;
      remaining -= probabilities[chosen];
    }
    raw[offset] = chosen;
  }

  @Override
  public void mode(float[] raw, int offset) {
    int best = 0;
    for (int k = 1; k < logs.length; k++) {
      if (logs[k] > logs[best]) {
        best = k;
      }
    }
    raw[offset] = best;
  }

  @Override
  public float[] beside() {
    return NOTHING;
  }
}
