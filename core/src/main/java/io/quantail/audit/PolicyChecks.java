package io.quantail.audit;

import io.quantail.audit.slow.Numbers;
import io.quantail.audit.slow.SlowPolicy;
import io.quantail.config.RatioBound;
import io.quantail.config.Squash;
import io.quantail.env.ActionSpace;
import io.quantail.nn.NetworkPass;
import io.quantail.nn.PolicyDistribution;
import io.quantail.ppo.EntropyPlateau;
import io.quantail.ppo.EntropySchedule;
import io.quantail.ppo.EpochBudget;
import io.quantail.ppo.KlEarlyStop;
import io.quantail.ppo.KlPenalty;
import io.quantail.ppo.PolicyLoss;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The action distributions of the rollout and the terms of the policy's loss. */
final class PolicyChecks {
  private static final String TOPIC = "policy";
  private static final double EXACT = 1e-9;
  private static final double SINGLE = 1e-6; // for what is stored in single precision
  private static final int GRID = 4001;
  private static final double REACH = 9; // deviations of a Gaussian that are looked at

  private static final String DISTRIBUTIONS =
      "GaussianPolicy CategoricalPolicy Squashing ActionHead";

  /** Weights of log-probability, entropy and KL, each alone and all together. */
  private static final double[][] FACTORS = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.7, -1.3, 0.4}};

  private PolicyChecks() {}

  static List<AuditCheck> all() {
    return List.of(
        AuditCheck.of(
                TOPIC,
                "log-probability",
                "NET-3",
                "log-probabilities of the rollout's actions with the density, correction for"
                    + " squashing included",
                PolicyChecks::logProbability)
            .exercising(DISTRIBUTIONS),
        AuditCheck.of(
                TOPIC,
                "density-sums-to-one",
                "NET-3",
                "the integral of the density over all actions (or the sum of probabilities) with 1",
                PolicyChecks::density)
            .exercising(DISTRIBUTIONS),
        AuditCheck.of(
                TOPIC,
                "entropy",
                "NET-3",
                "entropies with the integral of -p log p",
                PolicyChecks::entropy)
            .exercising(DISTRIBUTIONS + " SquashedEntropy"),
        AuditCheck.of(
                TOPIC,
                "divergence",
                "POL-3",
                "exact KL from the old to a changed policy with its definition",
                PolicyChecks::divergence)
            .exercising(DISTRIBUTIONS),
        AuditCheck.of(
                TOPIC,
                "policy-derivatives",
                "NET-3 POL-3 ENT-1",
                "derivatives of log-probability, entropy and KL by outputs and deviations of the"
                    + " policy with finite differences of the definitions",
                PolicyChecks::derivatives)
            .exercising(DISTRIBUTIONS + " SquashedEntropy"),
        AuditCheck.of(
                TOPIC,
                "clipped-surrogate",
                "POL-1",
                "surrogate and its slope with min(r A, clip(r) A) and its differences, log-ratios"
                    + " from -40 to 40, both signs of A, both bounds",
                PolicyChecks::surrogate)
            .exercising("PolicyLoss"),
        AuditCheck.of(
                TOPIC,
                "cloning-weights",
                "AWR-1",
                "weights with exp(A / beta), at most 100, for advantages up to 1e6",
                PolicyChecks::cloning)
            .exercising("PolicyLoss"),
        AuditCheck.of(
                TOPIC,
                "kl-rules",
                "POL-3",
                "early stops, penalties and epoch budgets over random courses of the KL with their"
                    + " definitions",
                PolicyChecks::klRules)
            .exercising("KlEarlyStop KlPenalty EpochBudget"),
        AuditCheck.of(
                TOPIC,
                "entropy-plateau",
                "ENT-1",
                "update at which the decay of the entropy coefficient begins with least squares,"
                    + " written out",
                PolicyChecks::plateau)
            .exercising("EntropyPlateau EntropySchedule"));
  }

  /** The policy of each row, as the reference implementation describes it. */
  private static double[][] policies(AuditSubject subject, SamplePredictions predictions) {
    Sample sample = subject.own();
    double[][] policies = new double[predictions.rows()][];
    for (int row = 0; row < policies.length; row++) {
      double[] outputs = Numbers.doubles(predictions.pass().actions()[row]);
      policies[row] = outputs;
      if (sample.actionSpace() instanceof ActionSpace.Box) {
        // A deviation is kept in single precision.
        double[] deviations = sample.slowNetwork().deviations(sample.parameters());
        policies[row] = Arrays.copyOf(outputs, 2 * outputs.length);
        for (int i = 0; i < deviations.length; i++) {
          policies[row][outputs.length + i] = (float) deviations[i];
        }
      }
    }
    return policies;
  }

  /** A function of one row of the sample by the class that trains. */
  @FunctionalInterface
  private interface RowFunction {
    double at(PolicyDistribution policy, int row);
  }

  private static double[] perRow(SamplePredictions predictions, RowFunction function) {
    PolicyDistribution policy = predictions.pass().policy();
    double[] results = new double[predictions.rows()];
    for (int row = 0; row < results.length; row++) {
      policy.set(predictions.pass().actions()[row]);
      results[row] = function.at(policy, row);
    }
    return results;
  }

  private static double[] cut(float[] all, int row, int size) {
    return Arrays.copyOfRange(Numbers.doubles(all), row * size, (row + 1) * size);
  }

  private static Outcome logProbability(AuditSubject subject) {
    SlowPolicy slow = subject.own().slowPolicy();
    SamplePredictions predictions = SamplePredictions.of(subject.own());
    double[][] policies = policies(subject, predictions);
    float[] raw = predictions.batch().rawActions();
    int size = predictions.batch().actionSize();
    double[] actual = perRow(predictions, (policy, row) -> policy.logProbability(raw, row * size));
    double[] expected = new double[actual.length];
    Arrays.setAll(expected, row -> slow.logProbability(policies[row], cut(raw, row, size)));
    return Outcome.error(
        Deviation.absolute(actual, expected),
        EXACT,
        "ratios and gradients of the policy are wrong");
  }

  private static Outcome density(AuditSubject subject) {
    NetworkPass pass = SamplePredictions.of(subject.own()).pass();
    PolicyDistribution policy = pass.policy();
    policy.set(pass.actions()[0]);
    double total =
        subject.own().actionSpace() instanceof ActionSpace.Discrete discrete
            ? sumOfProbabilities(policy, discrete.count())
            : integral(subject, policy);
    return Outcome.error(
        Math.abs(total - 1), 1e-5, "the density of all actions adds up to " + total);
  }

  private static double sumOfProbabilities(PolicyDistribution policy, int count) {
    double sum = 0;
    for (int action = 0; action < count; action++) {
      sum += Math.exp(policy.logProbability(new float[] {action}, 0));
    }
    return sum;
  }

  /**
   * The product over dimensions of one-dimensional integrals, each with the others held fixed; the
   * grid stands in raw actions, and squashed actions are as far apart as the squashing says.
   */
  private static double integral(AuditSubject subject, PolicyDistribution policy) {
    double[] parameters =
        SamplePredictions.stored(policy, subject.own().agent().network().distributionParameters());
    int size = parameters.length / 2;
    Squash squash = subject.own().slowPolicy().squash();
    float[] action = new float[size];
    policy.mode(action, 0);
    double atCentre = policy.logProbability(action, 0);
    double logTotal = atCentre * (1 - size);
    for (int dimension = 0; dimension < size; dimension++) {
      float centre = action[dimension];
      double sum = 0;
      double before = Double.NaN;
      double densityBefore = 0;
      for (int i = 0; i < GRID; i++) {
        action[dimension] =
            (float) (centre + REACH * parameters[size + dimension] * (2.0 * i / (GRID - 1) - 1));
        double squashed = squashed(squash, action[dimension]);
        double density = Math.exp(policy.logProbability(action, 0));
        sum += i == 0 ? 0 : (squashed - before) * (density + densityBefore) / 2;
        before = squashed;
        densityBefore = density;
      }
      action[dimension] = centre;
      logTotal += Math.log(sum);
    }
    return Math.exp(logTotal);
  }

  private static double squashed(Squash squash, double raw) {
    return switch (squash) {
      case TANH -> Math.tanh(raw);
      case SIGMOID -> 1 / (1 + Math.exp(-raw));
      case NONE, AUTO -> raw;
    };
  }

  private static Outcome entropy(AuditSubject subject) {
    SlowPolicy slow = subject.own().slowPolicy();
    SamplePredictions predictions = SamplePredictions.of(subject.own());
    double[][] policies = policies(subject, predictions);
    double[] actual = perRow(predictions, (policy, row) -> policy.entropy());
    double[] expected = Arrays.stream(policies).mapToDouble(slow::entropy).toArray();
    return Outcome.error(Deviation.absolute(actual, expected), 1e-9, "exploration is misjudged");
  }

  /** What the rollout stored of each row's policy, somewhat changed. */
  private static float[] oldPolicies(AuditSubject subject, SamplePredictions predictions) {
    float[] old = predictions.batch().distributions().clone();
    int size = predictions.batch().distributionSize();
    RandomStream random = RandomStream.of(subject.config().seed(), "audit/divergence", 0);
    for (int i = 0; i < old.length; i++) {
      old[i] *= (float) (1 + 0.2 * random.nextDouble());
    }
    for (int row = 0; row < predictions.rows(); row++) {
      normalize(subject, old, row * size, size);
    }
    return old;
  }

  private static Outcome divergence(AuditSubject subject) {
    SlowPolicy slow = subject.own().slowPolicy();
    SamplePredictions predictions = SamplePredictions.of(subject.own());
    double[][] policies = policies(subject, predictions);
    int size = predictions.batch().distributionSize();
    float[] old = oldPolicies(subject, predictions);
    double[] actual = perRow(predictions, (policy, row) -> policy.divergenceFrom(old, row * size));
    double[] expected = new double[actual.length];
    Arrays.setAll(expected, row -> slow.divergence(cut(old, row, size), policies[row]));
    return Outcome.error(
        Deviation.absolute(actual, expected),
        subject.own().actionSpace() instanceof ActionSpace.Discrete ? SINGLE : EXACT,
        "the KL penalty pushes the wrong way");
  }

  private static Outcome derivatives(AuditSubject subject) {
    SlowPolicy slow = subject.own().slowPolicy();
    SamplePredictions predictions = SamplePredictions.of(subject.own());
    double[][] policies = policies(subject, predictions);
    float[] old = oldPolicies(subject, predictions);
    float[] raw = predictions.batch().rawActions();
    int actionSize = predictions.batch().actionSize();
    int size = predictions.batch().distributionSize();
    int outputs = predictions.pass().actions()[0].length;
    double worst = 0;
    for (double[] factors : FACTORS) {
      for (int row = 0; row < predictions.rows(); row += 7) {
        double[] action = cut(raw, row, actionSize);
        double[] before = cut(old, row, size);
        double[] expected =
            Numbers.differences(
                1e-5,
                policies[row],
                now ->
                    factors[0] * slow.logProbability(now, action)
                        + factors[1] * slow.entropy(now)
                        + factors[2] * slow.divergence(before, now));
        PolicyDistribution policy = predictions.pass().policy();
        policy.set(predictions.pass().actions()[row]);
        policy.logProbability(raw, row * actionSize);
        policy.entropy();
        policy.divergenceFrom(old, row * size);
        float[] slopes = new float[outputs];
        policy.addGradient(slopes, factors[0], factors[1], factors[2]);
        double[] actual = Arrays.copyOf(Numbers.doubles(slopes), expected.length);
        float[] beside = policy.beside();
        for (int i = 0; i < beside.length; i++) {
          actual[outputs + i] = beside[i];
        }
        double unit = Math.max(0.1, Arrays.stream(expected).map(Math::abs).max().orElseThrow());
        worst = Math.max(worst, Deviation.absolute(actual, expected) / unit);
      }
    }
    return Outcome.error(worst, 1e-6, "the policy does not move where its loss falls");
  }

  /** What a rollout stores of a discrete policy are log-probabilities, which add up to one. */
  private static void normalize(AuditSubject subject, float[] logs, int offset, int size) {
    if (subject.own().actionSpace() instanceof ActionSpace.Discrete) {
      double sum = 0;
      for (int i = 0; i < size; i++) {
        sum += Math.exp(logs[offset + i]);
      }
      for (int i = 0; i < size; i++) {
        logs[offset + i] -= (float) Math.log(sum);
      }
    }
  }

  /** {@code -min(r A, clip(r) A)}. */
  private static double surrogate(
      double logRatio, double advantage, double range, RatioBound bound) {
    double limited =
        bound == RatioBound.HARD ? Numbers.clip(logRatio, -20, 20) : 20 * Math.tanh(logRatio / 20);
    double ratio = Math.exp(limited);
    double clipped = ratio > 1 + range ? 1 + range : ratio < 1 - range ? 1 - range : ratio;
    return -Math.min(ratio * advantage, clipped * advantage);
  }

  private static Outcome surrogate(AuditSubject subject) {
    double range = subject.config().ppo().clipRange();
    int size = 800;
    double step = 1e-6;
    double worst = 0;
    for (RatioBound bound : RatioBound.values()) {
      for (int i = 0; i < 2 * size; i++) {
        double place = 2.0 * (i % size + 0.37) / size - 1;
        double logRatio = 40 * place * place * place;
        double advantage = (i < size ? 1.7 : -1.3) * (1 + i % 3);
        PolicyLoss.Term actual = PolicyLoss.clippedSurrogate(logRatio, advantage, range, bound);
        double value = surrogate(logRatio, advantage, range, bound);
        double slope =
            (surrogate(logRatio + step, advantage, range, bound)
                    - surrogate(logRatio - step, advantage, range, bound))
                / (2 * step);
        double unit = Math.max(1, Math.abs(value));
        worst = Math.max(worst, Math.abs(actual.value() - value) / unit);
        // Differences of a large number know few digits.
        worst = Math.max(worst, Math.abs(actual.slope() - slope) / unit / 1e3);
      }
    }
    return Outcome.error(worst, 1e-11, "the policy would be pushed too far or back");
  }

  private static Outcome klRules(AuditSubject subject) {
    RandomStream random = RandomStream.of(subject.config().seed(), "audit/kl", 0);
    int wrong = 0;
    int stops = 0;
    int all = 0;
    for (int course = 0; course < 60; course++) {
      double target = 0.02;
      double factor = course % 4 == 0 ? 0 : 3;
      int consecutive = course % 3;
      double fraction = course % 5 == 0 ? 0 : 0.6;
      int window = 1 + course % 4;
      double weight = 0.4;
      boolean exponential = course % 2 == 0;
      KlEarlyStop rules =
          new KlEarlyStop(
              true,
              target,
              factor,
              consecutive,
              fraction,
              exponential
                  ? new KlEarlyStop.Smoothing.Exponential(weight)
                  : new KlEarlyStop.Smoothing.Window(window));
      KlEarlyStop.State state = KlEarlyStop.State.START.nextEpoch();
      List<Double> seen = new ArrayList<>();
      int run = 0;
      int exceeded = 0;
      for (int step = 0; step < 8; step++) {
        double kl = target * Math.exp(random.nextGaussian());
        seen.add(kl);
        double smoothed = exponential ? decayed(seen, weight) : lastMean(seen, window);
        boolean exceeds = Math.max(kl, smoothed) > target;
        run = exceeds ? run + 1 : 0;
        exceeded += exceeds ? 1 : 0;
        boolean stop = factor > 0 && kl >= factor * target || consecutive > 0 && run >= consecutive;
        KlEarlyStop.Step actual = rules.afterStep(state, kl);
        state = actual.state();
        boolean epochEnds = fraction > 0 && exceeded >= fraction * seen.size();
        all++;
        stops += stop ? 1 : 0;
        wrong +=
            actual.stop().isPresent() == stop
                    && rules.afterEpoch(state).isPresent() == epochEnds
                    && Math.abs(actual.smoothed() - smoothed) < 1e-12
                ? 0
                : 1;
      }
    }
    double worst = penaltiesAndBudgets(random);
    return Outcome.of(
        wrong == 0 && worst <= EXACT,
        "%d of %d differ".formatted(wrong, all),
        "0",
        "%d steps would end an update; penalties and epochs are off by %s"
            .formatted(stops, Outcome.number(worst)));
  }

  private static double decayed(List<Double> seen, double weight) {
    double mean = seen.get(0);
    for (int i = 1; i < seen.size(); i++) {
      mean += weight * (seen.get(i) - mean);
    }
    return mean;
  }

  private static double lastMean(List<Double> seen, int window) {
    double sum = 0;
    int from = Math.max(0, seen.size() - window);
    for (int i = from; i < seen.size(); i++) {
      sum += seen.get(i);
    }
    return sum / (seen.size() - from);
  }

  /** Twice or half the penalty beyond one and a half times the target; epochs fall and recover. */
  private static double penaltiesAndBudgets(RandomStream random) {
    KlPenalty penalty = new KlPenalty(0.01, 0.05, 1.5);
    EpochBudget budget = new EpochBudget(6, 0.7);
    double beta = 0.3;
    double expected = 0.3;
    double factor = 1;
    double expectedFactor = 1;
    double worst = 0;
    for (int update = 0; update < 60; update++) {
      double kl = 0.01 * Math.exp(random.nextGaussian());
      beta = penalty.next(beta, kl);
      double moved = kl > 0.015 ? 2 * expected : kl < 0.01 / 1.5 ? expected / 2 : expected;
      expected = Numbers.clip(moved, 0.05, 1.5);
      boolean stopped = random.nextInt(2) == 0;
      factor = budget.nextFactor(factor, stopped);
      expectedFactor =
          stopped ? Math.max(0.7 * expectedFactor, 1 / 6.0) : Math.min(expectedFactor / 0.7, 1);
      long epochs = Math.max(1, Math.round(6 * expectedFactor));
      worst = Math.max(worst, Math.abs(beta - expected));
      worst = Math.max(worst, Math.abs(factor - expectedFactor));
      worst = Math.max(worst, Math.abs(budget.epochsAt(factor) - epochs));
    }
    return worst;
  }

  private static Outcome plateau(AuditSubject subject) {
    EntropyPlateau plateau = new EntropyPlateau(5, 0.01, 8);
    EntropySchedule schedule = new EntropySchedule(0.1, 0.01, 0, 10);
    EntropyPlateau.State state = plateau.initial();
    RandomStream random = RandomStream.of(subject.config().seed(), "audit/plateau", 0);
    List<Double> seen = new ArrayList<>();
    long expected = -1;
    double worst = 0;
    for (int update = 0; update < 40; update++) {
      seen.add(2 * Math.exp(-0.2 * update) + 0.003 * random.nextGaussian());
      state =
          plateau.observe(
              state, new EntropyPlateau.Observation(update, seen.get(update)), schedule);
      if (seen.size() >= 5) {
        double slope = slope(seen.subList(update - 4, update + 1));
        if (expected < 0 && update >= 8 && Math.abs(slope) <= 0.01) {
          expected = update;
        }
        double actual = EntropyPlateau.slope(state.recent()).orElseThrow();
        worst = Math.max(worst, Math.abs(actual - slope));
      }
    }
    boolean same = state.decayStart() == expected && expected > 0;
    return Outcome.of(
        same && worst <= EXACT,
        Outcome.number(worst),
        "<= 1e-9",
        "the decay begins at update %d, by least squares at %d"
            .formatted(state.decayStart(), expected));
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

  private static Outcome cloning(AuditSubject subject) {
    double beta = subject.config().ppo().cloning().beta();
    double[] advantages = {-1e6, -30, -2, 0, 0.5, 3, 20, 25, 1e6};
    double[] expected =
        Arrays.stream(advantages).map(a -> Math.min(100, Math.exp(a / beta))).toArray();
    double[] actual =
        Arrays.stream(advantages).map(a -> -PolicyLoss.cloning(0, a, beta).slope()).toArray();
    Outcome outcome =
        Outcome.error(Deviation.relative(actual, expected), EXACT, "imitation is misweighted");
    return subject.config().ppo().cloning().coefficient() == 0
        ? new Outcome(
            outcome.verdict(),
            outcome.measured(),
            outcome.bound(),
            "ppo.cloning.coefficient is 0, so the term does not act here")
        : outcome;
  }
}
