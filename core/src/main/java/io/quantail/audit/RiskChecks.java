package io.quantail.audit;

import io.quantail.audit.slow.Numbers;
import io.quantail.audit.slow.SlowEstimates;
import io.quantail.audit.slow.SlowRisk;
import io.quantail.config.RiskConfig;
import io.quantail.config.RiskMeasure;
import io.quantail.config.RiskMode;
import io.quantail.critic.RiskMath;
import io.quantail.ppo.RiskControl;
import io.quantail.ppo.RiskDecision;
import io.quantail.rollout.Gae;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;

/** How the limit on the tail reacts. */
final class RiskChecks {
  private static final String TOPIC = "risk";
  private static final double EXACT = 1e-9;
  private static final int UPDATES = 8;

  private RiskChecks() {}

  static List<AuditCheck> all() {
    return List.of(
        AuditCheck.of(
                TOPIC,
                "multiplier",
                "CVAR-3 CVAR-4",
                "multiplier and weight over eight updates, the limit first broken and then kept, with"
                    + " their definitions",
                RiskChecks::multiplier)
            .exercising("RiskControl RiskDecision RiskMath Percentiles"),
        AuditCheck.of(
                TOPIC,
                "advantages-under-a-limit",
                "CVAR-4",
                "advantages lowered by the traced shortfall with the sum written out (mode policy)",
                RiskChecks::adjusted)
            .exercising("RiskDecision TailShortfall Gae Percentiles"),
        AuditCheck.of(
                TOPIC,
                "risk-terms",
                "CVAR-3",
                "penalty and constraint in the loss and their slopes with their formulas, limits"
                    + " broken and kept, caps reached and not",
                RiskChecks::terms)
            .exercising("RiskMath"));
  }

  private static Outcome terms(AuditSubject subject) {
    double worst = 0;
    double step = 1e-6;
    for (double cap : new double[] {0.4, Double.POSITIVE_INFINITY}) {
      for (int i = 0; i < 40; i++) {
        double cvar = -2.03 + 0.1 * i;
        double weight = 0.7;
        double limit = 0.31;
        RiskMath.Term penalty = RiskMath.penalty(cvar, weight, cap);
        RiskMath.Term constraint = RiskMath.constraint(cvar, limit, weight, cap);
        DoubleUnaryOperator penalized = c -> Numbers.clip(-weight * c, -cap, cap);
        DoubleUnaryOperator constrained = c -> Numbers.clip(weight * (limit - c), 0, cap);
        worst = Math.max(worst, Math.abs(penalty.value() - penalized.applyAsDouble(cvar)));
        worst = Math.max(worst, Math.abs(constraint.value() - constrained.applyAsDouble(cvar)));
        worst = Math.max(worst, Math.abs(penalty.slope() - slope(penalized, cvar, step)));
        worst = Math.max(worst, Math.abs(constraint.slope() - slope(constrained, cvar, step)));
      }
    }
    return Outcome.error(worst, 1e-8, "the critics are pushed elsewhere than the limit says");
  }

  private static double slope(DoubleUnaryOperator function, double at, double step) {
    return (function.applyAsDouble(at + step) - function.applyAsDouble(at - step)) / (2 * step);
  }

  /** The settings with a limit in the middle of what is seen, so that it is broken and kept. */
  private static RiskConfig reached(RiskConfig risk, double limit) {
    return new RiskConfig(
        risk.mode(),
        risk.measure(),
        risk.alpha(),
        limit,
        risk.margin(),
        risk.winsor(),
        risk.smoothing(),
        risk.method(),
        risk.cap(),
        risk.multiplier(),
        risk.penalty());
  }

  private static Outcome multiplier(AuditSubject subject) {
    RiskConfig configured = subject.config().risk();
    if (configured.mode() == RiskMode.OFF) {
      return Outcome.skipped("risk.mode is off");
    }
    Sample sample = subject.own();
    double[] rewards = sample.collected().rewards();
    double[] returns = ReferenceTargets.of(sample).returns();
    double[] seen = configured.measure() == RiskMeasure.REWARDS ? rewards : returns;
    double spread = Math.max(1e-3, Arrays.stream(seen).map(Math::abs).max().orElseThrow());
    double cvar = SlowRisk.empirical(seen, configured.alpha(), configured.winsor());
    RiskConfig risk = reached(configured, cvar + spread);
    RiskControl control = new RiskControl(risk);
    SlowRisk slow = new SlowRisk(risk);
    double worst = 0;
    double largest = 0;
    for (int update = 0; update < UPDATES; update++) {
      double lift = 0.4 * update * spread;
      double[] liftedRewards = Arrays.stream(rewards).map(value -> value + lift).toArray();
      double[] liftedReturns = Arrays.stream(returns).map(value -> value + lift).toArray();
      RiskDecision actual = control.decide(liftedRewards, liftedReturns, sample.scale());
      SlowRisk.Decision expected =
          slow.decide(slow.samples(liftedRewards, liftedReturns), sample.scale());
      worst =
          Math.max(
              worst,
              Deviation.absolute(
                  new double[] {actual.weight(), actual.multiplier()},
                  new double[] {expected.weight(), expected.multiplier()}));
      largest = Math.max(largest, Math.max(actual.weight(), actual.multiplier()));
      double[] cvars = SlowEstimates.targets(liftedReturns, sample.scale());
      control.observe(cvars, OptionalDouble.of(0.9), sample.scale());
      slow.observe(cvars, 0.9, sample.scale());
    }
    return Outcome.of(
        worst <= EXACT && largest > 0,
        Outcome.number(worst),
        "<= 1e-9",
        "the largest was " + Outcome.number(largest));
  }

  private static Outcome adjusted(AuditSubject subject) {
    RiskConfig configured = subject.config().risk();
    if (configured.mode() != RiskMode.POLICY) {
      return Outcome.skipped("risk.mode is not policy");
    }
    Sample sample = subject.own();
    Gae.Input input = sample.collected();
    Gae.Result gae = Gae.compute(input);
    SlowRisk measure = new SlowRisk(configured);
    double[] samples = measure.samples(input.rewards(), gae.returns());
    RiskConfig risk = reached(configured, Math.abs(Arrays.stream(samples).max().orElseThrow()) + 1);
    RiskDecision decision =
        new RiskControl(risk).decide(input.rewards(), gae.returns(), sample.scale());
    double[] actual = decision.adjust(gae, input).advantages();
    double[] costs = new SlowRisk(risk).costs(samples, decision.multiplier(), input);
    if (Arrays.stream(costs).allMatch(cost -> cost == 0)) {
      return Outcome.skipped("all samples of the rollout are alike and have no tail");
    }
    double[] expected = SlowEstimates.advantages(input);
    for (int i = 0; i < expected.length; i++) {
      expected[i] -= costs[i];
    }
    return Outcome.error(
        Deviation.relative(actual, expected),
        EXACT,
        "the policy is not told which steps make the tail");
  }
}
