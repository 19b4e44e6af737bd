package io.quantail.risk;

import io.quantail.config.CriticConfig;
import io.quantail.config.RiskConfig;
import io.quantail.rollout.Gae;
import io.quantail.state.Restorable;
import io.quantail.state.StateException;
import io.quantail.state.StateMap;
import io.quantail.value.Cvar;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * Measures the lower tail of every rollout and decides how strongly the limit {@code CVaR >= limit}
 * acts in the update that follows.
 *
 * <p>In mode {@code policy} the multiplier follows the measured violation with a proportional and
 * an integral part, {@code lambda = clip(gain gap + integral)}, {@code integral += rate gap}. The
 * integral alone would oscillate: it keeps growing until the policy, which itself needs many
 * updates, satisfies the limit. In mode {@code constraint} it is the integral alone. Both are fed
 * with the moving average of the measured CVaR: a predicted one could satisfy the limit while the
 * measured one does not.
 *
 * <p>See: Stooke, Achiam, Abbeel, "Responsive safety in reinforcement learning by PID Lagrangian
 * methods", ICML 2020, arXiv:2007.03964. {@code docs/guides/train-under-a-limit.md} compares the
 * modes; {@code CvarControllerTest} pins the formulas, {@code RiskLimitTest} that the limit is met.
 */
public final class CvarController implements Restorable {
  private static final String PREDICTED = "predicted";

  private final RiskConfig config;
  private final EpisodeWindow window;
  private double integral;
  private int goodUpdates; // in a row, with enough explained variance
  private OptionalDouble average = OptionalDouble.empty(); // moving, of the measured CVaR
  private OptionalDouble violationAverage = OptionalDouble.empty();
  private OptionalDouble explained = OptionalDouble.empty();

  /** Starts with a multiplier of zero. */
  public CvarController(RiskConfig config) {
    this.config = config;
    this.window = new EpisodeWindow(config.alpha());
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
   * Measures the tail of a rollout and adapts the multiplier and the weight. With the measure
   * {@code episodes} nothing changes while too few episodes have ended, or none did in this
   * rollout.
   *
   * @param collected the rollout
   * @param returns samples of the return of each transition, equally many of each, [transition,
   *     sample]
   * @param running reward sum of each environment's episode before the rollout
   * @param progress fraction of the run that is done, in [0, 1]
   */
  public CvarDecision decide(
      Gae.Input collected, double[] returns, double[] running, ReturnScale scale, double progress) {
    boolean episodes = config.measure() == RiskConfig.Measure.EPISODES;
    double[] perStep =
        switch (config.measure()) {
          case REWARDS -> collected.rewards();
          case RETURNS -> returns;
          case EPISODES -> window.add(collected, running);
        };
    if (episodes && (window.missing() > 0 || Arrays.stream(perStep).allMatch(Double::isNaN))) {
      return CvarDecision.undecided(config, scale, window.missing());
    }
    double[] samples = episodes ? window.totals() : perStep;
    CvarDecision measured = CvarDecision.measured(config, scale, measure(samples));
    return switch (config.mode()) {
      case OFF -> measured;
      case PENALTY -> penalty(measured, progress);
      case CONSTRAINT -> constraint(measured);
      case POLICY -> policy(measured, () -> costs(perStep, samples, collected));
    };
  }

  private Tail measure(double[] samples) {
    EmpiricalCvar.Empirical measured =
        EmpiricalCvar.empirical(samples, config.alpha(), config.winsor());
    average = OptionalDouble.of(smoothed(average, measured.cvar()));
    if (config.limit() != null) {
      double violation = Math.max(0, config.limit() - measured.cvar());
      violationAverage = OptionalDouble.of(smoothed(violationAverage, violation));
    }
    return new Tail(measured, average.getAsDouble(), violationAverage);
  }

  private double[] costs(double[] perStep, double[] samples, Gae.Input collected) {
    double[] charged = TailCost.charged(perStep, samples, config.alpha());
    return switch (config.measure()) {
      case REWARDS -> TailCost.traced(charged, collected);
      case RETURNS -> TailCost.averaged(charged, collected.rewards().length);
      case EPISODES -> charged;
    };
  }

  private CvarDecision penalty(CvarDecision decision, double progress) {
    double threshold = config.penalty().thresholdExplainedVariance();
    goodUpdates =
        explained.isPresent()
            ? EmpiricalCvar.consecutive(goodUpdates, explained.getAsDouble(), threshold)
            : 0;
    double measured = decision.tail().orElseThrow().measured().cvar();
    boolean violated = measured < Objects.requireNonNull(config.limit());
    return decision.withWeight(
        violated
            ? EmpiricalCvar.rampedWeight(
                goodUpdates,
                config.penalty().rampUpdates(),
                config.penalty().weight().at(progress),
                config.penalty().weightCap())
            : 0);
  }

  private CvarDecision constraint(CvarDecision decision) {
    double cvar = decision.tail().orElseThrow().average();
    double gap = (Objects.requireNonNull(config.limit()) - cvar) / decision.scale().std();
    integral =
        EmpiricalCvar.dual(integral, config.multiplier().rate(), gap, config.multiplier().max());
    return decision.withMultiplier(integral, new Steering(cvar, gap));
  }

  private CvarDecision policy(CvarDecision decision, Supplier<double[]> costs) {
    double cvar = decision.tail().orElseThrow().average();
    double target =
        Objects.requireNonNull(config.limit()) + config.margin() * Math.abs(config.limit());
    double gap = EmpiricalCvar.relativeGap(target, cvar);
    double max = config.multiplier().max();
    integral = EmpiricalCvar.dual(integral, config.multiplier().rate(), gap, max);
    double multiplier = EmpiricalCvar.dual(integral, config.multiplier().gain(), gap, max);
    CvarDecision decided = decision.withMultiplier(multiplier, new Steering(cvar, gap));
    return multiplier == 0 ? decided : decided.withCosts(costs.get());
  }

  private double smoothed(OptionalDouble before, double value) {
    return before.isPresent()
        ? EmpiricalCvar.smoothed(before.getAsDouble(), value, config.smoothing())
        : value;
  }

  /**
   * Records how well the critics predict after the update.
   *
   * @param explainedVariance ignored if undefined
   */
  public void observe(OptionalDouble explainedVariance) {
    explained = explainedVariance.isPresent() ? explainedVariance : explained;
  }

  @Override
  public void save(StateMap state) {
    state.putDouble("integral", integral);
    state.putLong("goodUpdates", goodUpdates);
    put(state, "average", average);
    put(state, "violationAverage", violationAverage);
    put(state, "explained", explained);
    window.save(state);
  }

  /**
   * {@inheritDoc} Older builds moved the multiplier of {@code constraint} by the predicted CVaR;
   * their snapshots contain it, and such a run cannot continue as it was.
   */
  @Override
  public Runnable restoring(StateMap state) {
    boolean predicted = state.contains(PREDICTED) && state.doubles(PREDICTED).length > 0;
    if (predicted && config.mode() == RiskConfig.Mode.CONSTRAINT) {
      throw new StateException(
          "risk.mode constraint followed the predicted CVaR when this snapshot was written and"
              + " follows the measured one now; resume with the older version, or start a new run");
    }
    double savedIntegral = state.doubleValue("integral");
    int savedUpdates = (int) state.longValue("goodUpdates");
    OptionalDouble savedAverage = optional(state, "average");
    OptionalDouble savedViolation = optional(state, "violationAverage");
    OptionalDouble savedExplained = optional(state, "explained");
    Runnable episodes = window.restoring(state);
    return () -> {
      integral = savedIntegral;
      goodUpdates = savedUpdates;
      average = savedAverage;
      violationAverage = savedViolation;
      explained = savedExplained;
      episodes.run();
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
   * @param measured CVaR of the rollout, or of the window of episodes
   * @param average moving average of the measured CVaR
   * @param violation moving average of the violation; empty without a limit
   */
  public record Tail(EmpiricalCvar.Empirical measured, double average, OptionalDouble violation) {}

  /**
   * The gap that changed the multiplier.
   *
   * @param cvar moving average of the measured CVaR
   * @param gap by which it violates the limit: in normalised units in mode {@code constraint},
   *     relative in mode {@code policy}
   */
  public record Steering(double cvar, double gap) {}
}
