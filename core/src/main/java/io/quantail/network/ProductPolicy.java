package io.quantail.network;

import io.quantail.env.ActionSpace;
import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Several actions at once, drawn independently given the outputs of the head.
 *
 * <p>With parts i: {@code log p(a) = Σ_i log p_i(a_i)}, {@code H = Σ_i H_i} and {@code KL(q || p) =
 * Σ_i KL(q_i || p_i)}, so the gradient by the outputs of a part is that of the part alone. Outputs,
 * raw actions, masks and stored numbers are those of the parts, one part after the other. {@code
 * ProductPolicyTest} and the vectors {@code product_*} pin it.
 */
final class ProductPolicy implements PolicyDistribution {
  private final Part[] parts; // an array, because iterators would be allocated

  /** A part with its own outputs and its places in the arrays of the whole. */
  private static final class Part {
    private final PolicyDistribution policy;
    private final float[] outputs;
    private final float[] gradient; // of the outputs
    private final int output;
    private final int action;
    private final int mask;
    private final int stored;

    Part(PolicyDistribution policy, int outputs, int output, int action, int mask, int stored) {
      this.policy = policy;
      this.outputs = new float[outputs];
      this.gradient = new float[outputs];
      this.output = output;
      this.action = action;
      this.mask = mask;
      this.stored = stored;
    }

    void set(float[] all, float[] features, boolean[] masks, int maskOffset) {
      System.arraycopy(all, output, outputs, 0, outputs.length);
      policy.set(outputs, features, masks, maskOffset + mask);
    }

    void addGradient(float[] all, double byLogProbability, double byEntropy, double byDivergence) {
      Arrays.fill(gradient, 0);
      policy.addGradient(gradient, byLogProbability, byEntropy, byDivergence);
      for (int k = 0; k < gradient.length; k++) {
        all[output + k] += gradient[k];
      }
    }
  }

  /**
   * @param spaces of the parts
   * @param policies makes the distribution of a part from its index
   */
  ProductPolicy(List<ActionSpace> spaces, Function<Integer, PolicyDistribution> policies) {
    int output = 0;
    int action = 0;
    int mask = 0;
    int stored = 0;
    parts = new Part[spaces.size()];
    for (int i = 0; i < spaces.size(); i++) {
      ActionSpace space = spaces.get(i);
      int outputs = PolicyHead.outputs(space);
      parts[i] = new Part(policies.apply(i), outputs, output, action, mask, stored);
      output += outputs;
      action += space.size();
      mask += space.maskSize();
      stored += PolicyHead.distributionParameters(space);
    }
  }

  @Override
  public void set(float[] outputs, float[] features, boolean[] masks, int maskOffset) {
    for (int i = 0; i < parts.length; i++) {
      try {
        parts[i].set(outputs, features, masks, maskOffset);
      } catch (IllegalArgumentException refused) {
        throw new IllegalArgumentException("part " + i + ": " + refused.getMessage(), refused);
      }
    }
  }

  @Override
  public double logProbability(float[] raw, int offset) {
    double sum = 0;
    for (Part part : parts) {
      sum += part.policy.logProbability(raw, offset + part.action);
    }
    return sum;
  }

  @Override
  public double entropy() {
    double sum = 0;
    for (Part part : parts) {
      sum += part.policy.entropy();
    }
    return sum;
  }

  @Override
  public double divergenceFrom(float[] stored, int offset) {
    double sum = 0;
    for (Part part : parts) {
      sum += part.policy.divergenceFrom(stored, offset + part.stored);
    }
    return sum;
  }

  @Override
  public void addGradient(
      float[] dOutputs, double byLogProbability, double byEntropy, double byDivergence) {
    for (Part part : parts) {
      part.addGradient(dOutputs, byLogProbability, byEntropy, byDivergence);
    }
  }

  @Override
  public void store(float[] target, int offset) {
    for (Part part : parts) {
      part.policy.store(target, offset + part.stored);
    }
  }

  @Override
  public void sample(RandomStream stream, float[] raw, int offset) {
    for (Part part : parts) {
      part.policy.sample(stream, raw, offset + part.action);
    }
  }

  @Override
  public void mode(float[] raw, int offset) {
    for (Part part : parts) {
      part.policy.mode(raw, offset + part.action);
    }
  }

  /** Gradients of the standard deviations of all parts, one part after the other. */
  @Override
  public float[] beside() {
    int size = 0;
    for (Part part : parts) {
      size += part.policy.beside().length;
    }
    float[] all = new float[size];
    int place = 0;
    for (Part part : parts) {
      float[] own = part.policy.beside();
      System.arraycopy(own, 0, all, place, own.length);
      place += own.length;
    }
    return all;
  }
}
