package io.quantail.audit;

import static io.quantail.audit.AuditCheck.check;

import io.quantail.audit.reference.ReferenceAdvantages;
import io.quantail.audit.reference.ReferenceMath;
import io.quantail.audit.reference.ReferenceRisk;
import io.quantail.config.RiskConfig;
import io.quantail.random.RandomStream;
import io.quantail.risk.CvarController;
import io.quantail.risk.CvarDecision;
import io.quantail.risk.EmpiricalCvar;
import io.quantail.rollout.Gae;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;

/** Reaction to the CVaR limit. */
final class RiskChecks {
  private static final double EXACT = 1e-9;
  private static final int UPDATES = 8;
  private static final int EPISODE_ENVIRONMENTS = 3;
  private static final int EPISODE_STEPS = 32;

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
                "risk.mode is off")
            .unless(RiskChecks::limitsEpisodes, "risk.measure is episodes: see episode-limit"),
        check("advantages-under-a-limit", "CVAR-4", RiskChecks::adjusted)
            .compares(
                "advantages reduced by the traced shortfall with the sum written out (mode policy)")
            .exercises("CvarDecision TailCost Gae Percentiles")
            .failureMeans("the advantages do not reflect which steps cause the tail")
            .unless(
                subject -> subject.config().risk().mode() != RiskConfig.Mode.POLICY,
                "risk.mode is not policy")
            .unless(RiskChecks::limitsEpisodes, "risk.measure is episodes: see episode-limit"),
        check("episode-limit", "CVAR-6", EXACT, RiskChecks::episodes)
            .compares(
                "multiplier and costs of a limit on whole episodes over eight rollouts, which cut"
                    + " episodes and at first hold too few, with their definitions")
            .exercises("EpisodeWindow CvarController CvarDecision TailCost Percentiles")
            .failureMeans("the limit acts on other episodes or steps than those of the tail"),
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

  private static boolean limitsEpisodes(AuditSubject subject) {
    return subject.config().risk().measure() == RiskConfig.Measure.EPISODES;
  }

  private static Deviation multiplier(AuditSubject subject) {
    RiskConfig configured = subject.config().risk();
    SampleRollout sample = subject.own();
    Gae.Input collected = sample.collected();
    double[] returns = particles(sample);
    double[] samples = new ReferenceRisk(configured).perStep(collected, returns, sample.running());
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
      Gae.Input lifted = withRewards(collected, lifted(collected.rewards(), lift));
      double[] liftedReturns = lifted(returns, lift);
      CvarDecision actual =
          control.decide(lifted, liftedReturns, sample.running(), sample.scale(), progress);
      ReferenceRisk.Decision expected =
          reference.decide(lifted, liftedReturns, sample.running(), sample.scale(), progress);
      deviation
          .add(actual.weight(), expected.weight())
          .add(actual.multiplier(), expected.multiplier());
      largest = Math.max(largest, Math.max(actual.weight(), actual.multiplier()));
      control.observe(OptionalDouble.of(0.9));
      reference.observe(0.9);
    }
    return deviation.require(largest > 0).note("the largest was %s", largest);
  }

  private static double[] particles(SampleRollout sample) {
    return ReferenceTargets.distribution(sample, ReferenceTargets.of(sample).returns()).flat();
  }

  private static double[] lifted(double[] values, double lift) {
    return Arrays.stream(values).map(value -> value + lift).toArray();
  }

  private static Gae.Input withRewards(Gae.Input input, double[] rewards) {
    return new Gae.Input(
        input.environments(),
        rewards,
        input.values(),
        input.terminated(),
        input.truncated(),
        input.bootstrap(),
        input.lastValues(),
        input.gamma(),
        input.lambda());
  }

  private static AuditOutcome adjusted(AuditSubject subject) {
    SampleRollout sample = subject.own();
    Gae.Input input = sample.collected();
    Gae.Result gae = Gae.compute(input);
    double[] returns = particles(sample);
    double[] samples =
        new ReferenceRisk(subject.config().risk()).perStep(input, returns, sample.running());
    double largest = Arrays.stream(samples).max().orElseThrow();
    RiskConfig risk = withLimit(subject, Math.abs(largest) + 1);
    CvarDecision decision =
        new CvarController(risk).decide(input, returns, sample.running(), sample.scale(), 0);
    double[] costs =
        new ReferenceRisk(risk).decide(input, returns, sample.running(), sample.scale(), 0).costs();
    if (Deviation.largest(costs) == 0) {
      return AuditOutcome.skipped("all samples of the rollout are equal, so there is no tail");
    }
    double[] expected = ReferenceMath.minus(ReferenceAdvantages.advantages(input), costs);
    double[] actual = decision.adjust(gae).advantages();
    return Deviation.of(Deviation.relative(actual, expected)).within(EXACT);
  }

  /** Rollouts of random rewards and ends, so that every subject has enough episodes. */
  private static Deviation episodes(AuditSubject subject) {
    RiskConfig risk =
        SampleConfig.with(
                subject.config(),
                "risk.mode=policy",
                "risk.measure=episodes",
                "risk.alpha=0.3",
                "risk.limit=0.2")
            .risk();
    CvarController control = new CvarController(risk);
    ReferenceRisk reference = new ReferenceRisk(risk);
    RandomStream random = RandomStream.of(subject.config().seed(), "audit-episodes", 0);
    double[] running = new double[EPISODE_ENVIRONMENTS];
    Deviation deviation = new Deviation();
    int undecided = 0;
    double largest = 0;
    for (int update = 0; update < UPDATES; update++) {
      Gae.Input collected = episodes(random);
      double[] rewards = collected.rewards();
      CvarDecision actual = control.decide(collected, rewards, running, ReturnScale.IDENTITY, 0);
      ReferenceRisk.Decision expected =
          reference.decide(collected, rewards, running, ReturnScale.IDENTITY, 0);
      double[] zero = new double[rewards.length];
      double[] costs =
          ReferenceMath.minus(zero, actual.adjust(new Gae.Result(zero, zero)).advantages());
      deviation
          .add(actual.multiplier(), expected.multiplier())
          .add(Deviation.relative(costs, expected.costs()));
      largest = Math.max(largest, Deviation.largest(costs));
      undecided += actual.tail().isEmpty() ? 1 : 0;
      runOn(collected, running);
    }
    return deviation
        .require(largest > 0 && undecided > 0 && undecided < UPDATES)
        .note("%s of %s rollouts undecided", undecided, UPDATES);
  }

  private static Gae.Input episodes(RandomStream random) {
    int size = EPISODE_ENVIRONMENTS * EPISODE_STEPS;
    double[] rewards = new double[size];
    boolean[] terminated = new boolean[size];
    boolean[] truncated = new boolean[size];
    for (int i = 0; i < size; i++) {
      rewards[i] = random.nextGaussian();
      terminated[i] = random.nextDouble() < 0.1;
      truncated[i] = !terminated[i] && random.nextDouble() < 0.1;
    }
    double[] last = new double[EPISODE_ENVIRONMENTS];
    return new Gae.Input(
        last.length, rewards, rewards, terminated, truncated, rewards, last, 0.9, 0.9);
  }

  /** Adds the rewards of the episodes that go on after a rollout. */
  private static void runOn(Gae.Input collected, double[] running) {
    for (int i = 0; i < collected.rewards().length; i++) {
      int environment = i % running.length;
      boolean ended = collected.terminated()[i] || collected.truncated()[i];
      running[environment] = ended ? 0 : running[environment] + collected.rewards()[i];
    }
  }
}
