package io.quantail.audit;

import io.quantail.audit.slow.Experience;
import io.quantail.audit.slow.Numbers;
import io.quantail.audit.slow.SlowPolicy;
import io.quantail.config.RatioBound;
import io.quantail.config.Squash;
import io.quantail.env.ActionSpace;
import io.quantail.nn.ActionDistribution;
import io.quantail.ppo.PolicyLoss;
import io.quantail.random.RandomStream;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The action distributions of the rollout and the terms of the policy's loss. */
final class PolicyChecks {
  private static final String TOPIC = "policy";
  private static final double EXACT = 1e-9;
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

  private static double[][] policies(AuditSubject subject) {
    return subject.own().experience().distributions();
  }

  private static ActionDistribution distribution(AuditSubject subject, double[][] policies) {
    return subject.own().agent().network().distribution(Columns.matrix(policies));
  }

  private static Outcome logProbability(AuditSubject subject) {
    Experience experience = subject.own().experience();
    SlowPolicy slow = subject.own().slowPolicy();
    double[] expected = new double[experience.size()];
    Arrays.setAll(
        expected,
        i -> slow.logProbability(experience.distributions()[i], experience.rawActions()[i]));
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      double[] actual =
          distribution(subject, experience.distributions())
              .logProbability(Columns.matrix(experience.rawActions()))
              .doubles();
      return Outcome.error(
          Deviation.absolute(actual, expected),
          EXACT,
          "ratios and gradients of the policy are wrong");
    }
  }

  private static Outcome density(AuditSubject subject) {
    double[] policy = policies(subject)[0];
    double total =
        subject.own().actionSpace() instanceof ActionSpace.Discrete discrete
            ? sumOfProbabilities(subject, policy, discrete.count())
            : integral(subject, policy);
    return Outcome.error(
        Math.abs(total - 1), 1e-5, "the density of all actions adds up to " + total);
  }

  private static double sumOfProbabilities(AuditSubject subject, double[] policy, int count) {
    double[][] rows = new double[count][];
    double[][] actions = new double[count][1];
    for (int i = 0; i < count; i++) {
      rows[i] = policy;
      actions[i][0] = i;
    }
    return Arrays.stream(logs(subject, rows, actions)).map(Math::exp).sum();
  }

  private static double[] logs(AuditSubject subject, double[][] policies, double[][] actions) {
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      return distribution(subject, policies).logProbability(Columns.matrix(actions)).doubles();
    }
  }

  /**
   * The product over dimensions of one-dimensional integrals, each with the others held fixed; the
   * grid stands in raw actions, and squashed actions are as far apart as the squashing says.
   */
  private static double integral(AuditSubject subject, double[] policy) {
    int size = policy.length / 2;
    Squash squash = subject.own().slowPolicy().squash();
    double[] centre = Arrays.copyOf(policy, size);
    double[][] rows = new double[GRID][];
    Arrays.fill(rows, policy);
    double atCentre = logs(subject, new double[][] {policy}, new double[][] {centre})[0];
    double logTotal = atCentre * (1 - size);
    for (int dimension = 0; dimension < size; dimension++) {
      double[][] actions = new double[GRID][];
      for (int i = 0; i < GRID; i++) {
        actions[i] = centre.clone();
        actions[i][dimension] += REACH * policy[size + dimension] * (2.0 * i / (GRID - 1) - 1);
      }
      double[] logs = logs(subject, rows, actions);
      double sum = 0;
      for (int i = 1; i < GRID; i++) {
        double width =
            squashed(squash, actions[i][dimension]) - squashed(squash, actions[i - 1][dimension]);
        sum += width * (Math.exp(logs[i]) + Math.exp(logs[i - 1])) / 2;
      }
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
    double[] expected = perPolicy(policies(subject), slow::entropy);
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      double[] actual = distribution(subject, policies(subject)).entropy().doubles();
      return Outcome.error(Deviation.absolute(actual, expected), 1e-8, "exploration is misjudged");
    }
  }

  private static double[] perPolicy(double[][] policies, ToDoubleFunction<double[]> function) {
    return Arrays.stream(policies).mapToDouble(function).toArray();
  }

  private static Outcome divergence(AuditSubject subject) {
    SlowPolicy slow = subject.own().slowPolicy();
    double[][] old = policies(subject);
    double[][] now = new double[old.length][];
    RandomStream random = RandomStream.of(subject.config().seed(), "audit/divergence", 0);
    for (int i = 0; i < old.length; i++) {
      now[i] =
          Arrays.stream(old[i]).map(value -> value * (1 + 0.2 * random.nextDouble())).toArray();
    }
    double[] expected = new double[old.length];
    Arrays.setAll(expected, i -> slow.divergence(old[i], now[i]));
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      double[] actual = distribution(subject, old).divergence(distribution(subject, now)).doubles();
      return Outcome.error(
          Deviation.absolute(actual, expected), EXACT, "the KL penalty pushes the wrong way");
    }
  }

  private static Outcome surrogate(AuditSubject subject) {
    double range = subject.config().ppo().clipRange();
    RatioBound bound = subject.config().ppo().ratioBound();
    int size = 801;
    double[] logRatios = new double[2 * size];
    double[] advantages = new double[2 * size];
    double[] expected = new double[2 * size];
    for (int i = 0; i < expected.length; i++) {
      double place = 2.0 * (i % size) / (size - 1) - 1;
      logRatios[i] = 40 * place * place * place;
      advantages[i] = (i < size ? 1.7 : -1.3) * (1 + i % 3);
      double limited =
          bound == RatioBound.HARD
              ? Numbers.clip(logRatios[i], -20, 20)
              : 20 * Math.tanh(logRatios[i] / 20);
      double ratio = Math.exp(limited);
      double clipped = ratio > 1 + range ? 1 + range : ratio < 1 - range ? 1 - range : ratio;
      expected[i] = Math.min(ratio * advantages[i], clipped * advantages[i]);
    }
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      double[] actual =
          PolicyLoss.clippedSurrogate(
                  PolicyLoss.ratio(Columns.vector(logRatios), bound),
                  Columns.vector(advantages),
                  range)
              .doubles();
      for (int i = 0; i < actual.length; i++) {
        double unit = Math.max(1, Math.abs(expected[i]));
        actual[i] /= unit;
        expected[i] /= unit;
      }
      return Outcome.error(
          Deviation.absolute(actual, expected),
          EXACT,
          "the policy would be pushed too far or back");
    }
  }

  private static Outcome cloning(AuditSubject subject) {
    double beta = subject.config().ppo().cloning().beta();
    double[] advantages = {-1e6, -30, -2, 0, 0.5, 3, 20, 25, 1e6};
    double[] expected =
        Arrays.stream(advantages).map(a -> Math.min(100, Math.exp(a / beta))).toArray();
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      double[] actual = PolicyLoss.cloningWeights(Columns.vector(advantages), beta).doubles();
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
}
