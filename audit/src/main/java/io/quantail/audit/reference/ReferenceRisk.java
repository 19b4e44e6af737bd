package io.quantail.audit.reference;

import io.quantail.config.RiskConfig;
import io.quantail.rollout.Gae;
import io.quantail.state.StateMap;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reference implementation of the CVaR limit: its measurement, its multiplier and its costs. */
public final class ReferenceRisk {
  private final RiskConfig config;
  private double integral;
  private long goodUpdates;
  private @Nullable Double average;
  private @Nullable Double predicted;
  private @Nullable Double explained;

  public ReferenceRisk(RiskConfig config) {
    this.config = config;
  }

  /**
   * How strongly the CVaR limit acts in one update.
   *
   * @param cvar mean of the worst samples of the rollout
   * @param weight of the predicted CVaR in the loss
   * @param multiplier of the violation, in the loss or in the advantages
   */
  public record Decision(double cvar, double weight, double multiplier) {}

  /** Restores the state of a saved controller. */
  public void load(StateMap state) {
    integral = state.doubleValue("integral");
    goodUpdates = state.longValue("goodUpdates");
    average = first(state.doubles("average"));
    predicted = first(state.doubles("predicted"));
    explained = first(state.doubles("explained"));
  }

  private static @Nullable Double first(double[] values) {
    return values.length == 0 ? null : values[0];
  }

  /** The samples whose CVaR is limited. */
  public double[] samples(double[] rewards, double[] returns) {
    return config.measure() == RiskConfig.Measure.REWARDS ? rewards : returns;
  }

  /** The mean of the {@code ceil(alpha n)} lowest samples after winsorising both tails. */
  public static double empirical(double[] samples, double alpha, double winsor) {
    double low = ReferenceMath.percentile(samples, winsor);
    double high = ReferenceMath.percentile(samples, 1 - winsor);
    double[] limited =
        Arrays.stream(samples).map(x -> ReferenceMath.clip(x, low, high)).sorted().toArray();
    int tail = Math.max(1, (int) Math.ceil(alpha * samples.length));
    return ReferenceMath.mean(Arrays.copyOf(limited, tail));
  }

  /** Processes a rollout at a fraction of the run. */
  public Decision decide(double[] samples, ReturnScale scale, double progress) {
    double cvar = empirical(samples, config.alpha(), config.winsor());
    average =
        average == null ? cvar : config.smoothing() * average + (1 - config.smoothing()) * cvar;
    return switch (config.mode()) {
      case OFF -> new Decision(cvar, 0, 0);
      case PENALTY -> new Decision(cvar, penaltyWeight(cvar, progress), 0);
      case CONSTRAINT -> {
        double prediction = predicted == null ? cvar : predicted;
        integral = moved(integral, config.multiplier().rate(), gapInUnits(prediction, scale));
        yield new Decision(cvar, 0, integral);
      }
      case POLICY -> {
        double target =
            Objects.requireNonNull(config.limit()) + config.margin() * Math.abs(config.limit());
        double size = Math.max(Math.abs(target), Math.abs(average));
        double gap = size == 0 ? 0 : (target - average) / size;
        integral = moved(integral, config.multiplier().rate(), gap);
        yield new Decision(cvar, 0, moved(integral, config.multiplier().gain(), gap));
      }
    };
  }

  private double penaltyWeight(double cvar, double progress) {
    double threshold = config.penalty().thresholdExplainedVariance();
    goodUpdates = explained != null && explained >= threshold ? goodUpdates + 1 : 0;
    if (cvar >= Objects.requireNonNull(config.limit()) || goodUpdates == 0) {
      return 0;
    }
    double ramp = Math.min(1, goodUpdates / (double) config.penalty().rampUpdates());
    double weight = ReferenceSchedules.value(config.penalty().weight(), progress);
    return Math.min(weight * ramp, config.penalty().weightCap());
  }

  private double gapInUnits(double cvar, ReturnScale scale) {
    return (Objects.requireNonNull(config.limit()) - cvar) / scale.std();
  }

  private double moved(double multiplier, double rate, double gap) {
    return ReferenceMath.clip(multiplier + rate * gap, 0, config.multiplier().max());
  }

  /** Processes the predictions of the critics after an update. */
  public void observe(double[] cvars, Double explainedVariance, ReturnScale scale) {
    predicted = ReferenceMath.mean(cvars) * scale.std() + scale.mean();
    explained = explainedVariance == null ? explained : explainedVariance;
  }

  /** The reduction of each step's advantage in mode {@code policy}. */
  public double[] costs(double[] samples, double multiplier, Gae.Input input) {
    double[] costs = new double[samples.length];
    if (config.mode() != RiskConfig.Mode.POLICY) {
      return costs;
    }
    double worst = ReferenceMath.percentile(samples, config.alpha());
    for (int i = 0; i < costs.length; i++) {
      costs[i] = samples[i] < worst ? (worst - samples[i]) / config.alpha() : 0;
    }
    double mean = ReferenceMath.mean(costs);
    Arrays.setAll(costs, i -> costs[i] - mean);
    double[] caused =
        config.measure() == RiskConfig.Measure.REWARDS
            ? ReferenceAdvantages.traced(input, at -> costs[at])
            : costs;
    return Arrays.stream(caused).map(cost -> multiplier * cost).toArray();
  }

  /** The term of the loss for a mean predicted CVaR in normalised units. */
  public double term(double cvar, Decision decision, ReturnScale scale) {
    if (config.mode() != RiskConfig.Mode.PENALTY && config.mode() != RiskConfig.Mode.CONSTRAINT) {
      return 0;
    }
    double cap = config.cap() == null ? Double.POSITIVE_INFINITY : config.cap();
    double limit = (Objects.requireNonNull(config.limit()) - scale.mean()) / scale.std();
    double penalty = ReferenceMath.clip(-decision.weight * cvar, -cap, cap);
    double constraint = ReferenceMath.clip(decision.multiplier * (limit - cvar), 0, cap);
    return penalty + constraint;
  }
}
