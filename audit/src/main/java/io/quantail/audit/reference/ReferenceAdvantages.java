package io.quantail.audit.reference;

import io.quantail.config.ReturnScaleConfig;
import io.quantail.config.RolloutConfig;
import io.quantail.rollout.Gae;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/** Reference implementation of advantages, their normalisation and the return scale. */
public final class ReferenceAdvantages {
  private static final double EPSILON = 1e-8;
  private static final double LIMIT = 1e6; // of an advantage
  private static final double SMALLEST_DEVIATION = 1e-6;
  private static final double STD_OVER_MAD = 1.4826;

  private ReferenceAdvantages() {}

  /** {@code A_t = sum_k (gamma lambda)^k delta_{t+k}} up to the end of the episode or rollout. */
  public static double[] advantages(Gae.Input input) {
    return traced(input, at -> ReferenceMath.clip(delta(input, at), -LIMIT, LIMIT));
  }

  /** The discounted sum of a step's own number and those of the later steps of its episode. */
  static double[] traced(Gae.Input input, IntToDoubleFunction number) {
    int size = input.rewards().length;
    double[] sums = new double[size];
    for (int from = 0; from < size; from++) {
      double weight = 1;
      for (int at = from; at < size; at += input.environments()) {
        sums[from] += weight * number.applyAsDouble(at);
        weight *= input.gamma() * input.lambda();
        if (input.terminated()[at] || input.truncated()[at]) {
          break;
        }
      }
    }
    return sums;
  }

  private static double delta(Gae.Input input, int at) {
    int next = at + input.environments();
    boolean last = next >= input.rewards().length;
    double following = last ? input.lastValues()[at % input.environments()] : input.values()[next];
    if (input.terminated()[at] || input.truncated()[at]) {
      following = input.terminated()[at] ? 0 : input.bootstrap()[at];
    }
    return input.rewards()[at] + input.gamma() * following - input.values()[at];
  }

  public static double[] sum(double[] first, double[] second) {
    double[] sum = new double[first.length];
    Arrays.setAll(sum, i -> first[i] + second[i]);
    return sum;
  }

  /** Zero mean and unit deviation, ddof 1, over the rollout or each environment. */
  public static double[] normalized(
      double[] advantages, int environments, RolloutConfig config, ReturnScale scale) {
    double[] result = new double[advantages.length];
    int groups = config.normalizeAdvantagePerEnvironment() ? environments : 1;
    double least = config.advantageFloor() * scale.std();
    for (int group = 0; group < groups; group++) {
      double[] members = new double[advantages.length / groups];
      for (int i = 0; i < members.length; i++) {
        members[i] = advantages[i * groups + group];
      }
      double mean = ReferenceMath.mean(members);
      double deviation = ReferenceMath.deviation(members, 1);
      if (deviation >= SMALLEST_DEVIATION) {
        for (int i = 0; i < members.length; i++) {
          result[i * groups + group] = (members[i] - mean) / (Math.max(deviation, least) + EPSILON);
        }
      }
    }
    return result;
  }

  public static double[] targets(double[] returns, ReturnScale scale) {
    return Arrays.stream(returns).map(r -> (r - scale.mean()) / scale.std()).toArray();
  }

  /**
   * State of the return scale.
   *
   * @param commits number of completed cycles
   * @param usualStd moving average of the standard deviation
   */
  public record Scale(double mean, double std, double usualStd, long commits) {}

  /** The scale after a cycle with the given returns. */
  public static Scale committed(Scale before, double[] returns, ReturnScaleConfig config) {
    double[] sample = sample(before, returns, config);
    double mean = sample[0];
    double std = sample[1];
    if (before.commits > 0) {
      double beta = config.emaBeta();
      double first = (1 - beta) * before.mean + beta * sample[0];
      double second =
          (1 - beta) * (before.std * before.std + before.mean * before.mean)
              + beta * (sample[1] * sample[1] + sample[0] * sample[0]);
      double followed = Math.sqrt(Math.max(second - first * first, Double.MIN_NORMAL));
      double step = config.maxRelativeStep();
      double reach = step * Math.max(Math.abs(before.mean), Math.max(followed, before.std));
      mean = ReferenceMath.clip(first, before.mean - reach, before.mean + reach);
      std = ReferenceMath.clip(followed, before.std / (1 + step), before.std * (1 + step));
    }
    double usual = before.commits == 0 ? std : 0.99 * before.usualStd + 0.01 * std;
    return new Scale(mean, Math.max(std, floor(config, usual)), usual, before.commits + 1);
  }

  private static double[] sample(Scale before, double[] returns, ReturnScaleConfig config) {
    if (config.mode() == ReturnScaleConfig.Mode.SCALE) {
      double[] sizes = Arrays.stream(returns).map(Math::abs).toArray();
      return new double[] {0, ReferenceMath.clip(ReferenceMath.percentile(sizes, 0.99), 1e-3, 1e3)};
    }
    double spread =
        config.spread() == ReturnScaleConfig.Spread.MAD
            ? robust(returns)
            : ReferenceMath.deviation(returns, 0);
    return new double[] {
      ReferenceMath.mean(returns), Math.max(spread, floor(config, before.usualStd))
    };
  }

  private static double robust(double[] returns) {
    double median = ReferenceMath.percentile(returns, 0.5);
    double[] distances = Arrays.stream(returns).map(r -> Math.abs(r - median)).toArray();
    return STD_OVER_MAD * ReferenceMath.percentile(distances, 0.5);
  }

  private static double floor(ReturnScaleConfig config, double usual) {
    double own = Math.max(config.stdFloor(), config.adaptiveFloor() * usual);
    return Math.max(own, 1 / config.scaleCap());
  }
}
