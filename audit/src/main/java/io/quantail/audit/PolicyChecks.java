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

/** Action distributions of the rollout and terms of the policy loss. */
final class PolicyChecks {
  private static final double EXACT = 1e-9;
  private static final double SINGLE = 1e-6; // for numbers stored in single precision
  private static final double ROUNDING = 1e-7; // of a number in single precision, relative
  private static final int GRID = 4001;
  private static final double REACH = 9; // standard deviations covered by the integral

  private static final String DISTRIBUTIONS =
      "GaussianPolicy StateDependentPolicy DeviationBounds CategoricalPolicy ProductPolicy Squashing"
          + " PolicyHead";

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

  /**
   * The sample's rows with the production distribution and the reference one.
   *
   * @param unmasked the reference policies before masked choices lose their probability
   */
  private record Rows(
      SampleRollout sample,
      SamplePredictions predictions,
      ReferencePolicy referencePolicy,
      double[][] unmasked) {
    static Rows of(SampleRollout sample) {
      SamplePredictions predictions = SamplePredictions.of(sample);
      double[][] policies = new double[predictions.rows()][];
      Arrays.setAll(policies, row -> policy(sample, predictions.pass(), row));
      return new Rows(sample, predictions, sample.referencePolicy(), policies);
    }

    /** Outputs of the network, and reference deviations rounded to single precision as stored. */
    private static double[] policy(SampleRollout sample, NetworkPass pass, int row) {
      ReferenceNetwork network = sample.referenceNetwork();
      double[] deviations =
          network.deviations(sample.parameters(), ReferenceMath.doubles(pass.features()[row]));
      PolicyDistribution production = pass.policy();
      pass.set(production, row);
      int size = sample.agent().network().distributionParameters();
      double[] stored = network.deviationsOf(SamplePredictions.stored(production, size));
      for (int i = 0; i < deviations.length; i++) {
        boolean rounded = Math.abs(stored[i] - deviations[i]) <= ROUNDING * deviations[i];
        deviations[i] = rounded ? stored[i] : deviations[i];
      }
      return network.policyOf(ReferenceMath.doubles(pass.actions()[row]), deviations);
    }

    boolean[] mask(int row) {
      return sample.experience().masks()[predictions.transition(row)];
    }

    /** The reference policy of a row. */
    double[] policy(int row) {
      return referencePolicy.masked(unmasked[row], mask(row));
    }

    /**
     * Derivatives by outputs, and after them by deviations; the latter by {@code log σ} where the
     * policy depends on its features: {@code ds / d log σ = φ² σ² / s}.
     */
    double[] chained(int row, double[] slopes) {
      ReferenceNetwork network = sample.referenceNetwork();
      double[] beside = network.deviationsOf(slopes);
      if (network.stateDependent()) {
        double[] features = ReferenceMath.doubles(predictions.pass().features()[row]);
        beside = network.logSigmaSlopes(sample.parameters(), features, slopes);
      }
      double[] outputs = network.outputsOf(slopes);
      double[] all = Arrays.copyOf(outputs, outputs.length + beside.length);
      System.arraycopy(beside, 0, all, outputs.length, beside.length);
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
      for (int row = 0; row < unmasked.length; row++) {
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
        row -> rows.referencePolicy.logProbability(rows.policy(row), rows.action(row)));
  }

  /**
   * The product over components of an action of their sums or integrals, each with the other
   * components fixed at the most likely action.
   */
  private static Deviation density(AuditSubject subject) {
    Rows rows = Rows.of(subject.own());
    PolicyDistribution policy = rows.distribution(0);
    float[] action = new float[subject.own().actionSpace().size()];
    policy.mode(action, 0);
    double atCentre = policy.logProbability(action, 0);
    double logTotal = atCentre;
    for (ReferencePolicy.Part part : rows.referencePolicy.parts()) {
      for (int dimension = 0; dimension < part.size(); dimension++) {
        double total =
            part.continuous()
                ? integral(policy, part, dimension, rows.policy(0), action)
                : sum(policy, part, rows.mask(0), action);
        logTotal += Math.log(total) - atCentre;
      }
    }
    return new Deviation().add(Math.exp(logTotal), 1);
  }

  /** The sum over the allowed choices of a part; a masked one must be refused. */
  private static double sum(
      PolicyDistribution policy, ReferencePolicy.Part part, boolean[] mask, float[] action) {
    float likely = action[part.action()];
    double sum = 0;
    for (int k = 0; k < part.choices(); k++) {
      action[part.action()] = k;
      if (mask.length == 0 || mask[part.mask() + k]) {
        sum += Math.exp(policy.logProbability(action, 0));
      } else if (!refuses(policy, action)) {
        sum = Double.NaN;
      }
    }
    action[part.action()] = likely;
    return sum;
  }

  private static boolean refuses(PolicyDistribution policy, float[] action) {
    try {
      policy.logProbability(action, 0);
      return false;
    } catch (IllegalArgumentException masked) {
      return true;
    }
  }

  /**
   * The integral over one dimension of a part. The grid is in raw actions; its spacing in squashed
   * actions follows from the squashing.
   */
  private static double integral(
      PolicyDistribution policy,
      ReferencePolicy.Part part,
      int dimension,
      double[] numbers,
      float[] action) {
    int at = part.action() + dimension;
    float centre = action[at];
    double sigma = part.of(numbers)[part.size() + dimension];
    double sum = 0;
    double before = Double.NaN;
    double densityBefore = 0;
    for (int i = 0; i < GRID; i++) {
      action[at] = (float) (centre + REACH * sigma * (2.0 * i / (GRID - 1) - 1));
      double squashed = part.squashed(action[at]);
      double density = Math.exp(policy.logProbability(action, 0));
      sum += i == 0 ? 0 : (squashed - before) * (density + densityBefore) / 2;
      before = squashed;
      densityBefore = density;
    }
    action[at] = centre;
    return sum;
  }

  private static Deviation entropy(AuditSubject subject) {
    Rows rows = Rows.of(subject.own());
    return rows.compare(
        (policy, row) -> policy.entropy(), row -> rows.referencePolicy.entropy(rows.policy(row)));
  }

  /** The stored distributions of all rows, somewhat changed. */
  private static float[] oldPolicies(AuditSubject subject, SequenceBatch batch) {
    float[] old = batch.distributions().clone();
    RandomStream random = RandomStream.of(subject.config().seed(), "audit/divergence", 0);
    for (int i = 0; i < old.length; i++) {
      old[i] *= (float) (1 + 0.2 * random.nextDouble());
    }
    for (ReferencePolicy.Part part : subject.own().referencePolicy().parts()) {
      for (int row = 0; row < batch.size() && !part.continuous(); row++) {
        normalize(old, row * batch.distributionSize() + part.number(), part.count());
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
                    ReferenceMath.row(old, row, size), rows.policy(row)))
        .within(subject.own().actionSpace() instanceof ActionSpace.Box ? EXACT : SINGLE);
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
      for (int row = 0; row < rows.unmasked.length; row += 7) {
        double[] action = rows.action(row);
        boolean[] mask = rows.mask(row);
        double[] before = ReferenceMath.row(old, row, size);
        double[] slopesOfPolicy =
            ReferenceMath.differences(
                1e-5,
                rows.unmasked[row],
                unmasked -> {
                  double[] now = referencePolicy.masked(unmasked, mask);
                  return factors[0] * referencePolicy.logProbability(now, action)
                      + factors[1] * referencePolicy.entropy(now)
                      + factors[2] * referencePolicy.divergence(before, now);
                });
        double[] expected = rows.chained(row, slopesOfPolicy);
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
