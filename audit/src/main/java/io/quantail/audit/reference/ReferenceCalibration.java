package io.quantail.audit.reference;

import io.quantail.config.CriticConfig;
import io.quantail.config.RiskConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Reference implementation of calibration: every prediction is followed forwards through its
 * episode.
 */
public final class ReferenceCalibration {
  private final CriticConfig critic;
  private final RiskConfig risk;
  private final double gamma;
  private final List<Step[]> steps = new ArrayList<>(); // [time][environment]
  private final List<Integer> rollouts = new ArrayList<>(); // of each time
  private int rollout;

  /**
   * One transition with its prediction.
   *
   * @param reward raw reward
   * @param terminated whether the episode ended
   * @param truncated whether it was cut off
   * @param critics outputs of each critic
   * @param mean of the return scale
   * @param std of the return scale
   */
  public record Step(
      double reward,
      boolean terminated,
      boolean truncated,
      double[][] critics,
      double mean,
      double std) {}

  public ReferenceCalibration(CriticConfig critic, RiskConfig risk, double gamma) {
    this.critic = critic;
    this.risk = risk;
    this.gamma = gamma;
  }

  /** Adds the steps of a rollout, [time][environment]. */
  public void add(List<Step[]> next) {
    for (Step[] one : next) {
      steps.add(one);
      rollouts.add(rollout);
    }
    rollout++;
  }

  /**
   * All measures over the rollouts so far: number of steps, independent ones, coverage at 0.05,
   * 0.2, 0.5 and 0.95, deviation of the levels, realised and predicted tail, lag.
   */
  public double[] measures() {
    List<Double> levels = new ArrayList<>();
    double lag = 0;
    double tail = 0;
    double realised = 0;
    double predicted = 0;
    for (int time = 0; time < steps.size(); time++) {
      for (int environment = 0; environment < steps.get(time).length; environment++) {
        double[] outcome = follow(time, environment);
        if (outcome.length == 0) {
          continue;
        }
        Step step = steps.get(time)[environment];
        double[] outputs = lower(step.critics());
        double level = level(outputs, (outcome[0] - step.mean()) / step.std());
        levels.add(level);
        lag += outcome[1] - rollouts.get(time);
        if (level <= risk.alpha()) {
          tail++;
          realised += outcome[0];
          predicted +=
              step.mean()
                  + step.std()
                      * new ReferenceCritic(critic).cvar(outputs, risk.alpha(), risk.method());
        }
      }
    }
    double count = levels.size();
    levels.sort(Comparator.naturalOrder());
    double deviation = 0;
    for (int i = 0; i < count; i++) {
      deviation += Math.abs(levels.get(i) - (2 * i + 1) / (2 * count)) / count;
    }
    return new double[] {
      count,
      count * (1 - gamma) / (1 + gamma),
      below(levels, 0.05),
      below(levels, 0.2),
      below(levels, 0.5),
      below(levels, 0.95),
      deviation,
      realised / tail,
      predicted / tail,
      lag / count
    };
  }

  private static double below(List<Double> levels, double bound) {
    return (double) levels.stream().filter(level -> level.floatValue() <= (float) bound).count()
        / levels.size();
  }

  /** The return of a step and the rollout in which it counts; empty if it does not. */
  private double[] follow(int from, int environment) {
    int needed = 1;
    while (Math.pow(gamma, needed) > 0.05) {
      needed++;
    }
    double sum = 0;
    for (int time = from; time < steps.size(); time++) {
      Step step = steps.get(time)[environment];
      sum += Math.pow(gamma, time - from) * step.reward();
      boolean enough = time - from + 1 >= needed;
      boolean ends = time + 1 == steps.size() || rollouts.get(time + 1) > rollouts.get(time);
      if (step.terminated() || (enough && (ends || step.truncated()))) {
        return new double[] {sum, rollouts.get(time)};
      }
      if (step.truncated()) {
        return new double[0];
      }
    }
    return new double[0];
  }

  private double[] lower(double[][] critics) {
    ReferenceCritic reference = new ReferenceCritic(critic);
    double[] lowest = critics[0];
    for (double[] other : critics) {
      lowest = reference.mean(other) < reference.mean(lowest) ? other : lowest;
    }
    return lowest;
  }

  /** The predicted probability of a return at or below a value, in normalised units. */
  private double level(double[] outputs, double value) {
    if (critic.type() == CriticConfig.Type.CATEGORICAL) {
      return levelOfAtoms(ReferencePolicy.probabilities(outputs), value);
    }
    int count = critic.quantiles();
    double[] sorted = Arrays.copyOf(outputs, count);
    Arrays.sort(sorted);
    if (count == 1) {
      return (Math.signum(value - new ReferenceCritic(critic).mean(outputs)) + 1) / 2;
    }
    double low = sorted[1] - sorted[0];
    double high = sorted[count - 1] - sorted[count - 2];
    double mean = ReferenceMath.mean(sorted) + (high - low) / (2 * count * Math.log(3));
    double x = value - (new ReferenceCritic(critic).mean(outputs) - mean); // moved onto its mean
    if (x < sorted[0]) {
      return Math.pow(3, (x - sorted[0]) / (sorted[1] - sorted[0])) / (2 * count);
    }
    if (x > sorted[count - 1]) {
      double gap = sorted[count - 1] - sorted[count - 2];
      return 1 - Math.pow(3, (sorted[count - 1] - x) / gap) / (2 * count);
    }
    int i = 0;
    while (sorted[i + 1] < x) {
      i++;
    }
    return (i + 0.5 + (x - sorted[i]) / (sorted[i + 1] - sorted[i])) / count;
  }

  private double levelOfAtoms(double[] masses, double value) {
    double spacing = 2 * critic.support() / (masses.length - 1);
    double inside = ReferenceMath.clip(value, -critic.support(), critic.support());
    double sum = masses[0] / 2;
    for (int i = 1; i < masses.length; i++) {
      double fraction = (inside + critic.support()) / spacing - (i - 1);
      sum += ReferenceMath.clip(fraction, 0, 1) * (masses[i - 1] + masses[i]) / 2;
    }
    return sum;
  }
}
