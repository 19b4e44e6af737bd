package io.quantail.ppo;

import io.quantail.config.CriticConfig;
import io.quantail.config.CriticType;
import io.quantail.config.RiskConfig;
import io.quantail.config.RiskMeasure;
import io.quantail.config.RiskMode;
import io.quantail.critic.Cvar;
import io.quantail.critic.ReturnScale;
import io.quantail.critic.RiskMath;
import io.quantail.metrics.Metrics;
import io.quantail.rollout.Gae;
import io.quantail.rollout.GaeInput;
import io.quantail.rollout.TailShortfall;
import io.quantail.state.StateMap;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Measures the lower tail of every rollout and decides how much the limit {@code CVaR >= limit}
 * counts in the update that follows.
 *
 * <p>In mode {@code policy} the multiplier follows the measured violation with a proportional and
 * an integral part, {@code lambda = clip(gain gap + integral)}, {@code integral += rate gap}. The
 * integral alone would swing: it goes on growing until the policy, which itself needs many updates,
 * has come back inside the limit. In mode {@code constraint} it is the integral alone, fed with the
 * predicted CVaR.
 *
 * <p>See: Stooke, Achiam, Abbeel, "Responsive safety in reinforcement learning by PID Lagrangian
 * methods", ICML 2020, arXiv:2007.03964. {@code docs/risk.md} compares the modes; {@code
 * RiskControlTest} pins the formulas, {@code RiskLimitTest} that the limit is met.
 */
public final class RiskControl {
  private final RiskConfig config;
  private double integral;
  private int goodUpdates; // in a row, with enough explained variance
  private OptionalDouble average = OptionalDouble.empty(); // moving, of the measured CVaR
  private OptionalDouble violationAverage = OptionalDouble.empty();
  private OptionalDouble predicted = OptionalDouble.empty(); // by the last update, raw units
  private OptionalDouble explained = OptionalDouble.empty();

  public RiskControl(RiskConfig config) {
    this.config = config;
  }

  /** What the owner of a configuration should know about its tail; empty when it has no limit. */
  public static List<String> warnings(RiskConfig config, CriticConfig critic) {
    if (config.limit() == null) {
      return List.of();
    }
    return critic.type() == CriticType.QUANTILE
        ? Cvar.warnings(config.alpha(), critic.quantiles(), config.method())
        : Cvar.warnings(config.alpha());
  }

  /** Takes in a rollout: measures its tail, moves the multiplier and the weight. */
  public Decision decide(double[] rewards, double[] returns, ReturnScale scale) {
    double[] samples = config.measure() == RiskMeasure.REWARDS ? rewards : returns;
    RiskMath.Empirical measured = RiskMath.empirical(samples, config.alpha(), config.winsor());
    average = OptionalDouble.of(smoothed(average, measured.cvar()));
    if (config.limit() == null) {
      return new Decision(config, scale, samples, new Tail(measured, average, violationAverage));
    }
    double violation = Math.max(0, config.limit() - measured.cvar());
    violationAverage = OptionalDouble.of(smoothed(violationAverage, violation));
    Tail tail = new Tail(measured, average, violationAverage);
    return switch (config.mode()) {
      case OFF -> new Decision(config, scale, samples, tail);
      case PENALTY -> penalty(scale, samples, tail);
      case CONSTRAINT -> constraint(scale, samples, tail);
      case POLICY -> policy(scale, samples, tail);
    };
  }

  private Decision penalty(ReturnScale scale, double[] samples, Tail tail) {
    double threshold = config.penalty().thresholdExplainedVariance();
    goodUpdates =
        explained.isPresent()
            ? RiskMath.consecutive(goodUpdates, explained.getAsDouble(), threshold)
            : 0;
    boolean broken = tail.measured().cvar() < config.limit();
    double weight =
        broken
            ? RiskMath.rampedWeight(
                goodUpdates,
                config.penalty().rampUpdates(),
                config.penalty().weight(),
                config.penalty().weightCap())
            : 0;
    return new Decision(config, scale, samples, tail, weight, 0, Optional.empty());
  }

  private Decision constraint(ReturnScale scale, double[] samples, Tail tail) {
    double cvar = predicted.orElse(tail.measured().cvar());
    double gap = (config.limit() - cvar) / scale.std();
    integral = RiskMath.dual(integral, config.multiplier().rate(), gap, config.multiplier().max());
    Steering steering = new Steering(predicted.isPresent() ? 0 : 1, cvar, gap);
    return new Decision(config, scale, samples, tail, 0, integral, Optional.of(steering));
  }

  private Decision policy(ReturnScale scale, double[] samples, Tail tail) {
    double cvar = tail.average().getAsDouble();
    double target = config.limit() + config.margin() * Math.abs(config.limit());
    double gap = RiskMath.relativeGap(target, cvar);
    double max = config.multiplier().max();
    integral = RiskMath.dual(integral, config.multiplier().rate(), gap, max);
    double multiplier = RiskMath.dual(integral, config.multiplier().gain(), gap, max);
    Steering steering = new Steering(2, cvar, gap);
    return new Decision(config, scale, samples, tail, 0, multiplier, Optional.of(steering));
  }

  private double smoothed(OptionalDouble before, double value) {
    return before.isPresent()
        ? RiskMath.smoothed(before.getAsDouble(), value, config.smoothing())
        : value;
  }

  /**
   * Takes in what the critics predict after the update.
   *
   * @param cvars predicted CVaR of each transition, normalised units
   * @param explainedVariance of the update; an undefined one tells nothing
   */
  public void observe(
      Metrics metrics, double[] cvars, OptionalDouble explainedVariance, ReturnScale scale) {
    double unit = Arrays.stream(cvars).average().orElseThrow();
    predicted = OptionalDouble.of(scale.denormalize(unit));
    explained = explainedVariance.isPresent() ? explainedVariance : explained;
    metrics.put("train/cvar_unit", unit);
    metrics.put("train/cvar_raw", scale.denormalize(unit));
    if (config.limit() != null && config.measure() == RiskMeasure.RETURNS) {
      metrics.put(
          "train/predicted_cvar_violation_unit",
          Math.max(0, scale.normalize(config.limit()) - unit));
    }
  }

  /** Hands over everything that moves. */
  public void save(StateMap state) {
    state.putDouble("integral", integral);
    state.putLong("goodUpdates", goodUpdates);
    put(state, "average", average);
    put(state, "violationAverage", violationAverage);
    put(state, "predicted", predicted);
    put(state, "explained", explained);
  }

  /** Takes back what {@link #save} handed over. */
  public void load(StateMap state) {
    integral = state.doubleValue("integral");
    goodUpdates = (int) state.longValue("goodUpdates");
    average = optional(state, "average");
    violationAverage = optional(state, "violationAverage");
    predicted = optional(state, "predicted");
    explained = optional(state, "explained");
  }

  private static void put(StateMap state, String name, OptionalDouble value) {
    double[] numbers = value.stream().toArray();
    state.putDoubles(name, numbers, numbers.length);
  }

  private static OptionalDouble optional(StateMap state, String name) {
    return Arrays.stream(state.doubles(name)).findFirst();
  }

  /**
   * The tail of a rollout.
   *
   * @param average moving average of the measured CVaR
   * @param violation moving average of the violation; empty without a limit
   */
  record Tail(RiskMath.Empirical measured, OptionalDouble average, OptionalDouble violation) {}

  /**
   * What moved the multiplier.
   *
   * @param source 0 the critics' prediction, 1 the rollout because there is no prediction yet, 2
   *     the moving average of rollouts
   * @param cvar raw units
   * @param gap by which the limit is broken: in normalised units, for source 2 relative
   */
  record Steering(int source, double cvar, double gap) {}

  /**
   * What the limit asks of one update.
   *
   * @param samples what the tail was measured on, one for each transition
   * @param weight of the predicted CVaR in the loss
   * @param multiplier of the violation
   * @param steering what moved the multiplier; empty if nothing did
   */
  public record Decision(
      RiskConfig config,
      ReturnScale scale,
      double[] samples,
      Tail tail,
      double weight,
      double multiplier,
      Optional<Steering> steering) {

    Decision(RiskConfig config, ReturnScale scale, double[] samples, Tail tail) {
      this(config, scale, samples, tail, 0, 0, Optional.empty());
    }

    /** What the loss adds; empty when the critics are left alone. */
    Optional<RiskTerm> term() {
      boolean critics = config.mode() != RiskMode.POLICY && (weight > 0 || multiplier > 0);
      return critics
          ? Optional.of(
              new RiskTerm(
                  config.alpha(),
                  config.method(),
                  weight,
                  multiplier,
                  scale.normalize(config.limit()),
                  config.cap() == null ? Double.POSITIVE_INFINITY : config.cap()))
          : Optional.empty();
    }

    /** Lowers the advantages of the steps that make the tail, in mode {@code policy}. */
    public Gae.Result adjust(Gae.Result gae, GaeInput input) {
      if (config.mode() != RiskMode.POLICY || multiplier == 0) {
        return gae;
      }
      double[] shortfalls = TailShortfall.centered(samples, config.alpha());
      double[] costs =
          config.measure() == RiskMeasure.REWARDS
              ? TailShortfall.traced(shortfalls, input)
              : shortfalls;
      return gae.minus(Arrays.stream(costs).map(cost -> multiplier * cost).toArray());
    }

    public void report(Metrics metrics) {
      double cvar = tail.measured().cvar();
      metrics.put("train/cvar_empirical", cvar);
      metrics.put("train/cvar_empirical_ema", tail.average().getAsDouble());
      if (tail.measured().fewSamples()) {
        metrics.put("warn/cvar_tail_samples_low", tail.measured().tailSamples());
        metrics.put("warn/cvar_tail_samples_min_threshold", RiskMath.FEW_SAMPLES);
      }
      if (config.limit() != null) {
        double gap = config.limit() - cvar;
        metrics.put("train/cvar_gap", gap);
        metrics.put("train/cvar_violation", Math.max(0, gap));
        metrics.put("train/cvar_violation_ema", tail.violation().getAsDouble());
      }
      if (config.measure() == RiskMeasure.RETURNS) {
        reportUnits(metrics, cvar);
      }
      reportAction(metrics);
    }

    private void reportUnits(Metrics metrics, double cvar) {
      metrics.put("train/cvar_scale", scale.std());
      metrics.put("train/cvar_empirical_unit", scale.normalize(cvar));
      if (config.limit() != null) {
        double gap = (config.limit() - cvar) / scale.std();
        metrics.put("train/cvar_limit_unit", scale.normalize(config.limit()));
        metrics.put("train/cvar_gap_unit", gap);
        metrics.put("train/cvar_violation_unit", Math.max(0, gap));
      }
    }

    private void reportAction(Metrics metrics) {
      if (config.mode() != RiskMode.OFF) {
        metrics.put("train/cvar_lambda", multiplier);
        metrics.put("train/cvar_weight_effective", weight);
        metrics.put("train/cvar_penalty_active", weight > 0 ? 1 : 0);
      }
      steering.ifPresent(
          moved -> {
            metrics.put("debug/cvar_dual_update_source", moved.source());
            metrics.put("debug/cvar_for_dual_raw", moved.cvar());
            metrics.put("debug/cvar_gap_for_dual_unit", moved.gap());
          });
    }
  }
}
