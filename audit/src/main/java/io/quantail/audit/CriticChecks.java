package io.quantail.audit;

import static io.quantail.audit.AuditCheck.check;
import static java.util.Arrays.stream;

import io.quantail.audit.SamplePredictions.CriticOutput;
import io.quantail.audit.reference.ReferenceCritic;
import io.quantail.audit.reference.ReferenceDistribution;
import io.quantail.audit.reference.ReferenceMath;
import io.quantail.audit.reference.ReferenceRisk;
import io.quantail.config.CriticConfig;
import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.model.ActingModel;
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
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Outputs of the critics for the rollout, and their losses. */
final class CriticChecks {
  private static final double EXACT = 1e-9;
  private static final double SINGLE = 4e-6; // losses are summed in single precision
  private static final double DERIVED = 3e-5; // derivatives are stored in single precision
  private static final double NETWORK = 2e-5; // through a whole network

  /** Differences of a CVaR that hardly depends on the outputs are rounding. */
  private static final double LEAST_SLOPE = 1e-3;

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
                "loss of each sample against its particles with the quantile loss, or the"
                    + " cross-entropy with their mean projection over ln N, and the squared error"
                    + " of the mean head")
            .exercises(
                "QuantileCritic CategoricalCritic QuantileHuberLoss AtomSupport NegativeExponential QuantileHuberLoop")
            .failureMeans("critics learn another distribution than that of returns"),
        check("loss-of-other-sizes", "CRIT-1 CRIT-2", SINGLE, CriticChecks::sizes)
            .compares(
                "loss and derivatives of critics with 5, 8, 24 and the configured number of"
                    + " points against 1 to 5 and the configured number of particles, with and"
                    + " without kappa, particles on both sides within and beyond kappa or the"
                    + " support, with the definition and its differences")
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
                "value used for advantages with the lower of the critics' means, and the"
                    + " distribution that is read with that of the same critic; the heads must"
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
                    + " outcomes or the integral of their curve, moved onto the expected return, and"
                    + " its differences, all methods")
            .exercises("Cvar QuantileCritic CategoricalCritic"),
        check("quantile-function", "CRIT-1 CRIT-2", 1e-6, CriticChecks::quantiles)
            .compares(
                "returns at levels from 0 to 1 and draws with linear interpolation between the"
                    + " mid-levels of the outcomes, exponential tails and the move onto the"
                    + " expected return, and the levels of these returns")
            .exercises("QuantileCritic CategoricalCritic AtomSupport")
            .failureMeans("forecasts are read at the wrong levels"),
        check("predictions", "CVAR-1 TWIN-1", NETWORK, CriticChecks::predictions)
            .compares(
                "values, CVaR and quantiles of the critic with the lower mean and log-probabilities"
                    + " that PpoUpdate predicts after an update, and the explained variance, with"
                    + " the reference network")
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

  /** Particles of the sample; the first two rows are out of the usual range. */
  static double[][] particles(SampleRollout sample) {
    double[][] particles = ReferenceTargets.of(sample).particles().clone();
    particles[0] = moved(particles[0], 3); // beyond every kappa and between atoms
    particles[1] = moved(particles[1], -100); // beyond every support
    return particles;
  }

  /** Particles moved by a distance, in single precision. */
  static double[] moved(double[] particles, double distance) {
    return Arrays.stream(particles).map(x -> (float) (x + distance)).toArray();
  }

  private static boolean categorical(AuditSubject subject) {
    return subject.config().critic().type() == CriticConfig.Type.CATEGORICAL;
  }

  private static Deviation levels(AuditSubject subject) {
    double[] actual = ((QuantileCritic) subject.own().agent().critic()).levels();
    double[] expected = new double[subject.own().agent().critic().points()];
    Arrays.setAll(expected, i -> (2 * i + 1) / (2.0 * expected.length));
    return new Deviation().add(actual, expected);
  }

  private static Deviation loss(AuditSubject subject) {
    SampleRollout sample = subject.own();
    double[][] particles = particles(sample);
    float[] flat =
        ReferenceMath.floats(Arrays.stream(particles).flatMapToDouble(Arrays::stream).toArray());
    double[] targets = ReferenceTargets.of(sample).targets();
    Critic critic = sample.agent().critic();
    float[] gradient = new float[sample.critics() * critic.outputs()];
    Deviation deviation = new Deviation();
    for (CriticOutput output : SamplePredictions.of(sample).critics(critic.outputs(), 1)) {
      int at = output.transition();
      int count = particles[at].length;
      float target = (float) targets[at];
      double points =
          critic.loss(output.all(), output.offset(), flat, at * count, count, 1, gradient);
      double mean = critic.meanLoss(output.all(), output.offset(), target, 1, gradient);
      double expected = sample.referenceCritic().loss(output.values(), particles[at], target);
      deviation.add(points + mean, expected, Math.max(0.1, expected));
    }
    return deviation;
  }

  private static Deviation sizes(AuditSubject subject) {
    CriticConfig configured = subject.own().config().critic();
    RandomStream random = RandomStream.of(subject.config().seed(), "audit/sizes", 0);
    double kappa = configured.huberKappa() > 0 ? configured.huberKappa() : 0.5;
    Deviation deviation = new Deviation();
    for (int size : new int[] {5, 8, 24, subject.own().agent().critic().points()}) {
      for (double used : categorical(subject) ? new double[] {kappa} : new double[] {0, kappa}) {
        RunConfig changed =
            SampleConfig.with(
                subject.own().config(),
                "critic.quantiles=" + size,
                "critic.atoms=" + Math.max(2, size),
                "critic.huberKappa=" + used);
        for (int i = 0; i < 20; i++) {
          int count = i == 0 ? configured.particles() : 1 + i % 5;
          deviation.add(sizeError(changed.critic(), kappa, count, random));
        }
      }
    }
    return deviation;
  }

  /** The error of loss and derivatives of random outputs against random particles. */
  private static double sizeError(
      CriticConfig config, double kappa, int count, RandomStream random) {
    Critic critic = Critic.of(config);
    ReferenceCritic reference = new ReferenceCritic(config);
    boolean quantiles = reference.quantiles();
    double reach = quantiles ? 4 * kappa : 1.5 * config.support();
    int width = critic.outputs();
    float[] both = new float[2 * width]; // the second half is compared
    for (int k = 0; k < both.length; k++) {
      both[k] = (float) (0.5 * (quantiles ? reach : 1) * random.nextGaussian());
    }
    double[] points = reference.points(ReferenceMath.row(both, 1, width));
    double[] free = new double[count];
    Arrays.setAll(free, k -> (float) random.nextDouble(-reach, reach));
    double[] particles = reference.separated(free, 1e-4 * reach, points);
    float[] slopes = new float[2 * width];
    double value = critic.loss(both, width, ReferenceMath.floats(particles), 0, count, 1.5, slopes);
    double expected = reference.pointLoss(points, particles);
    double[] wanted =
        ReferenceMath.differences(
            1e-6 * reach, points, now -> 1.5 * reference.pointLoss(now, particles));
    double[] actual = reference.points(ReferenceMath.row(slopes, 1, width));
    Deviation deviation =
        new Deviation()
            .add(value, expected, Math.max(0.05 * (quantiles ? reach : 1), expected))
            .add(Deviation.relative(actual, wanted));
    if (quantiles) { // a particle on a quantile does not move it
      critic.loss(both, width, new float[] {both[width]}, 0, 1, 1.5, slopes);
      deviation.add(slopes[width], 0);
    }
    return deviation.error();
  }

  private static Deviation projection(AuditSubject subject) {
    CategoricalCritic critic = (CategoricalCritic) subject.own().agent().critic();
    Deviation deviation = new Deviation();
    double[] actual = new double[critic.points()];
    for (double[] particles : particles(subject.own())) {
      double[] masses = new double[particles.length];
      Arrays.fill(masses, 1.0 / particles.length);
      critic.support().project(particles, 0, masses, actual);
      deviation.add(
          actual, subject.own().referenceCritic().project(particles, masses, critic.points()));
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
      double[] first = ReferenceMath.row(all, 0, critic.outputs());
      double[] last = ReferenceMath.row(all, sample.critics() - 1, critic.outputs());
      double distance = reference.mean(last) - reference.mean(first);
      deviation.add(critic.value(all), Math.min(reference.mean(first), reference.mean(last)));
      if (Math.abs(distance) > 1e-9 || sample.critics() == 1) {
        double expected = reference.read(distance < 0 ? last : first).quantile(0.25);
        critic.read(all);
        deviation.require(Math.abs(critic.quantile(0.25) - expected) < 1e-5);
      }
      apart = Math.max(apart, Math.abs(distance));
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
              && !(reference.quantiles() && nearlyTied(reference.points(output.values())))) {
            double[] wanted =
                ReferenceMath.differences(
                    1e-6, output.values(), now -> reference.cvar(now, alpha, method));
            double size = Math.max(LEAST_SLOPE, Deviation.largest(wanted));
            derivatives.add(Deviation.absolute(output.own(slopes), wanted) / size);
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
    Critic critic = sample.agent().critic();
    ReferenceCritic reference = sample.referenceCritic();
    double[] inner = {0.01, 0.05, 0.25, 0.5, 0.77, 0.95, 0.99};
    double[] outer = reference.quantiles() ? new double[] {0, 1e-5, 0.0005, 0.9995, 1} : inner;
    Deviation deviation = new Deviation();
    for (CriticOutput output : SamplePredictions.of(sample).critics(critic.outputs(), 1)) {
      ReferenceDistribution expected = reference.read(output.values());
      critic.read(output.all(), output.offset());
      for (double level : DoubleStream.concat(stream(inner), stream(outer)).toArray()) {
        double unit = Math.max(1, Math.abs(expected.quantile(level)));
        double beside = 0.997 * level + 0.0013; // equal masses of atoms have sums like 0.5
        deviation
            .add(critic.quantile(level), expected.quantile(level), unit)
            .add(critic.draw(beside), expected.draw(beside), unit);
      }
      boolean invertible =
          !reference.quantiles()
              || (critic.points() > 1 && !nearlyTied(reference.points(output.values())));
      for (double level : invertible ? inner : new double[0]) {
        double at = expected.quantile(level);
        boolean inside = reference.quantiles() || !expected.outermost(at);
        deviation.add(inside ? Math.abs(critic.level(at) - level) : 0);
      }
      deviation.add(critic.meanGap(), Math.abs(expected.mean() - expected.unmovedMean()));
    }
    return deviation;
  }

  private static Deviation predictions(AuditSubject subject) {
    SampleRollout sample = subject.own();
    RolloutReplay replay = RolloutReplay.of(subject);
    ActingModel agent = sample.anotherModel(sample.config()).agent();
    RolloutPredictions actual =
        new RolloutPredictor(sample.config(), agent, sample.workers()).predict(sample.rollout(), 0);
    ReferenceCritic reference = sample.referenceCritic();
    Deviation deviation = new Deviation();
    for (int row = 0; row < actual.transitions().length; row++) {
      int at = actual.transitions()[row];
      double[][] critics = replay.critics()[at];
      double lowest = reference.lowestMean(critics);
      double least = Double.POSITIVE_INFINITY;
      for (double[] outputs : critics) {
        if (reference.mean(outputs) - lowest < NETWORK) { // rounding may choose either
          least = Math.min(least, predictionError(actual, row, reference.read(outputs), sample));
        }
      }
      deviation
          .add(actual.values()[row], lowest, 1 + Math.abs(lowest))
          .add(least)
          .add(actual.logProbabilities()[row], replay.logProbabilities()[at], 10);
    }
    double explained = explainedError(sample);
    return deviation
        .require(explained <= 1e-6)
        .note(
            "%d rows; the explained variance is off by %s", actual.transitions().length, explained);
  }

  /** The error of the quantiles, the CVaR and the gap of means that were predicted for a row. */
  private static double predictionError(
      RolloutPredictions actual, int row, ReferenceDistribution expected, SampleRollout sample) {
    RiskConfig risk = sample.config().risk();
    int levels = RolloutPredictions.LEVELS.size();
    double cvar = expected.cvar(risk.alpha(), risk.method());
    double unit = 1 + Math.abs(expected.mean()) + Math.abs(cvar);
    Deviation deviation =
        new Deviation()
            .add(actual.cvars()[row], cvar, unit)
            .add(actual.meanGaps()[row], Math.abs(expected.mean() - expected.unmovedMean()), unit);
    for (int i = 0; i < levels; i++) {
      double quantile = expected.quantile(RolloutPredictions.LEVELS.get(i));
      deviation.add(actual.quantiles()[row * levels + i], quantile, unit);
    }
    return deviation.error();
  }

  /** {@code 1 - Var(y - v) / Var(y)}. */
  private static double explainedError(SampleRollout sample) {
    double[] returns = ReferenceTargets.of(sample).returns();
    double[] values = sample.collected().values();
    double spread = ReferenceMath.deviation(returns, 1);
    OptionalDouble actual = ExplainedVariance.of(returns, values);
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
