package io.quantail.risk;

import io.quantail.config.CriticConfig;
import io.quantail.config.RiskConfig;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;
import io.quantail.value.Cvar;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Measures the lower tail of every rollout and decides how strongly the limit {@code CVaR >= limit}
 * acts in the update that follows.
 *
 * <p>In mode {@code policy} the multiplier follows the measured violation with a proportional and
 * an integral part, {@code lambda = clip(gain gap + integral)}, {@code integral += rate gap}. The
 * integral alone would oscillate: it keeps growing until the policy, which itself needs many
 * updates, satisfies the limit. In mode {@code constraint} it is the integral alone, fed with the
 * predicted CVaR.
 *
 * <p>See: Stooke, Achiam, Abbeel, "Responsive safety in reinforcement learning by PID Lagrangian
 * methods", ICML 2020, arXiv:2007.03964. {@code docs/risk.md} compares the modes; {@code
 * CvarControllerTest} pins the formulas, {@code RiskLimitTest} that the limit is met.
 */
public final class CvarController implements Restorable {
  private final RiskConfig config;
  private double integral;
  private int goodUpdates; // in a row, with enough explained variance
  private OptionalDouble average = OptionalDouble.empty(); // moving, of the measured CVaR
  private OptionalDouble violationAverage = OptionalDouble.empty();
  private OptionalDouble predicted = OptionalDouble.empty(); // by the last update, raw units
  private OptionalDouble explained = OptionalDouble.empty();

  /** Starts with a multiplier of zero. */
  public CvarController(RiskConfig config) {
    this.config = config;
  }

  /** Warnings about a configured limit that has too few tail samples; empty without a limit. */
  public static List<String> warnings(RiskConfig config, CriticConfig critic) {
    if (config.limit() == null) {
      return List.of();
    }
    return critic.type() == CriticConfig.Type.QUANTILE
        ? Cvar.warnings(config.alpha(), critic.quantiles(), config.method())
        : Cvar.warnings(config.alpha());
  }

  /**
   * Measures the tail of a rollout and adapts the multiplier and the weight.
   *
   * @param progress fraction of the run that is done, in [0, 1]
   */
  public CvarDecision decide(
      double[] rewards, double[] returns, ReturnScale scale, double progress) {
    double[] samples = config.measure() == RiskConfig.Measure.REWARDS ? rewards : returns;
    EmpiricalCvar.Empirical measured =
        EmpiricalCvar.empirical(samples, config.alpha(), config.winsor());
    average = OptionalDouble.of(smoothed(average, measured.cvar()));
    if (config.limit() == null) {
      return new CvarDecision(
          config, scale, samples, new Tail(measured, average, violationAverage));
    }
    double violation = Math.max(0, config.limit() - measured.cvar());
    violationAverage = OptionalDouble.of(smoothed(violationAverage, violation));
    Tail tail = new Tail(measured, average, violationAverage);
    return switch (config.mode()) {
      case OFF -> new CvarDecision(config, scale, samples, tail);
      case PENALTY -> penalty(scale, samples, tail, progress);
      case CONSTRAINT -> constraint(scale, samples, tail);
      case POLICY -> policy(scale, samples, tail);
    };
  }

  private CvarDecision penalty(ReturnScale scale, double[] samples, Tail tail, double progress) {
    double threshold = config.penalty().thresholdExplainedVariance();
    goodUpdates =
        explained.isPresent()
            ? EmpiricalCvar.consecutive(goodUpdates, explained.getAsDouble(), threshold)
            : 0;
    boolean violated = tail.measured().cvar() < Objects.requireNonNull(config.limit());
    double weight =
        violated
            ? EmpiricalCvar.rampedWeight(
                goodUpdates,
                config.penalty().rampUpdates(),
                config.penalty().weight().at(progress),
                config.penalty().weightCap())
            : 0;
    return new CvarDecision(config, scale, samples, tail, weight, 0, Optional.empty());
  }

  private CvarDecision constraint(ReturnScale scale, double[] samples, Tail tail) {
    double cvar = predicted.orElse(tail.measured().cvar());
    double gap = (Objects.requireNonNull(config.limit()) - cvar) / scale.std();
    integral =
        EmpiricalCvar.dual(integral, config.multiplier().rate(), gap, config.multiplier().max());
    Steering steering = new Steering(predicted.isPresent() ? 0 : 1, cvar, gap);
    return new CvarDecision(config, scale, samples, tail, 0, integral, Optional.of(steering));
  }

  private CvarDecision policy(ReturnScale scale, double[] samples, Tail tail) {
    double cvar = tail.average().getAsDouble();
    double target =
        Objects.requireNonNull(config.limit()) + config.margin() * Math.abs(config.limit());
    double gap = EmpiricalCvar.relativeGap(target, cvar);
    double max = config.multiplier().max();
    integral = EmpiricalCvar.dual(integral, config.multiplier().rate(), gap, max);
    double multiplier = EmpiricalCvar.dual(integral, config.multiplier().gain(), gap, max);
    Steering steering = new Steering(2, cvar, gap);
    return new CvarDecision(config, scale, samples, tail, 0, multiplier, Optional.of(steering));
  }

  private double smoothed(OptionalDouble before, double value) {
    return before.isPresent()
        ? EmpiricalCvar.smoothed(before.getAsDouble(), value, config.smoothing())
        : value;
  }

  /**
   * Records the predictions of the critics after the update.
   *
   * @param cvars predicted CVaR of each transition, normalised units
   * @param explainedVariance explained variance after the update; ignored if undefined
   * @return mean predicted CVaR, normalised units
   */
  public double observe(double[] cvars, OptionalDouble explainedVariance, ReturnScale scale) {
    double unit = Arrays.stream(cvars).average().orElseThrow();
    predicted = OptionalDouble.of(scale.denormalize(unit));
    explained = explainedVariance.isPresent() ? explainedVariance : explained;
    return unit;
  }

  @Override
  public void save(StateMap state) {
    state.putDouble("integral", integral);
    state.putLong("goodUpdates", goodUpdates);
    put(state, "average", average);
    put(state, "violationAverage", violationAverage);
    put(state, "predicted", predicted);
    put(state, "explained", explained);
  }

  @Override
  public Runnable restoring(StateMap state) {
    double savedIntegral = state.doubleValue("integral");
    int savedUpdates = (int) state.longValue("goodUpdates");
    OptionalDouble savedAverage = optional(state, "average");
    OptionalDouble savedViolation = optional(state, "violationAverage");
    OptionalDouble savedPrediction = optional(state, "predicted");
    OptionalDouble savedExplained = optional(state, "explained");
    return () -> {
      integral = savedIntegral;
      goodUpdates = savedUpdates;
      average = savedAverage;
      violationAverage = savedViolation;
      predicted = savedPrediction;
      explained = savedExplained;
    };
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
   * @param measured CVaR of the rollout
   * @param average moving average of the measured CVaR
   * @param violation moving average of the violation; empty without a limit
   */
  public record Tail(
      EmpiricalCvar.Empirical measured, OptionalDouble average, OptionalDouble violation) {}

  /**
   * The gap that changed the multiplier.
   *
   * @param source 0 the critics' prediction, 1 the rollout because there is no prediction yet, 2
   *     the moving average of rollouts
   * @param cvar CVaR in raw units
   * @param gap by which the limit is violated: in normalised units, for source 2 relative
   */
  public record Steering(int source, double cvar, double gap) {}
}
