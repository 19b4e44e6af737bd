package io.quantail.audit;

import static io.quantail.audit.AuditCheck.check;

import io.quantail.audit.reference.ReferenceMath;
import io.quantail.config.RunConfig;
import io.quantail.ppo.AdaptiveKlPenalty;
import io.quantail.ppo.EntropyPlateau;
import io.quantail.ppo.EntropySchedule;
import io.quantail.ppo.EpochBudget;
import io.quantail.ppo.KlEarlyStop;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rules that change the update during a run: KL early stop, epoch budget, entropy plateau. */
final class ScheduleChecks {
  private static final double EXACT = 1e-9;
  private static final double TARGET = 0.02;
  private static final double WEIGHT = 0.4; // of the newest KL value in an exponential mean

  private ScheduleChecks() {}

  static List<AuditCheck> all() {
    return AuditCheck.topic(
        "policy",
        check("kl-rules", "POL-3", ScheduleChecks::klRules)
            .compares(
                "early stops, penalties and epoch budgets over random sequences of KL values with"
                    + " their definitions")
            .exercises("KlEarlyStop KlEarlyStop.Smoothing AdaptiveKlPenalty EpochBudget"),
        check("kl-stop", "POL-3", 0, ScheduleChecks::klStop)
            .compares(
                "change of the parameters by an update whose second step its KL divergence refuses"
                    + " with that by one step")
            .exercises("PpoUpdate KlStatistics KlEarlyStop RatioStatistics")
            .failureMeans("an update goes on although the policy has moved too far"),
        check("entropy-plateau", "ENT-1", EXACT, ScheduleChecks::plateau)
            .compares(
                "update at which the decay of the entropy coefficient starts with a least-squares"
                    + " slope, written out")
            .exercises("EntropyPlateau EntropySchedule"));
  }

  /** Settings of one random sequence of KL values. */
  private record KlRule(
      double factor, int consecutive, double fraction, boolean exponential, int window) {
    static KlRule of(int sequence) {
      return new KlRule(
          sequence % 4 == 0 ? 0 : 3,
          sequence % 3,
          sequence % 5 == 0 ? 0 : 0.6,
          sequence % 2 == 0,
          1 + sequence % 4);
    }

    KlEarlyStop production() {
      KlEarlyStop.Smoothing smoothing =
          exponential
              ? new KlEarlyStop.Smoothing.Exponential(WEIGHT)
              : new KlEarlyStop.Smoothing.Window(window);
      return new KlEarlyStop(true, TARGET, factor, consecutive, fraction, smoothing);
    }

    double smoothed(List<Double> values) {
      return exponential ? decayed(values) : lastMean(values, window);
    }
  }

  private static AuditOutcome klRules(AuditSubject subject) {
    RandomStream random = RandomStream.of(subject.config().seed(), "audit/kl", 0);
    int wrong = 0;
    int stops = 0;
    int all = 0;
    for (int sequence = 0; sequence < 60; sequence++) {
      KlRule rule = KlRule.of(sequence);
      KlEarlyStop production = rule.production();
      KlEarlyStop.State state = KlEarlyStop.State.START.nextEpoch();
      List<Double> values = new ArrayList<>();
      int run = 0;
      int exceeded = 0;
      for (int step = 0; step < 8; step++) {
        double kl = TARGET * Math.exp(random.nextGaussian());
        values.add(kl);
        double smoothed = rule.smoothed(values);
        boolean exceeds = Math.max(kl, smoothed) > TARGET;
        run = exceeds ? run + 1 : 0;
        exceeded += exceeds ? 1 : 0;
        boolean stop =
            (rule.factor > 0 && kl >= rule.factor * TARGET)
                || (rule.consecutive > 0 && run >= rule.consecutive);
        boolean epochEnds = rule.fraction > 0 && exceeded >= rule.fraction * values.size();
        KlEarlyStop.Step actual = production.beforeStep(state, kl);
        state = actual.state();
        boolean same =
            actual.stop().isPresent() == stop
                && production.afterEpoch(state).isPresent() == epochEnds
                && Math.abs(actual.smoothed() - smoothed) < 1e-12;
        all++;
        stops += stop ? 1 : 0;
        wrong += same ? 0 : 1;
      }
    }
    double error = penaltiesAndBudgets(random);
    return AuditOutcome.of(
        wrong == 0 && error <= EXACT,
        String.format(Locale.ROOT, "%d of %d differ", wrong, all),
        "0",
        String.format(
            Locale.ROOT,
            "%d steps would end an update; penalties and epochs are off by %s",
            stops,
            AuditOutcome.number(error)));
  }

  private static Deviation klStop(AuditSubject subject) {
    SampleRollout sample = subject.tiny();
    RunConfig oneStep = UpdateProbe.plainStep(sample, "ppo.kl.target=null");
    RunConfig stopped =
        SampleConfig.with(
            oneStep,
            "ppo.epochs=3", // of one minibatch each
            "ppo.kl.target=1e-12",
            "ppo.kl.earlyStop=true",
            "ppo.kl.absoluteStopFactor=1",
            "ppo.kl.exceedStopFraction=0",
            "ppo.kl.consecutive=0");
    UpdateProbe.Result expected = UpdateProbe.moved(sample, oneStep).update();
    UpdateProbe.Result actual = UpdateProbe.moved(sample, stopped).update();
    double steps = actual.metrics().getOrDefault("train/n_minibatches_done", Double.NaN);
    return Deviation.of(Deviation.absolute(actual.change(), expected.change()))
        .require(steps == 1 && ReferenceMath.norm(expected.change()) > 0)
        .note("%s steps were taken", steps);
  }

  private static double decayed(List<Double> values) {
    double mean = values.get(0);
    for (double value : values.subList(1, values.size())) {
      mean += WEIGHT * (value - mean);
    }
    return mean;
  }

  private static double lastMean(List<Double> values, int window) {
    List<Double> last = values.subList(Math.max(0, values.size() - window), values.size());
    return ReferenceMath.mean(last.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** The penalty doubles or halves beyond 1.5 times the target; epochs fall and recover. */
  private static double penaltiesAndBudgets(RandomStream random) {
    AdaptiveKlPenalty penalty = new AdaptiveKlPenalty(0.01, 0.05, 1.5);
    EpochBudget budget = new EpochBudget(6, 0.7);
    double beta = 0.3;
    double expected = 0.3;
    double factor = 1;
    double expectedFactor = 1;
    Deviation deviation = new Deviation();
    for (int update = 0; update < 60; update++) {
      double kl = 0.01 * Math.exp(random.nextGaussian());
      beta = penalty.next(beta, kl);
      double moved = kl > 0.015 ? 2 * expected : kl < 0.01 / 1.5 ? expected / 2 : expected;
      expected = ReferenceMath.clip(moved, 0.05, 1.5);
      boolean stopped = random.nextInt(2) == 0;
      factor = budget.nextFactor(factor, stopped);
      expectedFactor =
          stopped ? Math.max(0.7 * expectedFactor, 1 / 6.0) : Math.min(expectedFactor / 0.7, 1);
      long epochs = Math.max(1, Math.round(6 * expectedFactor));
      deviation
          .add(beta, expected)
          .add(factor, expectedFactor)
          .add(budget.epochsAt(factor), epochs);
    }
    return deviation.error();
  }

  private static Deviation plateau(AuditSubject subject) {
    EntropyPlateau plateau = new EntropyPlateau(5, 0.01, 8);
    EntropySchedule schedule = new EntropySchedule(0.1, 0.01, 0, 10);
    EntropyPlateau.State state = plateau.initial();
    RandomStream random = RandomStream.of(subject.config().seed(), "audit/plateau", 0);
    List<Double> values = new ArrayList<>();
    long expected = -1;
    Deviation deviation = new Deviation();
    for (int update = 0; update < 40; update++) {
      double entropy = 2 * Math.exp(-0.2 * update) + 0.003 * random.nextGaussian();
      values.add(entropy);
      state = plateau.observe(state, new EntropyPlateau.Observation(update, entropy), schedule);
      if (values.size() >= 5) {
        double slope = slope(values.subList(update - 4, update + 1));
        if (expected < 0 && update >= 8 && Math.abs(slope) <= 0.01) {
          expected = update;
        }
        deviation.add(EntropyPlateau.slope(state.recent()).orElseThrow(), slope);
      }
    }
    return deviation
        .require(state.decayStart() == expected && expected > 0)
        .note(
            "the decay starts at update %d, by least squares at %d", state.decayStart(), expected);
  }

  /** {@code sum (t - mean t) y / sum (t - mean t)^2} with equal steps. */
  private static double slope(List<Double> values) {
    double middle = (values.size() - 1) / 2.0;
    double products = 0;
    double squares = 0;
    for (int i = 0; i < values.size(); i++) {
      products += (i - middle) * values.get(i);
      squares += (i - middle) * (i - middle);
    }
    return products / squares;
  }
}
