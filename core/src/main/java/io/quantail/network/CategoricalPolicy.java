package io.quantail.network;

import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.Locale;

/**
 * A choice among finitely many actions, some of which may be masked; the raw action is the index.
 *
 * <p>With logits l and the allowed choices M: {@code p_k = e^l_k / Σ_j∈M e^l_j} for k in M, and 0
 * for the others, so that sums over choices are sums over M. With the entropy {@code H = -Σ_k∈M p_k
 * log p_k} and {@code KL(q || p) = Σ_k∈M q_k (log q_k - log p_k)} the gradients are, for k in M:
 * {@code d log p_a / dl_k = 1{k = a} - p_k}, {@code dH / dl_k = -p_k (log p_k + H)}, {@code dKL(q
 * || p) / dl_k = p_k - q_k}; for a masked logit they are 0. Masked log-probabilities are stored as
 * minus infinity. {@code CategoricalPolicyTest} and the vectors {@code masked_*} pin it.
 */
final class CategoricalPolicy implements PolicyDistribution {
  private static final float[] NOTHING = {};

  private final double[] logs;
  private final double[] probabilities; // of the allowed choices
  private final double[] stored; // probabilities of the distribution that was compared
  private final boolean[] masked;
  private final int[] allowed; // indices of the choices that are not masked, ascending
  private int count; // of allowed choices
  private int action;
  private double entropy;

  CategoricalPolicy(int actions) {
    logs = new double[actions];
    probabilities = new double[actions];
    stored = new double[actions];
    masked = new boolean[actions];
    allowed = new int[actions];
    allowAll();
  }

  private void allowAll() {
    Arrays.fill(masked, false);
    Arrays.setAll(allowed, k -> k);
    count = allowed.length;
  }

  private void allow(boolean[] masks, int offset) {
    count = 0;
    for (int k = 0; k < logs.length; k++) {
      masked[k] = !masks[offset + k];
      if (masked[k]) {
        logs[k] = Double.NEGATIVE_INFINITY;
      } else {
        allowed[count++] = k;
      }
    }
    if (count == 0) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "all %d choices are masked; allow at least one", logs.length));
    }
  }

  @Override
  public void set(float[] outputs, float[] features, boolean[] masks, int maskOffset) {
    if (masks.length > 0) {
      allow(masks, maskOffset);
    } else if (count < allowed.length) {
      allowAll();
    }
    double highest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      highest = Math.max(highest, outputs[allowed[i]]);
    }
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += StrictMath.exp(outputs[allowed[i]] - highest);
    }
    double normalizer = highest + StrictMath.log(sum);
    entropy = 0;
    for (int i = 0; i < count; i++) {
      int k = allowed[i];
      logs[k] = outputs[k] - normalizer;
      probabilities[k] = StrictMath.exp(logs[k]);
      entropy -= probabilities[k] * logs[k];
    }
  }

  @Override
  public double logProbability(float[] raw, int offset) {
    action = (int) raw[offset];
    if (masked[action]) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "choice %d of %d is masked, so it has no log-probability",
              action,
              logs.length));
    }
    return logs[action];
  }

  @Override
  public double entropy() {
    return entropy;
  }

  @Override
  public double divergenceFrom(float[] logProbabilities, int offset) {
    double divergence = 0;
    for (int i = 0; i < count; i++) {
      int k = allowed[i];
      stored[k] = StrictMath.exp(logProbabilities[offset + k]);
      if (stored[k] != 0) {
        divergence += stored[k] * (logProbabilities[offset + k] - logs[k]);
      }
    }
    if (count < logs.length) {
      requireMasked(logProbabilities, offset);
    }
    return divergence;
  }

  /** Refuses a stored distribution of which a masked choice has a probability. */
  private void requireMasked(float[] logProbabilities, int offset) {
    for (int k = 0; k < logs.length; k++) {
      if (masked[k] && logProbabilities[offset + k] != Float.NEGATIVE_INFINITY) {
        throw new IllegalArgumentException(
            String.format(
                    Locale.ROOT,
                    "choice %d of %d is masked but was allowed in the stored distribution, from which the",
                    k,
                    logs.length)
                + " divergence is infinite; compare distributions of one mask");
      }
    }
  }

  @Override
  public void addGradient(
      float[] dOutputs, double byLogProbability, double byEntropy, double byDivergence) {
    for (int i = 0; i < count; i++) {
      int k = allowed[i];
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
    double remaining = stream.nextDouble() - probabilities[allowed[0]];
    int chosen = 0;
    while (remaining >= 0 && chosen < count - 1) {
      chosen++;
      remaining -= probabilities[allowed[chosen]];
    }
    raw[offset] = allowed[chosen];
  }

  @Override
  public void mode(float[] raw, int offset) {
    int best = allowed[0];
    for (int i = 1; i < count; i++) {
      if (logs[allowed[i]] > logs[best]) {
        best = allowed[i];
      }
    }
    raw[offset] = best;
  }

  @Override
  public float[] beside() {
    return NOTHING;
  }
}
