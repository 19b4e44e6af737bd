package io.quantail.nn;

import io.quantail.random.RandomStream;
import io.quantail.tensor.Tensor;

/** A choice among finitely many actions; the raw action is the index. */
public final class Categorical implements ActionDistribution {
  private final Tensor logProbabilities; // [row, action]

  private Categorical(Tensor logProbabilities) {
    this.logProbabilities = logProbabilities;
  }

  /** From unnormalised scores [row, action]. */
  public static Categorical fromLogits(Tensor logits) {
    return new Categorical(logits.logSoftmax(1));
  }

  @Override
  public Tensor logProbability(Tensor raw) {
    return logProbabilities.gather(1, raw.toIndex()).reshape(raw.size(0));
  }

  @Override
  public Tensor entropy() {
    return logProbabilities.exp().mul(logProbabilities).sum(1).neg();
  }

  @Override
  public Tensor divergence(ActionDistribution other) {
    Tensor otherLog = ((Categorical) other).logProbabilities;
    return logProbabilities.exp().mul(logProbabilities.sub(otherLog)).sum(1);
  }

  @Override
  public Tensor parameters() {
    return logProbabilities;
  }

  @Override
  public float[] sample(RandomStream[] streams, int first) {
    float[] logs = logProbabilities.floats();
    int rows = (int) logProbabilities.size(0);
    int actions = (int) logProbabilities.size(1);
    float[] chosen = new float[rows];
    for (int row = 0; row < rows; row++) {
      double remaining = streams[first + row].nextDouble();
      int action = 0;
      remaining -= StrictMath.exp(logs[row * actions]);
      while (remaining >= 0 && action < actions - 1) {
        action++;
        remaining -= StrictMath.exp(logs[row * actions + action]);
      }
      chosen[row] = action;
    }
    return chosen;
  }

  @Override
  public float[] mode() {
    float[] logs = logProbabilities.floats();
    int rows = (int) logProbabilities.size(0);
    int actions = (int) logProbabilities.size(1);
    float[] chosen = new float[rows];
    for (int row = 0; row < rows; row++) {
      int best = 0;
      for (int action = 1; action < actions; action++) {
        if (logs[row * actions + action] > logs[row * actions + best]) {
          best = action;
        }
      }
      chosen[row] = best;
    }
    return chosen;
  }
}
