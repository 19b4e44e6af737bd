package io.quantail.audit.slow;

import io.quantail.config.RiskConfig;
import io.quantail.config.RiskMeasure;
import io.quantail.config.RiskMode;
import io.quantail.critic.ReturnScale;
import io.quantail.rollout.Gae;
import io.quantail.state.StateMap;
import java.util.Arrays;

/** The limit on the tail once more: what is measured, how the multiplier moves, what it costs. */
public final class SlowRisk {
  private final RiskConfig config;
  private double integral;
  private long goodUpdates;
  private Double average;
  private Double predicted;
  private Double explained;

  public SlowRisk(RiskConfig config) {
    this.config = config;
  }

  /**
   * What the limit asks of one update.
   *
   * @param cvar mean of the worst samples of the rollout
   * @param weight of the predicted CVaR in the loss
   * @param multiplier of the violation, in the loss or in the advantages
   */
  public record Decision(double cvar, double weight, double multiplier) {}

  /** Begins where a saved control stands. */
  public void load(StateMap state) {
    integral = state.doubleValue("integral");
    goodUpdates = state.longValue("goodUpdates");
    average = first(state.doubles("average"));
    predicted = first(state.doubles("predicted"));
    explained = first(state.doubles("explained"));
  }

  private static Double first(double[] values) {
    return values.length == 0 ? null : values[0];
  }

  /** What a rollout's tail is measured on. */
  public double[] samples(double[] rewards, double[] returns) {
    return config.measure() == RiskMeasure.REWARDS ? rewards : returns;
  }

  /** Mean of the {@code ceil(alpha n)} lowest samples after both ends were pulled in. */
  public static double empirical(double[] samples, double alpha, double winsor) {
    double low = Numbers.percentile(samples, winsor);
    double high = Numbers.percentile(samples, 1 - winsor);
    double[] limited = new double[samples.length];
    Arrays.setAll(limited, i -> Numbers.clip(samples[i], low, high));
    Arrays.sort(limited);
    int tail = Math.max(1, (int) Math.ceil(alpha * samples.length));
    return Numbers.mean(Arrays.copyOf(limited, tail));
  }

  /** Takes in a rollout. */
  public Decision decide(double[] samples, ReturnScale scale) {
    double cvar = empirical(samples, config.alpha(), config.winsor());
    average =
        average == null ? cvar : config.smoothing() * average + (1 - config.smoothing()) * cvar;
    return switch (config.mode()) {
      case OFF -> new Decision(cvar, 0, 0);
      case PENALTY -> new Decision(cvar, penaltyWeight(cvar), 0);
      case CONSTRAINT -> {
        double prediction = predicted == null ? cvar : predicted;
        integral = moved(integral, config.multiplier().rate(), gapInUnits(prediction, scale));
        yield new Decision(cvar, 0, integral);
      }
      case POLICY -> {
        double target = config.limit() + config.margin() * Math.abs(config.limit());
        double size = Math.max(Math.abs(target), Math.abs(average));
        double gap = size == 0 ? 0 : (target - average) / size;
        integral = moved(integral, config.multiplier().rate(), gap);
        yield new Decision(cvar, 0, moved(integral, config.multiplier().gain(), gap));
      }
    };
  }

  private double penaltyWeight(double cvar) {
    double threshold = config.penalty().thresholdExplainedVariance();
    goodUpdates = explained != null && explained >= threshold ? goodUpdates + 1 : 0;
    if (cvar >= config.limit() || goodUpdates == 0) {
      return 0;
    }
    double ramp = Math.min(1, goodUpdates / (double) config.penalty().rampUpdates());
    return Math.min(config.penalty().weight() * ramp, config.penalty().weightCap());
  }

  private double gapInUnits(double cvar, ReturnScale scale) {
    return (config.limit() - cvar) / scale.std();
  }

  private double moved(double multiplier, double rate, double gap) {
    return Numbers.clip(multiplier + rate * gap, 0, config.multiplier().max());
  }

  /** Takes in what the critics predict after an update. */
  public void observe(double[] cvars, Double explainedVariance, ReturnScale scale) {
    predicted = Numbers.mean(cvars) * scale.std() + scale.mean();
    explained = explainedVariance == null ? explained : explainedVariance;
  }

  /** What each step's advantage is lowered by, in mode {@code policy}. */
  public double[] costs(double[] samples, double multiplier, Gae.Input input) {
    double[] costs = new double[samples.length];
    if (config.mode() != RiskMode.POLICY) {
      return costs;
    }
    double worst = Numbers.percentile(samples, config.alpha());
    for (int i = 0; i < costs.length; i++) {
      costs[i] = samples[i] < worst ? (worst - samples[i]) / config.alpha() : 0;
    }
    double mean = Numbers.mean(costs);
    for (int i = 0; i < costs.length; i++) {
      costs[i] -= mean;
    }
    double[] caused = config.measure() == RiskMeasure.REWARDS ? caused(costs, input) : costs;
    Arrays.setAll(caused, i -> multiplier * caused[i]);
    return caused;
  }

  /** The cost of a step and of the later ones of its episode, fading with gamma lambda. */
  private static double[] caused(double[] costs, Gae.Input input) {
    double[] caused = new double[costs.length];
    for (int from = 0; from < costs.length; from++) {
      double weight = 1;
      for (int at = from; at < costs.length; at += input.environments()) {
        caused[from] += weight * costs[at];
        weight *= input.gamma() * input.lambda();
        if (input.terminated()[at] || input.truncated()[at]) {
          break;
        }
      }
    }
    return caused;
  }

  /** What the loss adds for a mean predicted CVaR, in normalised units. */
  public double term(double cvar, Decision decision, ReturnScale scale) {
    if (config.mode() != RiskMode.PENALTY && config.mode() != RiskMode.CONSTRAINT) {
      return 0;
    }
    double cap = config.cap() == null ? Double.POSITIVE_INFINITY : config.cap();
    double limit = (config.limit() - scale.mean()) / scale.std();
    double penalty = Numbers.clip(-decision.weight * cvar, -cap, cap);
    double constraint = Numbers.clip(decision.multiplier * (limit - cvar), 0, cap);
    return penalty + constraint;
  }
}
