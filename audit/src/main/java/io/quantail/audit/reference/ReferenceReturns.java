package io.quantail.audit.reference;

import io.quantail.config.CriticConfig;
import io.quantail.config.ReturnScaleConfig;
import io.quantail.config.RunConfig;
import io.quantail.random.RandomStream;
import io.quantail.rollout.Gae;
import io.quantail.value.ReturnScale;
import java.util.Arrays;

/**
 * Reference implementation of the distribution of returns: the particles of every step, and the
 * scale of returns before the first update.
 */
public final class ReferenceReturns {
  private static final double NORMAL_PERCENTILE = 2.33;

  private ReferenceReturns() {}

  /** What follows a transition, in raw units. */
  @FunctionalInterface
  public interface Following {
    double draw(int transition, double level);
  }

  /**
   * The particles of all steps, with the numbers that are reported about them.
   *
   * @param values [transition][particle] in raw units
   * @param drawnFraction share of particles that were drawn at their own step
   * @param endWeight mean discount of the draw that ends a particle; 0 for a termination
   */
  public record Particles(double[][] values, double drawnFraction, double endWeight) {

    /** All particles, one transition after the other. */
    public double[] flat() {
      return Arrays.stream(values).flatMapToDouble(Arrays::stream).toArray();
    }
  }

  /** Follows each particle forwards, from its step until its draw or the end of its episode. */
  public static Particles particles(
      Gae.Input input, double[] uniforms, int count, double lambda, Following following) {
    int size = input.rewards().length;
    double[][] values = new double[size][count];
    double drawn = 0;
    double weights = 0;
    for (int start = 0; start < size; start++) {
      for (int k = 0; k < count; k++) {
        double discount = 1;
        for (int now = start; discount != 0; now += input.environments()) {
          values[start][k] += discount * input.rewards()[now];
          discount *= input.gamma();
          double shifted = uniforms[now] + (double) k / count;
          double level = shifted - Math.floor(shifted);
          boolean cut = input.truncated()[now] || now + input.environments() >= size;
          if (input.terminated()[now]) {
            discount = 0;
          } else if (cut || level >= lambda) {
            double drawnAt = cut ? level : (level - lambda) / (1 - lambda);
            values[start][k] += discount * following.draw(now, drawnAt);
            weights += discount;
            drawn += now == start ? 1 : 0;
            discount = 0;
          }
        }
      }
    }
    return new Particles(values, drawn / (size * count), weights / (size * count));
  }

  /** The number of each transition of an update, read at its own address. */
  public static double[] uniforms(long seed, long update, int transitions) {
    RandomStream stream = RandomStream.of(seed, "return-targets", update);
    double[] uniforms = new double[transitions];
    Arrays.setAll(
        uniforms, i -> RandomStream.restore(stream.key(), stream.substream(), i).nextDouble());
    return uniforms;
  }

  /** What the critic with the lower mean predicts for the observation after a transition. */
  public static Following predicted(
      ReferenceCritic critic, double[][][] followingOutputs, ReturnScale scale) {
    return (transition, level) -> {
      double[][] outputs = followingOutputs[transition];
      double normalised = critic.read(outputs[critic.lower(outputs)]).draw(level);
      return normalised * scale.std() + scale.mean();
    };
  }

  /**
   * The particles that the settings define.
   *
   * @param update number of updates before
   * @param returns GAE returns, the targets of mode {@code gae}
   */
  public static Particles of(
      RunConfig config,
      long update,
      Gae.Input input,
      double[] returns,
      double[][][] followingOutputs,
      ReturnScale scale) {
    CriticConfig critic = config.critic();
    if (critic.targets() == CriticConfig.Targets.GAE) {
      double[][] single =
          Arrays.stream(returns).mapToObj(x -> new double[] {x}).toArray(double[][]::new);
      return new Particles(single, 0, 0);
    }
    Double lambda = critic.targetLambda();
    return particles(
        input,
        uniforms(config.seed(), update, returns.length),
        critic.particles(),
        lambda == null ? config.rollout().gaeLambda() : lambda,
        predicted(new ReferenceCritic(critic), followingOutputs, scale));
  }

  /** Mean and deviation of returns, from the rewards of the first rollout. */
  public static double[] firstScale(Gae.Input input, ReturnScaleConfig config) {
    int size = input.rewards().length;
    double steps = (double) size / input.environments();
    double gamma = Math.min(input.gamma(), 1 - 1 / steps);
    double average = ReferenceMath.mean(input.rewards());
    double spread = ReferenceMath.deviation(input.rewards(), 0);
    double floor = Math.max(config.stdFloor(), 1 / config.scaleCap());
    double mean = average / (1 - gamma);
    double std = Math.max(floor, spread / Math.sqrt(1 - gamma * gamma));
    boolean ended = false;
    for (boolean one : input.terminated()) {
      ended |= one;
    }
    if (ended || spread < 0.01 * Math.abs(average)) {
      double[] sums = rewardSums(input);
      mean = ReferenceMath.mean(sums);
      std = Math.max(std, ReferenceMath.deviation(sums, 0));
    }
    return config.mode() == ReturnScaleConfig.Mode.SCALE
        ? new double[] {0, ReferenceMath.clip(Math.abs(mean) + NORMAL_PERCENTILE * std, 1e-3, 1e3)}
        : new double[] {mean, std};
  }

  /** Discounted rewards from every step to the end of its episode or of the rollout. */
  private static double[] rewardSums(Gae.Input input) {
    int size = input.rewards().length;
    double[] sums = new double[size];
    for (int start = 0; start < size; start++) {
      double discount = 1;
      for (int now = start; now < size; now += input.environments()) {
        sums[start] += discount * input.rewards()[now];
        discount *= input.gamma();
        if (input.terminated()[now] || input.truncated()[now]) {
          break;
        }
      }
    }
    return sums;
  }
}
