package io.quantail.audit;

import static io.quantail.audit.AuditCheck.check;

import io.quantail.audit.SamplePredictions.CriticOutput;
import io.quantail.audit.reference.ReferenceCritic;
import io.quantail.audit.reference.ReferenceMath;
import io.quantail.audit.reference.ReferenceRisk;
import io.quantail.config.CriticConfig;
import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.model.Agent;
import io.quantail.random.RandomStream;
import io.quantail.risk.EmpiricalCvar;
import io.quantail.rollout.RolloutPredictions;
import io.quantail.rollout.RolloutPredictor;
import io.quantail.value.CategoricalCritic;
import io.quantail.value.Critic;
import io.quantail.value.ExplainedVariance;
import io.quantail.value.QuantileCritic;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Outputs of the critics for the rollout, and their losses. */
final class CriticChecks {
  private static final double EXACT = 1e-9;
  private static final double SINGLE = 2e-6; // losses are summed in single precision
  private static final double DERIVED = 3e-5; // derivatives are stored in single precision
  private static final double NETWORK = 2e-5; // through a whole network

  private CriticChecks() {}

  static List<AuditCheck> all() {
    return AuditCheck.topic(
        "critic",
        check("quantile-levels", "CRIT-1", 1e-15, CriticChecks::levels)
            .compares("levels of the quantiles with (i + 0.5) / N")
            .exercises("QuantileCritic")
            .failureMeans("the quantiles have other levels")
            .unless(CriticChecks::categorical, "critic.type is categorical"),
        check("loss", "CRIT-1 CRIT-2", SINGLE, CriticChecks::loss)
            .compares(
                "loss of each sample against its target with the quantile Huber loss, or the"
                    + " cross-entropy with the projected target over ln N")
            .exercises(
                "QuantileCritic CategoricalCritic QuantileHuberLoss AtomSupport NegativeExponential QuantileHuberLoop")
            .failureMeans("critics learn another distribution than that of returns"),
        check("loss-of-other-sizes", "CRIT-1 CRIT-2", 2e-6, CriticChecks::sizes)
            .compares(
                "loss and derivatives of critics with 5, 8, 24 and the configured number of"
                    + " outputs, targets on both sides within and beyond kappa or the support,"
                    + " with the definition and its differences")
            .exercises(
                "QuantileCritic CategoricalCritic QuantileHuberLoss AtomSupport NegativeExponential QuantileHuberLoop VectorLanes FloatVectors")
            .failureMeans(
                "the loss is wrong for sizes that fill vector loops, or for those that do not"),
        check("projection", "CRIT-2", EXACT, CriticChecks::projection)
            .compares("targets projected onto the atoms with the split between neighbours")
            .exercises("AtomSupport CategoricalCritic")
            .failureMeans("targets are projected onto the wrong atoms")
            .unless(subject -> !categorical(subject), "critic.type is quantile"),
        check("value-of-twins", "TWIN-1", EXACT, CriticChecks::value)
            .compares(
                "value used for advantages with the lower of the critics' means; the heads must"
                    + " differ")
            .exercises("Critic QuantileCritic CategoricalCritic"),
        check("value-clipping", "VFC-1 TWIN-2", DERIVED, ValueClipChecks::clipping)
            .compares(
                "larger of free and clipped loss and its derivatives with the formula of every"
                    + " mode and its differences, on outputs moved so far from the stored ones"
                    + " that the clip binds")
            .exercises("ValueClip ClippedLoss QuantileCritic CategoricalCritic AtomSupport"),
        check("predicted-cvar", "CVAR-1", CriticChecks::cvar)
            .compares(
                "CVaR of the predicted distribution and its derivatives with a sum over the sorted"
                    + " outcomes and its differences, both methods")
            .exercises("Cvar QuantileCritic CategoricalCritic"),
        check("quantile-function", "CRIT-1 CRIT-2", 1e-6, CriticChecks::quantiles)
            .compares(
                "returns at levels from 0.01 to 0.99 with linear interpolation between the"
                    + " mid-levels of the outcomes")
            .exercises("QuantileCritic CategoricalCritic")
            .failureMeans("forecasts are read at the wrong levels"),
        check("predictions", "CVAR-1 TWIN-1", NETWORK, CriticChecks::predictions)
            .compares(
                "values, CVaR, quantiles and log-probabilities that PpoUpdate predicts after an"
                    + " update, and the explained variance, with the reference network")
            .exercises("RolloutPredictor PpoUpdate ExplainedVariance WeightedMoments Critic"),
        check("empirical-cvar", "CVAR-5", EXACT, CriticChecks::empirical)
            .compares("CVaR of rewards and returns with the mean of the lowest ceil(alpha n)")
            .exercises("EmpiricalCvar Percentiles")
            .failureMeans("the wrong tail, or the wrong fraction, of the samples is averaged"),
        check("calibration", "DIST-5", 1e-6, CalibrationChecks::calibration)
            .compares(
                "coverage, deviation and tails of realised returns over many short rollouts with"
                    + " every prediction followed forwards through its episode")
            .exercises(
                "Calibration CalibrationSample RealisedReturns WaitingPredictions Critic"
                    + " QuantileCritic CategoricalCritic ReturnScale")
            .failureMeans("predictions are compared with other returns than their own"));
  }

  /** Targets of the sample; the first two are out of the usual range. */
  static double[] targets(SampleRollout sample) {
    double[] targets = ReferenceTargets.of(sample).targets().clone();
    targets[0] += 3; // beyond every kappa and between atoms
    targets[1] -= 100; // beyond every support
    return targets;
  }

  private static boolean categorical(AuditSubject subject) {
    return subject.config().critic().type() == CriticConfig.Type.CATEGORICAL;
  }

  private static Deviation levels(AuditSubject subject) {
    double[] actual = ((QuantileCritic) subject.own().agent().critic()).levels();
    double[] expected = new double[subject.own().agent().critic().outputs()];
    Arrays.setAll(expected, i -> (2 * i + 1) / (2.0 * expected.length));
    return new Deviation().add(actual, expected);
  }

  private static Deviation loss(AuditSubject subject) {
    SampleRollout sample = subject.own();
    double[] targets = targets(sample);
    Critic critic = sample.agent().critic();
    float[] gradient = new float[sample.critics() * critic.outputs()];
    Deviation deviation = new Deviation();
    double size = 0;
    for (CriticOutput output : SamplePredictions.of(sample).critics(critic.outputs(), 1)) {
      float target = (float) targets[output.transition()];
      double expected = sample.referenceCritic().loss(output.values(), target);
      deviation.add(critic.loss(output.all(), output.offset(), target, 1, gradient), expected);
      size = Math.max(size, expected);
    }
    return Deviation.of(deviation.error() / size);
  }

  private static Deviation sizes(AuditSubject subject) {
    CriticConfig configured = subject.own().config().critic();
    RandomStream random = RandomStream.of(subject.config().seed(), "audit/sizes", 0);
    boolean quantiles = !categorical(subject);
    double reach = quantiles ? 4 * configured.huberKappa() : 1.5 * configured.support();
    Deviation deviation = new Deviation();
    for (int size : new int[] {5, 8, 24, subject.own().agent().critic().outputs()}) {
      RunConfig changed =
          SampleConfig.with(
              subject.own().config(), "critic.quantiles=" + size, "critic.atoms=" + size);
      Critic critic = Critic.of(changed.critic());
      ReferenceCritic reference = new ReferenceCritic(changed.critic());
      for (int i = 0; i < 40; i++) {
        float[] both = new float[2 * size]; // the second half is compared
        for (int k = 0; k < both.length; k++) {
          both[k] = (float) (0.5 * reach * random.nextGaussian() / (quantiles ? 1 : reach));
        }
        float target = (float) random.nextDouble(-reach, reach);
        double[] outputs = ReferenceMath.row(both, 1, size);
        float[] slopes = new float[2 * size];
        double value = critic.loss(both, size, target, 1.5, slopes);
        double expected = reference.loss(outputs, target);
        double[] wanted =
            ReferenceMath.differences(1e-6, outputs, now -> 1.5 * reference.loss(now, target));
        deviation.add(value, expected, Math.max(0.1, expected));
        deviation.add(Deviation.relative(ReferenceMath.row(slopes, 1, size), wanted));
      }
    }
    return deviation;
  }

  private static Deviation projection(AuditSubject subject) {
    CategoricalCritic critic = (CategoricalCritic) subject.own().agent().critic();
    Deviation deviation = new Deviation();
    double[] one = {1};
    double[] actual = new double[critic.outputs()];
    for (double target : targets(subject.own())) {
      double[] position = {target};
      critic.support().project(position, 0, one, actual);
      deviation.add(
          actual, subject.own().referenceCritic().project(position, one, critic.outputs()));
    }
    return deviation;
  }

  private static Deviation value(AuditSubject subject) {
    SampleRollout sample = subject.own();
    SamplePredictions predictions = SamplePredictions.of(sample);
    Critic critic = sample.agent().critic();
    ReferenceCritic reference = sample.referenceCritic();
    Deviation deviation = new Deviation();
    double apart = 0;
    for (int row = 0; row < predictions.rows(); row++) {
      float[] all = predictions.values(row);
      double first = reference.mean(ReferenceMath.row(all, 0, critic.outputs()));
      double last = reference.mean(ReferenceMath.row(all, sample.critics() - 1, critic.outputs()));
      deviation.add(critic.value(all), Math.min(first, last));
      apart = Math.max(apart, Math.abs(first - last));
    }
    return sample.critics() == 1
        ? deviation.note("a single critic")
        : deviation.require(apart > 0).note("the twins are up to %s apart", apart);
  }

  private static AuditOutcome cvar(AuditSubject subject) {
    SampleRollout sample = subject.own();
    SamplePredictions predictions = SamplePredictions.of(sample);
    Critic critic = sample.agent().critic();
    ReferenceCritic reference = sample.referenceCritic();
    Deviation values = new Deviation();
    Deviation derivatives = new Deviation();
    int stride = Math.max(1, predictions.rows() / 20);
    List<CriticOutput> outputs = predictions.critics(critic.outputs(), 1);
    for (double alpha : new double[] {sample.config().risk().alpha(), 0.001, 0.3, 1}) {
      for (RiskConfig.CvarMethod method : RiskConfig.CvarMethod.values()) {
        for (CriticOutput output : outputs) {
          double expected = reference.cvar(output.values(), alpha, method);
          double unit = Math.max(1, Math.abs(expected));
          float[] slopes = new float[output.all().length];
          critic.read(output.all(), output.offset());
          values.add(critic.cvar(alpha, method), expected, unit);
          values.add(
              critic.cvar(output.all(), output.offset(), alpha, method, slopes), expected, unit);
          if (output.row() % stride == 0
              && !(reference.quantiles() && nearlyTied(output.values()))) {
            double[] wanted =
                ReferenceMath.differences(
                    1e-6, output.values(), now -> reference.cvar(now, alpha, method));
            derivatives.add(Deviation.relative(output.own(slopes), wanted));
          }
        }
      }
    }
    return Deviation.of(Math.max(values.error(), derivatives.error()))
        .require(values.error() <= 1e-8)
        .note("CVaR is off by %s, its derivatives by %s", values.error(), derivatives.error())
        .within(DERIVED);
  }

  /** Whether two outcomes nearly change ranks, where the CVaR has a kink. */
  private static boolean nearlyTied(double[] outputs) {
    double[] sorted = outputs.clone();
    Arrays.sort(sorted);
    return IntStream.range(1, sorted.length).anyMatch(i -> sorted[i] - sorted[i - 1] < 1e-5);
  }

  private static Deviation quantiles(AuditSubject subject) {
    SampleRollout sample = subject.own();
    SamplePredictions predictions = SamplePredictions.of(sample);
    Critic critic = sample.agent().critic();
    Deviation deviation = new Deviation();
    for (int row = 0; row < predictions.rows(); row++) {
      double[] outputs = ReferenceMath.row(predictions.values(row), 0, critic.outputs());
      critic.read(predictions.values(row), 0);
      for (double level : new double[] {0.01, 0.05, 0.25, 0.5, 0.77, 0.95, 0.99}) {
        double expected = sample.referenceCritic().quantile(outputs, level);
        deviation.add(critic.quantile(level), expected, Math.max(1, Math.abs(expected)));
      }
    }
    return deviation;
  }

  private static Deviation predictions(AuditSubject subject) {
    SampleRollout sample = subject.own();
    RolloutReplay replay = RolloutReplay.of(subject);
    Agent agent = sample.anotherModel(sample.config()).agent();
    RolloutPredictions actual =
        new RolloutPredictor(sample.config(), agent, sample.workers()).predict(sample.rollout(), 0);
    ReferenceCritic reference = sample.referenceCritic();
    RiskConfig risk = sample.config().risk();
    Deviation deviation = new Deviation();
    int levels = RolloutPredictions.LEVELS.size();
    for (int row = 0; row < actual.transitions().length; row++) {
      int at = actual.transitions()[row];
      double[][] critics = replay.critics()[at];
      double cvar = 0;
      double[] quantiles = new double[levels];
      for (double[] outputs : critics) {
        cvar += reference.cvar(outputs, risk.alpha(), risk.method()) / critics.length;
        for (int i = 0; i < levels; i++) {
          quantiles[i] +=
              reference.quantile(outputs, RolloutPredictions.LEVELS.get(i)) / critics.length;
        }
      }
      double lowest = reference.lowestMean(critics);
      double unit = 1 + Math.abs(lowest) + Math.abs(cvar);
      double[] read = Arrays.copyOfRange(actual.quantiles(), row * levels, (row + 1) * levels);
      deviation
          .add(actual.values()[row], lowest, unit)
          .add(actual.cvars()[row], cvar, unit)
          .add(Deviation.absolute(read, quantiles) / unit)
          .add(actual.logProbabilities()[row], replay.logProbabilities()[at], 10);
    }
    double explained = explainedError(sample);
    return deviation
        .require(explained <= 1e-6)
        .note(
            "%d rows; the explained variance is off by %s", actual.transitions().length, explained);
  }

  /** {@code 1 - Var(y - v) / Var(y)}. */
  private static double explainedError(SampleRollout sample) {
    double[] returns = ReferenceTargets.of(sample).returns();
    double[] values = sample.collected().values();
    double spread = ReferenceMath.deviation(returns, 1);
    OptionalDouble actual = ExplainedVariance.sampled(returns, returns, values);
    if (spread < 1e-9 || actual.isEmpty()) {
      return spread < 1e-9 ? 0 : Double.POSITIVE_INFINITY;
    }
    double left = ReferenceMath.deviation(ReferenceMath.minus(returns, values), 1);
    double expected = 1 - Math.pow(left / spread, 2);
    return Math.abs(actual.getAsDouble() - expected) / Math.max(1, Math.abs(expected));
  }

  private static Deviation empirical(AuditSubject subject) {
    SampleRollout sample = subject.own();
    double winsor = sample.config().risk().winsor();
    double[] returns = ReferenceTargets.of(sample).returns();
    Deviation deviation = new Deviation();
    for (double[] samples : List.of(sample.collected().rewards(), returns)) {
      for (double alpha : new double[] {sample.config().risk().alpha(), 0.2, 1}) {
        double expected = ReferenceRisk.empirical(samples, alpha, winsor);
        double actual = EmpiricalCvar.empirical(samples, alpha, winsor).cvar();
        deviation.add(actual, expected, expected == 0 ? 1 : Math.abs(expected));
      }
    }
    return deviation;
  }
}
