package io.quantail.audit;

import static io.quantail.audit.AuditCheck.check;

import io.quantail.audit.reference.ReferenceAdvantages;
import io.quantail.audit.reference.ReferenceMath;
import io.quantail.audit.reference.ReferenceRisk;
import io.quantail.config.RiskConfig;
import io.quantail.risk.CvarController;
import io.quantail.risk.CvarDecision;
import io.quantail.risk.EmpiricalCvar;
import io.quantail.rollout.Gae;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;

/** Reaction to the CVaR limit. */
final class RiskChecks {
  private static final double EXACT = 1e-9;
  private static final int UPDATES = 8;

  private RiskChecks() {}

  static List<AuditCheck> all() {
    return AuditCheck.topic(
        "risk",
        check("multiplier", "CVAR-3 CVAR-4", EXACT, RiskChecks::multiplier)
            .compares(
                "multiplier and weight over eight updates, the limit first violated and then"
                    + " satisfied, with their definitions")
            .exercises("CvarController CvarDecision EmpiricalCvar Percentiles")
            .unless(
                subject -> subject.config().risk().mode() == RiskConfig.Mode.OFF,
                "risk.mode is off"),
        check("advantages-under-a-limit", "CVAR-4", RiskChecks::adjusted)
            .compares(
                "advantages reduced by the traced shortfall with the sum written out (mode policy)")
            .exercises("CvarDecision TailCost Gae Percentiles")
            .failureMeans("the advantages do not reflect which steps cause the tail")
            .unless(
                subject -> subject.config().risk().mode() != RiskConfig.Mode.POLICY,
                "risk.mode is not policy"),
        check("risk-terms", "CVAR-3", 1e-8, RiskChecks::terms)
            .compares(
                "penalty and constraint in the loss and their slopes with their formulas, with"
                    + " limits violated and satisfied and caps reached and not")
            .exercises("EmpiricalCvar")
            .failureMeans("the critics get another gradient than the limit defines"));
  }

  private static Deviation terms(AuditSubject subject) {
    double weight = 0.7;
    double limit = 0.31;
    Deviation deviation = new Deviation();
    for (double cap : new double[] {0.4, Double.POSITIVE_INFINITY}) {
      for (int i = 0; i < 40; i++) {
        double cvar = -2.03 + 0.1 * i;
        compare(
            EmpiricalCvar.penalty(cvar, weight, cap),
            cvar,
            c -> ReferenceMath.clip(-weight * c, -cap, cap),
            deviation);
        compare(
            EmpiricalCvar.constraint(cvar, limit, weight, cap),
            cvar,
            c -> ReferenceMath.clip(weight * (limit - c), 0, cap),
            deviation);
      }
    }
    return deviation;
  }

  private static void compare(
      EmpiricalCvar.Term actual, double cvar, DoubleUnaryOperator expected, Deviation deviation) {
    deviation
        .add(actual.value(), expected.applyAsDouble(cvar))
        .add(actual.slope(), ReferenceMath.slope(1e-6, cvar, expected));
  }

  private static RiskConfig withLimit(AuditSubject subject, double limit) {
    return SampleConfig.with(subject.config(), "risk.limit=" + limit).risk();
  }

  private static Deviation multiplier(AuditSubject subject) {
    RiskConfig configured = subject.config().risk();
    SampleRollout sample = subject.own();
    double[] rewards = sample.collected().rewards();
    double[] returns = ReferenceTargets.of(sample).returns();
    double[] samples = new ReferenceRisk(configured).samples(rewards, returns);
    double size = Math.max(1e-3, Deviation.largest(samples));
    double cvar = ReferenceRisk.empirical(samples, configured.alpha(), configured.winsor());
    RiskConfig risk = withLimit(subject, cvar + size); // first violated, then satisfied
    CvarController control = new CvarController(risk);
    ReferenceRisk reference = new ReferenceRisk(risk);
    Deviation deviation = new Deviation();
    double largest = 0;
    for (int update = 0; update < UPDATES; update++) {
      double lift = 0.4 * update * size;
      double progress = (double) update / UPDATES;
      double[] liftedRewards = Arrays.stream(rewards).map(value -> value + lift).toArray();
      double[] liftedReturns = Arrays.stream(returns).map(value -> value + lift).toArray();
      CvarDecision actual = control.decide(liftedRewards, liftedReturns, sample.scale(), progress);
      ReferenceRisk.Decision expected =
          reference.decide(
              reference.samples(liftedRewards, liftedReturns), sample.scale(), progress);
      deviation
          .add(actual.weight(), expected.weight())
          .add(actual.multiplier(), expected.multiplier());
      largest = Math.max(largest, Math.max(actual.weight(), actual.multiplier()));
      double[] cvars = ReferenceAdvantages.targets(liftedReturns, sample.scale());
      control.observe(cvars, OptionalDouble.of(0.9), sample.scale());
      reference.observe(cvars, 0.9, sample.scale());
    }
    return deviation.require(largest > 0).note("the largest was %s", largest);
  }

  private static AuditOutcome adjusted(AuditSubject subject) {
    SampleRollout sample = subject.own();
    Gae.Input input = sample.collected();
    Gae.Result gae = Gae.compute(input);
    double[] samples =
        new ReferenceRisk(subject.config().risk()).samples(input.rewards(), gae.returns());
    double largest = Arrays.stream(samples).max().orElseThrow();
    RiskConfig risk = withLimit(subject, Math.abs(largest) + 1);
    CvarDecision decision =
        new CvarController(risk).decide(input.rewards(), gae.returns(), sample.scale(), 0);
    double[] costs = new ReferenceRisk(risk).costs(samples, decision.multiplier(), input);
    if (Deviation.largest(costs) == 0) {
      return AuditOutcome.skipped("all samples of the rollout are equal, so there is no tail");
    }
    double[] expected = ReferenceMath.minus(ReferenceAdvantages.advantages(input), costs);
    double[] actual = decision.adjust(gae, input).advantages();
    return Deviation.of(Deviation.relative(actual, expected)).within(EXACT);
  }
}
