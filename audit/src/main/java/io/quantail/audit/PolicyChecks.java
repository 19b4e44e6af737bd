package io.quantail.audit;

import static io.quantail.audit.AuditCheck.check;

import io.quantail.audit.reference.ReferenceLoss;
import io.quantail.audit.reference.ReferenceMath;
import io.quantail.audit.reference.ReferenceNetwork;
import io.quantail.audit.reference.ReferencePolicy;
import io.quantail.config.PpoConfig;
import io.quantail.env.ActionSpace;
import io.quantail.loss.PolicyLoss;
import io.quantail.network.NetworkPass;
import io.quantail.network.PolicyDistribution;
import io.quantail.random.RandomStream;
import io.quantail.rollout.SequenceBatch;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** Action distributions of the rollout and terms of the policy loss. */
final class PolicyChecks {
  private static final double EXACT = 1e-9;
  private static final double SINGLE = 1e-6; // for numbers stored in single precision
  private static final double ROUNDING = 1e-7; // of a number in single precision, relative
  private static final int GRID = 4001;
  private static final double REACH = 9; // standard deviations covered by the integral

  private static final String DISTRIBUTIONS =
      "GaussianPolicy StateDependentPolicy DeviationBounds CategoricalPolicy Squashing PolicyHead";

  /** Weights of log-probability, entropy and KL divergence, each alone and all together. */
  private static final double[][] FACTORS = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.7, -1.3, 0.4}};

  private PolicyChecks() {}

  static List<AuditCheck> all() {
    return AuditCheck.topic(
        "policy",
        check("log-probability", "NET-3", EXACT, PolicyChecks::logProbability)
            .compares(
                "log-probabilities of the rollout's actions with the density, correction for"
                    + " squashing included")
            .exercises(DISTRIBUTIONS)
            .failureMeans("ratios and gradients of the policy are wrong"),
        check("density-sums-to-one", "NET-3", 1e-5, PolicyChecks::density)
            .compares(
                "the integral of the density over all actions (or the sum of probabilities) with 1")
            .exercises(DISTRIBUTIONS)
            .failureMeans("the density of all actions does not sum to 1"),
        check("entropy", "NET-3", EXACT, PolicyChecks::entropy)
            .compares("entropies with the integral of -p log p")
            .exercises(DISTRIBUTIONS + " SquashedEntropy SquashedEntropyTable")
            .failureMeans("exploration is measured wrongly"),
        check("divergence", "POL-3", PolicyChecks::divergence)
            .compares("exact KL divergence from the old to a changed policy with its definition")
            .exercises(DISTRIBUTIONS)
            .failureMeans("the KL penalty has the wrong gradient"),
        check("policy-derivatives", "NET-3 POL-3 ENT-1", 1e-6, PolicyChecks::derivatives)
            .compares(
                "derivatives of log-probability, entropy and KL divergence by outputs and standard"
                    + " deviations of the policy with finite differences of the definitions")
            .exercises(DISTRIBUTIONS + " SquashedEntropy SquashedEntropyTable")
            .failureMeans("the policy does not follow the gradient of its loss"),
        check("clipped-surrogate", "POL-1", 1e-11, PolicyChecks::surrogate)
            .compares(
                "surrogate and its slope with min(r A, clip(r) A) and its differences, log-ratios"
                    + " from -40 to 40, both signs of A, both bounds")
            .exercises("PolicyLoss")
            .failureMeans("the policy changes too much or in the wrong direction"),
        check("cloning-weights", "AWR-1", EXACT, PolicyChecks::cloning)
            .compares("weights with exp(A / beta), at most 100, for advantages up to 1e6")
            .exercises("PolicyLoss")
            .failureMeans("behaviour cloning has the wrong weights"));
  }

  /** The sample's rows with the production distribution and the reference one. */
  private record Rows(
      SamplePredictions predictions, ReferencePolicy referencePolicy, double[][] policies) {
    static Rows of(SampleRollout sample) {
      SamplePredictions predictions = SamplePredictions.of(sample);
      double[][] policies = ReferenceMath.doubles(predictions.pass().actions());
      if (sample.actionSpace() instanceof ActionSpace.Box) {
        for (int row = 0; row < policies.length; row++) {
          policies[row] = withDeviations(sample, predictions.pass(), row);
        }
      }
      return new Rows(predictions, sample.referencePolicy(), policies);
    }

    /** Means of the network and reference deviations, rounded to single precision as stored. */
    private static double[] withDeviations(SampleRollout sample, NetworkPass pass, int row) {
      double[] deviations =
          sample
              .referenceNetwork()
              .deviations(sample.parameters(), ReferenceMath.doubles(pass.features()[row]));
      int size = deviations.length;
      PolicyDistribution production = pass.policy();
      pass.set(production, row);
      double[] stored = SamplePredictions.stored(production, 2 * size);
      double[] policy = Arrays.copyOf(ReferenceMath.doubles(pass.actions()[row]), 2 * size);
      for (int i = 0; i < size; i++) {
        boolean rounded = Math.abs(stored[size + i] - deviations[i]) <= ROUNDING * deviations[i];
        policy[size + i] = rounded ? stored[size + i] : deviations[i];
      }
      return policy;
    }

    /**
     * Derivatives by outputs and deviations as those by outputs and {@code log σ}, where the policy
     * depends on its features: {@code ds / d log σ = φ² σ² / s}.
     */
    double[] chained(SampleRollout sample, int row, double[] slopes) {
      ReferenceNetwork network = sample.referenceNetwork();
      if (!network.stateDependent()) {
        return slopes;
      }
      double[] features = ReferenceMath.doubles(predictions.pass().features()[row]);
      double[] byLogSigma = network.logSigmaSlopes(sample.parameters(), features, slopes);
      int size = slopes.length / 2;
      double[] all = Arrays.copyOf(slopes, size + byLogSigma.length);
      System.arraycopy(byLogSigma, 0, all, size, byLogSigma.length);
      return all;
    }

    /** The production distribution of a row. */
    PolicyDistribution distribution(int row) {
      PolicyDistribution policy = predictions.pass().policy();
      predictions.pass().set(policy, row);
      return policy;
    }

    double[] action(int row) {
      return ReferenceMath.row(
          predictions.batch().rawActions(), row, predictions.batch().actionSize());
    }

    /** Compares a function of the production distribution with one of the row, on all rows. */
    Deviation compare(RowFunction production, IntToDoubleFunction reference) {
      Deviation deviation = new Deviation();
      for (int row = 0; row < policies.length; row++) {
        deviation.add(production.at(distribution(row), row), reference.applyAsDouble(row));
      }
      return deviation;
    }
  }

  /** A function of the production distribution of a row. */
  @FunctionalInterface
  private interface RowFunction {
    double at(PolicyDistribution policy, int row);
  }

  private static Deviation logProbability(AuditSubject subject) {
    Rows rows = Rows.of(subject.own());
    float[] raw = rows.predictions.batch().rawActions();
    int size = rows.predictions.batch().actionSize();
    return rows.compare(
        (policy, row) -> policy.logProbability(raw, row * size),
        row -> rows.referencePolicy.logProbability(rows.policies[row], rows.action(row)));
  }

  private static Deviation density(AuditSubject subject) {
    PolicyDistribution policy = Rows.of(subject.own()).distribution(0);
    double total =
        subject.own().actionSpace() instanceof ActionSpace.Discrete discrete
            ? IntStream.range(0, discrete.count())
                .mapToDouble(action -> Math.exp(policy.logProbability(new float[] {action}, 0)))
                .sum()
            : integral(subject, policy);
    return new Deviation().add(total, 1);
  }

  /**
   * The product over dimensions of one-dimensional integrals, each with the other dimensions fixed.
   * The grid is in raw actions; its spacing in squashed actions follows from the squashing.
   */
  private static double integral(AuditSubject subject, PolicyDistribution policy) {
    double[] parameters =
        SamplePredictions.stored(policy, subject.own().agent().network().distributionParameters());
    int size = parameters.length / 2;
    ReferencePolicy referencePolicy = subject.own().referencePolicy();
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
        double squashed = referencePolicy.squashed(action[dimension]);
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

  private static Deviation entropy(AuditSubject subject) {
    Rows rows = Rows.of(subject.own());
    return rows.compare(
        (policy, row) -> policy.entropy(), row -> rows.referencePolicy.entropy(rows.policies[row]));
  }

  /** The stored distributions of all rows, somewhat changed. */
  private static float[] oldPolicies(AuditSubject subject, SequenceBatch batch) {
    float[] old = batch.distributions().clone();
    RandomStream random = RandomStream.of(subject.config().seed(), "audit/divergence", 0);
    for (int i = 0; i < old.length; i++) {
      old[i] *= (float) (1 + 0.2 * random.nextDouble());
    }
    if (subject.own().actionSpace() instanceof ActionSpace.Discrete) {
      for (int offset = 0; offset < old.length; offset += batch.distributionSize()) {
        normalize(old, offset, batch.distributionSize());
      }
    }
    return old;
  }

  /** Shifts log-probabilities so that the probabilities sum to one. */
  private static void normalize(float[] logs, int offset, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += Math.exp(logs[offset + i]);
    }
    for (int i = 0; i < size; i++) {
      logs[offset + i] -= (float) Math.log(sum);
    }
  }

  private static AuditOutcome divergence(AuditSubject subject) {
    Rows rows = Rows.of(subject.own());
    int size = rows.predictions.batch().distributionSize();
    float[] old = oldPolicies(subject, rows.predictions.batch());
    return rows.compare(
            (policy, row) -> policy.divergenceFrom(old, row * size),
            row ->
                rows.referencePolicy.divergence(
                    ReferenceMath.row(old, row, size), rows.policies[row]))
        .within(subject.own().actionSpace() instanceof ActionSpace.Discrete ? SINGLE : EXACT);
  }

  private static Deviation derivatives(AuditSubject subject) {
    Rows rows = Rows.of(subject.own());
    ReferencePolicy referencePolicy = rows.referencePolicy;
    SequenceBatch batch = rows.predictions.batch();
    float[] old = oldPolicies(subject, batch);
    int size = batch.distributionSize();
    int outputs = rows.predictions.pass().actions()[0].length;
    Deviation deviation = new Deviation();
    for (double[] factors : FACTORS) {
      for (int row = 0; row < rows.policies.length; row += 7) {
        double[] action = rows.action(row);
        double[] before = ReferenceMath.row(old, row, size);
        double[] slopesOfPolicy =
            ReferenceMath.differences(
                1e-5,
                rows.policies[row],
                now ->
                    factors[0] * referencePolicy.logProbability(now, action)
                        + factors[1] * referencePolicy.entropy(now)
                        + factors[2] * referencePolicy.divergence(before, now));
        double[] expected = rows.chained(subject.own(), row, slopesOfPolicy);
        PolicyDistribution policy = rows.distribution(row);
        policy.logProbability(batch.rawActions(), row * batch.actionSize());
        policy.entropy();
        policy.divergenceFrom(old, row * size);
        float[] slopes = new float[outputs];
        policy.addGradient(slopes, factors[0], factors[1], factors[2]);
        double[] actual = Arrays.copyOf(ReferenceMath.doubles(slopes), expected.length);
        float[] beside = policy.beside();
        for (int i = 0; i < beside.length; i++) {
          actual[outputs + i] = beside[i];
        }
        double unit = Math.max(0.1, Deviation.largest(expected));
        deviation.add(Deviation.absolute(actual, expected) / unit);
      }
    }
    return deviation;
  }

  private static Deviation surrogate(AuditSubject subject) {
    double range = subject.config().ppo().clipRange().from();
    int size = 800;
    Deviation deviation = new Deviation();
    for (PpoConfig.RatioBound bound : PpoConfig.RatioBound.values()) {
      for (int i = 0; i < 2 * size; i++) {
        double position = 2.0 * (i % size + 0.37) / size - 1;
        double logRatio = 40 * position * position * position;
        double advantage = (i < size ? 1.7 : -1.3) * (1 + i % 3);
        PolicyLoss.Term actual = PolicyLoss.clippedSurrogate(logRatio, advantage, range, bound);
        DoubleUnaryOperator loss = now -> -ReferenceLoss.surrogate(now, advantage, range, bound);
        double value = loss.applyAsDouble(logRatio);
        double slope = ReferenceMath.slope(1e-6, logRatio, loss);
        double unit = Math.max(1, Math.abs(value));
        deviation.add(actual.value(), value, unit);
        deviation.add(actual.slope(), slope, 1e3 * unit); // differences lose digits
      }
    }
    return deviation;
  }

  private static Deviation cloning(AuditSubject subject) {
    double beta = subject.config().ppo().cloning().beta();
    double[] advantages = {-1e6, -30, -2, 0, 0.5, 3, 20, 25, 1e6};
    double[] expected =
        Arrays.stream(advantages).map(a -> Math.min(100, Math.exp(a / beta))).toArray();
    double[] actual =
        Arrays.stream(advantages).map(a -> -PolicyLoss.cloning(0, a, beta).slope()).toArray();
    Deviation deviation = Deviation.of(Deviation.relative(actual, expected));
    return subject.config().ppo().cloning().coefficient().is(0)
        ? deviation.note("ppo.cloning.coefficient is 0, so the term has no effect here")
        : deviation;
  }
}
