package io.quantail.audit.reference;

import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import java.util.Arrays;

/**
 * Reference implementation of an action distribution: log-probability, entropy, KL divergence.
 *
 * <p>A discrete policy is given by logits or log-probabilities, a continuous one by means followed
 * by standard deviations.
 */
public final class ReferencePolicy {
  private static final double REACH = 8.5;
  private static final int NODES = 86;

  private final boolean continuous;
  private final NetworkConfig.Squash squash;

  public ReferencePolicy(ActionSpace space, NetworkConfig.Squash configured) {
    continuous = space instanceof ActionSpace.Box;
    squash =
        space instanceof ActionSpace.Box box
            ? resolved(box, configured)
            : NetworkConfig.Squash.NONE;
  }

  /** Automatic squashing is tanh where an action may be negative, else sigmoid. */
  private static NetworkConfig.Squash resolved(
      ActionSpace.Box box, NetworkConfig.Squash configured) {
    if (configured != NetworkConfig.Squash.AUTO) {
      return configured;
    }
    for (float low : box.low()) {
      if (low < 0) {
        return NetworkConfig.Squash.TANH;
      }
    }
    return NetworkConfig.Squash.SIGMOID;
  }

  public NetworkConfig.Squash squash() {
    return squash;
  }

  public double logProbability(double[] policy, double[] raw) {
    if (!continuous) {
      return policy[(int) raw[0]] - logSumExp(policy);
    }
    double sum = 0;
    for (int i = 0; i < raw.length; i++) {
      double sigma = policy[raw.length + i];
      double distance = raw[i] - policy[i];
      double density = Math.exp(-distance * distance / (2 * sigma * sigma));
      double logDensity =
          density > Double.MIN_NORMAL
              ? Math.log(density / (sigma * Math.sqrt(2 * Math.PI)))
              : -distance * distance / (2 * sigma * sigma)
                  - Math.log(sigma * Math.sqrt(2 * Math.PI));
      sum += logDensity - logSlope(raw[i]);
    }
    return sum;
  }

  public double entropy(double[] policy) {
    return continuous ? continuousEntropy(policy) : discreteEntropy(policy);
  }

  private static double discreteEntropy(double[] policy) {
    double normaliser = logSumExp(policy);
    double sum = 0;
    for (double logit : policy) {
      sum -= Math.exp(logit - normaliser) * (logit - normaliser);
    }
    return sum;
  }

  /** The integral of {@code -p log p}, substituted back to the variable before squashing. */
  private double continuousEntropy(double[] policy) {
    int size = policy.length / 2;
    double sum = 0;
    for (int i = 0; i < size; i++) {
      double sigma = policy[size + i];
      sum += Math.log(sigma) + 0.5 * Math.log(2 * Math.PI * Math.E);
      if (squash != NetworkConfig.Squash.NONE) {
        double step = 2 * REACH / (NODES - 1);
        for (int node = 0; node < NODES; node++) {
          double z = -REACH + node * step;
          double density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
          sum += step * density * logSlope(policy[i] + sigma * z);
        }
      }
    }
    return sum;
  }

  /** {@code KL(old || now)}; squashing both in the same way does not change it. */
  public double divergence(double[] old, double[] now) {
    if (!continuous) {
      double oldNormaliser = logSumExp(old);
      double newNormaliser = logSumExp(now);
      double sum = 0;
      for (int i = 0; i < old.length; i++) {
        double log = old[i] - oldNormaliser;
        sum += Math.exp(log) * (log - now[i] + newNormaliser);
      }
      return sum;
    }
    int size = old.length / 2;
    double sum = 0;
    for (int i = 0; i < size; i++) {
      double ratio = old[size + i] / now[size + i];
      double shift = (old[i] - now[i]) / now[size + i];
      sum += 0.5 * (ratio * ratio + shift * shift - 1) - Math.log(ratio);
    }
    return sum;
  }

  /** The squashing function. */
  public double squashed(double raw) {
    return switch (squash) {
      case TANH -> Math.tanh(raw);
      case SIGMOID -> 1 / (1 + Math.exp(-raw));
      case NONE, AUTO -> raw;
    };
  }

  /** Logarithm of the derivative of the squashing function. */
  public double logSlope(double x) {
    double size = Math.abs(x);
    return switch (squash) {
      case TANH -> 2 * (Math.log(2) - size - Math.log1p(Math.exp(-2 * size)));
      case SIGMOID -> -size - 2 * Math.log1p(Math.exp(-size));
      case NONE, AUTO -> 0;
    };
  }

  /** The probabilities of discrete actions. */
  public static double[] probabilities(double[] logits) {
    double normaliser = logSumExp(logits);
    return Arrays.stream(logits).map(logit -> Math.exp(logit - normaliser)).toArray();
  }

  static double logSumExp(double[] values) {
    double largest = Arrays.stream(values).max().orElseThrow();
    double sum = 0;
    for (double value : values) {
      sum += Math.exp(value - largest);
    }
    return largest + Math.log(sum);
  }
}
