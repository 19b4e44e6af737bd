package io.quantail.audit.reference;

import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Reference implementation of an action distribution: log-probability, entropy, KL divergence.
 *
 * <p>A policy is an array of numbers, one part of the action after the other. A discrete part is
 * given by logits or log-probabilities, minus infinity for a masked choice; a continuous one by
 * means followed by standard deviations. Parts are independent, so their values add.
 */
public final class ReferencePolicy {
  private static final double REACH = 8.5;
  private static final int NODES = 86;

  private final List<Part> parts = new ArrayList<>();

  public ReferencePolicy(ActionSpace space, NetworkConfig.Squash configured) {
    int action = 0;
    int number = 0;
    int mask = 0;
    for (ActionSpace each : space.parts()) {
      Part part = Part.of(each, configured, action, number, mask);
      parts.add(part);
      action += part.size;
      number += part.count;
      mask += part.choices();
    }
  }

  /**
   * One part of an action.
   *
   * @param space choices or a box
   * @param squash applied to each number of a box
   * @param action index of its first number in a raw action
   * @param size numbers in a raw action
   * @param number index of its first number in a policy
   * @param count numbers in a policy
   * @param mask index of its first choice in a mask
   */
  public record Part(
      ActionSpace space,
      NetworkConfig.Squash squash,
      int action,
      int size,
      int number,
      int count,
      int mask) {
    static Part of(
        ActionSpace space, NetworkConfig.Squash configured, int action, int number, int mask) {
      if (space instanceof ActionSpace.Box box) {
        int size = box.low().length;
        return new Part(box, resolved(box, configured), action, size, number, 2 * size, mask);
      }
      int choices = ((ActionSpace.Discrete) space).count();
      return new Part(space, NetworkConfig.Squash.NONE, action, 1, number, choices, mask);
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

    public boolean continuous() {
      return space instanceof ActionSpace.Box;
    }

    /** Number of choices; 0 for a box. */
    public int choices() {
      return continuous() ? 0 : count;
    }

    /** The numbers of this part in a policy. */
    public double[] of(double[] policy) {
      return Arrays.copyOfRange(policy, number, number + count);
    }

    private double logProbability(double[] policy, double[] raw) {
      if (!continuous()) {
        return policy[number + (int) raw[action]] - logSumExp(of(policy));
      }
      double sum = 0;
      for (int i = 0; i < size; i++) {
        double sigma = policy[number + size + i];
        double distance = raw[action + i] - policy[number + i];
        double density = Math.exp(-distance * distance / (2 * sigma * sigma));
        double logDensity =
            density > Double.MIN_NORMAL
                ? Math.log(density / (sigma * Math.sqrt(2 * Math.PI)))
                : -distance * distance / (2 * sigma * sigma)
                    - Math.log(sigma * Math.sqrt(2 * Math.PI));
        sum += logDensity - logSlope(raw[action + i]);
      }
      return sum;
    }

    private double entropy(double[] policy) {
      return continuous() ? continuousEntropy(policy) : discreteEntropy(of(policy));
    }

    private static double discreteEntropy(double[] logits) {
      double normaliser = logSumExp(logits);
      double sum = 0;
      for (double logit : logits) {
        double p = Math.exp(logit - normaliser);
        sum -= p == 0 ? 0 : p * (logit - normaliser);
      }
      return sum;
    }

    /** The integral of {@code -p log p}, substituted back to the variable before squashing. */
    private double continuousEntropy(double[] policy) {
      double sum = 0;
      for (int i = 0; i < size; i++) {
        double mean = policy[number + i];
        double sigma = policy[number + size + i];
        sum += Math.log(sigma) + 0.5 * Math.log(2 * Math.PI * Math.E);
        if (squash != NetworkConfig.Squash.NONE) {
          double step = 2 * REACH / (NODES - 1);
          for (int node = 0; node < NODES; node++) {
            double z = -REACH + node * step;
            double density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
            sum += step * density * logSlope(mean + sigma * z);
          }
        }
      }
      return sum;
    }

    private double divergence(double[] old, double[] now) {
      return continuous() ? continuousDivergence(of(old), of(now)) : discrete(of(old), of(now));
    }

    private static double discrete(double[] old, double[] now) {
      double oldNormaliser = logSumExp(old);
      double newNormaliser = logSumExp(now);
      double sum = 0;
      for (int i = 0; i < old.length; i++) {
        double log = old[i] - oldNormaliser;
        double p = Math.exp(log);
        sum += p == 0 ? 0 : p * (log - now[i] + newNormaliser);
      }
      return sum;
    }

    private static double continuousDivergence(double[] old, double[] now) {
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
    private double logSlope(double x) {
      double magnitude = Math.abs(x);
      return switch (squash) {
        case TANH -> 2 * (Math.log(2) - magnitude - Math.log1p(Math.exp(-2 * magnitude)));
        case SIGMOID -> -magnitude - 2 * Math.log1p(Math.exp(-magnitude));
        case NONE, AUTO -> 0;
      };
    }
  }

  /** The parts in the order of the action. */
  public List<Part> parts() {
    return parts;
  }

  /** A policy whose masked choices have no probability. */
  public double[] masked(double[] policy, boolean[] mask) {
    if (mask.length == 0) {
      return policy;
    }
    double[] masked = policy.clone();
    for (Part part : parts) {
      for (int k = 0; k < part.choices(); k++) {
        if (!mask[part.mask + k]) {
          masked[part.number + k] = Double.NEGATIVE_INFINITY;
        }
      }
    }
    return masked;
  }

  public double logProbability(double[] policy, double[] raw) {
    return sum(part -> part.logProbability(policy, raw));
  }

  public double entropy(double[] policy) {
    return sum(part -> part.entropy(policy));
  }

  /** {@code KL(old || now)}; squashing both in the same way does not change it. */
  public double divergence(double[] old, double[] now) {
    return sum(part -> part.divergence(old, now));
  }

  private double sum(ToDoubleFunction<Part> value) {
    double sum = 0;
    for (Part part : parts) {
      sum += value.applyAsDouble(part);
    }
    return sum;
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
