package io.quantail.audit;

import io.quantail.audit.slow.Numbers;
import io.quantail.audit.slow.SlowPolicy;
import io.quantail.config.RatioBound;
import io.quantail.config.Squash;
import io.quantail.env.ActionSpace;
import io.quantail.nn.NetworkPass;
import io.quantail.nn.PolicyDistribution;
import io.quantail.ppo.PolicyLoss;
import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.List;

/** The action distributions of the rollout and the terms of the policy's loss. */
final class PolicyChecks {
  private static final String TOPIC = "policy";
  private static final double EXACT = 1e-9;
  private static final double SINGLE = 1e-6; // for what is stored in single precision
  private static final int GRID = 4001;
  private static final double REACH = 9; // deviations of a Gaussian that are looked at

  private PolicyChecks() {}

  static List<AuditCheck> all() {
    return List.of(
        AuditCheck.of(
            TOPIC,
            "log-probability",
            "NET-3",
            "log-probabilities of the rollout's actions with the density, correction for squashing"
                + " included",
            PolicyChecks::logProbability),
        AuditCheck.of(
            TOPIC,
            "density-sums-to-one",
            "NET-3",
            "the integral of the density over all actions (or the sum of probabilities) with 1",
            PolicyChecks::density),
        AuditCheck.of(
            TOPIC,
            "entropy",
            "NET-3",
            "entropies with the integral of -p log p",
            PolicyChecks::entropy),
        AuditCheck.of(
            TOPIC,
            "divergence",
            "POL-3",
            "exact KL from the old to a changed policy with its definition",
            PolicyChecks::divergence),
        AuditCheck.of(
            TOPIC,
            "clipped-surrogate",
            "POL-1",
            "surrogate with min(r A, clip(r) A), log-ratios from -40 to 40, both signs of A",
            PolicyChecks::surrogate),
        AuditCheck.of(
            TOPIC,
            "cloning-weights",
            "AWR-1",
            "weights with exp(A / beta), at most 100, for advantages up to 1e6",
            PolicyChecks::cloning));
  }

  /** A function of one row of the sample: of the policy that trains, or of its slow twin. */
  @FunctionalInterface
  private interface RowFunction {
    double at(PolicyDistribution policy, int row);
  }

  private static double[] perRow(Predictions predictions, RowFunction function) {
    PolicyDistribution policy = predictions.pass().policy();
    double[] results = new double[predictions.rows()];
    for (int row = 0; row < results.length; row++) {
      policy.set(predictions.pass().actions()[row]);
      results[row] = function.at(policy, row);
    }
    return results;
  }

  private static double[] stored(AuditSubject subject, PolicyDistribution policy) {
    return Predictions.stored(policy, subject.own().agent().network().distributionParameters());
  }

  private static Outcome logProbability(AuditSubject subject) {
    SlowPolicy slow = subject.own().slowPolicy();
    Predictions predictions = Predictions.of(subject.own());
    float[] raw = predictions.batch().rawActions();
    int size = predictions.batch().actionSize();
    double[] actual = perRow(predictions, (policy, row) -> policy.logProbability(raw, row * size));
    double[] expected =
        perRow(
            predictions,
            (policy, row) ->
                slow.logProbability(
                    stored(subject, policy),
                    Arrays.copyOfRange(Numbers.doubles(raw), row * size, (row + 1) * size)));
    return Outcome.error(
        Deviation.absolute(actual, expected),
        subject.own().actionSpace() instanceof ActionSpace.Discrete ? SINGLE : EXACT,
        "ratios and gradients of the policy are wrong");
  }

  private static Outcome density(AuditSubject subject) {
    NetworkPass pass = Predictions.of(subject.own()).pass();
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
    double[] parameters = stored(subject, policy);
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
    Predictions predictions = Predictions.of(subject.own());
    double[] actual = perRow(predictions, (policy, row) -> policy.entropy());
    double[] expected = perRow(predictions, (policy, row) -> slow.entropy(stored(subject, policy)));
    return Outcome.error(
        Deviation.absolute(actual, expected),
        subject.own().actionSpace() instanceof ActionSpace.Discrete ? SINGLE : 1e-8,
        "exploration is misjudged");
  }

  private static Outcome divergence(AuditSubject subject) {
    SlowPolicy slow = subject.own().slowPolicy();
    Predictions predictions = Predictions.of(subject.own());
    int size = subject.own().agent().network().distributionParameters();
    float[] old = new float[predictions.rows() * size];
    RandomStream random = RandomStream.of(subject.config().seed(), "audit/divergence", 0);
    perRow(
        predictions,
        (policy, row) -> {
          policy.store(old, row * size);
          return 0;
        });
    for (int i = 0; i < old.length; i++) {
      old[i] *= (float) (1 + 0.2 * random.nextDouble());
    }
    double[] actual =
        perRow(
            predictions,
            (policy, row) -> {
              normalize(subject, old, row * size, size);
              return policy.divergenceFrom(old, row * size);
            });
    double[] expected =
        perRow(
            predictions,
            (policy, row) ->
                slow.divergence(
                    Arrays.copyOfRange(Numbers.doubles(old), row * size, (row + 1) * size),
                    stored(subject, policy)));
    return Outcome.error(
        Deviation.absolute(actual, expected),
        subject.own().actionSpace() instanceof ActionSpace.Discrete ? SINGLE : EXACT,
        "the KL penalty pushes the wrong way");
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

  private static Outcome surrogate(AuditSubject subject) {
    double range = subject.config().ppo().clipRange();
    RatioBound bound = subject.config().ppo().ratioBound();
    int size = 801;
    double[] actual = new double[2 * size];
    double[] expected = new double[2 * size];
    for (int i = 0; i < expected.length; i++) {
      double place = 2.0 * (i % size) / (size - 1) - 1;
      double logRatio = 40 * place * place * place;
      double advantage = (i < size ? 1.7 : -1.3) * (1 + i % 3);
      double limited =
          bound == RatioBound.HARD
              ? Numbers.clip(logRatio, -20, 20)
              : 20 * Math.tanh(logRatio / 20);
      double ratio = Math.exp(limited);
      double clipped = ratio > 1 + range ? 1 + range : ratio < 1 - range ? 1 - range : ratio;
      double value = Math.min(ratio * advantage, clipped * advantage);
      double unit = Math.max(1, Math.abs(value));
      expected[i] = -value / unit;
      actual[i] = PolicyLoss.clippedSurrogate(logRatio, advantage, range, bound).value() / unit;
    }
    return Outcome.error(
        Deviation.absolute(actual, expected), EXACT, "the policy would be pushed too far or back");
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
