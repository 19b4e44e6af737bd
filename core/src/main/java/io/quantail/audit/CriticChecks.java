package io.quantail.audit;

import io.quantail.audit.slow.Numbers;
import io.quantail.audit.slow.SlowCritic;
import io.quantail.audit.slow.SlowRisk;
import io.quantail.config.CriticConfig;
import io.quantail.config.CriticType;
import io.quantail.config.CvarMethod;
import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.config.ValueClipConfig;
import io.quantail.config.ValueClipMode;
import io.quantail.critic.CategoricalCritic;
import io.quantail.critic.ClippedLoss;
import io.quantail.critic.Critic;
import io.quantail.critic.QuantileCritic;
import io.quantail.critic.RiskMath;
import io.quantail.critic.ValueClip;
import io.quantail.ppo.Predictions;
import io.quantail.ppo.Predictor;
import io.quantail.random.RandomStream;
import io.quantail.rollout.Agent;
import io.quantail.rollout.ExplainedVariance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** What critics say of the rollout, and what it costs them. */
final class CriticChecks {
  private static final String TOPIC = "critic";
  private static final double EXACT = 1e-9;
  private static final double SINGLE = 2e-6; // losses are summed in single precision
  private static final double DERIVED = 3e-5; // derivatives are kept in single precision
  private static final double NETWORK = 2e-5; // through a whole network

  private CriticChecks() {}

  static List<AuditCheck> all() {
    return List.of(
        AuditCheck.of(
                TOPIC,
                "quantile-levels",
                "CRIT-1",
                "levels of the quantiles with (i + 0.5) / N",
                CriticChecks::levels)
            .exercising("QuantileCritic"),
        AuditCheck.of(
                TOPIC,
                "loss",
                "CRIT-1 CRIT-2",
                "loss of each sample against its target with the quantile Huber loss, or the"
                    + " cross-entropy with the projected target over ln N",
                CriticChecks::loss)
            .exercising("QuantileCritic CategoricalCritic QuantileLoss Support Decay Huber"),
        AuditCheck.of(
                TOPIC,
                "loss-of-other-sizes",
                "CRIT-1 CRIT-2",
                "loss and derivatives of critics with 5, 8, 24 and the configured number of"
                    + " outputs, targets on both sides within and beyond kappa or the support, with"
                    + " the definition and its differences",
                CriticChecks::sizes)
            .exercising(
                "QuantileCritic CategoricalCritic QuantileLoss Support Decay Huber Lanes Vectors"),
        AuditCheck.of(
                TOPIC,
                "projection",
                "CRIT-2",
                "targets projected onto the atoms with the split between neighbours",
                CriticChecks::projection)
            .exercising("Support CategoricalCritic"),
        AuditCheck.of(
                TOPIC,
                "value-of-twins",
                "TWIN-1",
                "value used for advantages with the lower of the critics' means; heads differ",
                CriticChecks::value)
            .exercising("Critic QuantileCritic CategoricalCritic"),
        AuditCheck.of(
                TOPIC,
                "value-clipping",
                "VFC-1 TWIN-2",
                "larger of free and clipped loss and its derivatives with the formula of every mode"
                    + " and its differences, outputs moved from the stored ones so that the limit"
                    + " binds",
                CriticChecks::clipping)
            .exercising("ValueClip ClippedLoss QuantileCritic CategoricalCritic Support"),
        AuditCheck.of(
                TOPIC,
                "predicted-cvar",
                "CVAR-1",
                "mean of the worst outcomes and its derivatives with a walk over the sorted"
                    + " outcomes and its differences, both methods",
                CriticChecks::cvar)
            .exercising("Cvar QuantileCritic CategoricalCritic"),
        AuditCheck.of(
                TOPIC,
                "quantile-function",
                "CRIT-1 CRIT-2",
                "returns at levels from 0.01 to 0.99 with the line between the middles of the"
                    + " outcomes",
                CriticChecks::quantiles)
            .exercising("QuantileCritic CategoricalCritic"),
        AuditCheck.of(
                TOPIC,
                "predictions",
                "CVAR-1 TWIN-1",
                "values, tails, quantiles and log-probabilities that are predicted after an"
                    + " update, and the explained variance, with the reference network",
                CriticChecks::predictions)
            .exercising("Predictor ExplainedVariance WeightedMoments Critic"),
        AuditCheck.of(
                TOPIC,
                "empirical-cvar",
                "CVAR-5",
                "CVaR of rewards and returns with the mean of the lowest ceil(alpha n)",
                CriticChecks::empirical)
            .exercising("RiskMath Percentiles"));
  }

  private static double[] targets(Sample sample) {
    double[] targets = ReferenceTargets.of(sample).targets().clone();
    targets[0] += 3; // beyond every kappa and between atoms
    targets[1] -= 100; // beyond every support
    return targets;
  }

  private static Outcome levels(AuditSubject subject) {
    if (!(subject.own().agent().critic() instanceof QuantileCritic critic)) {
      return Outcome.skipped("critic.type is categorical");
    }
    double[] expected = new double[critic.outputs()];
    Arrays.setAll(expected, i -> (2 * i + 1) / (2.0 * expected.length));
    return Outcome.error(
        Deviation.absolute(critic.levels(), expected), 1e-15, "quantiles stand at other levels");
  }

  private static Outcome loss(AuditSubject subject) {
    Sample sample = subject.own();
    double[] targets = targets(sample);
    SamplePredictions predictions = SamplePredictions.of(sample);
    Critic critic = sample.agent().critic();
    int width = critic.outputs();
    List<Double> actual = new ArrayList<>();
    List<Double> expected = new ArrayList<>();
    float[] gradient = new float[sample.critics() * width];
    for (int row = 0; row < predictions.rows(); row++) {
      float target = (float) targets[predictions.transition(row)];
      for (int one = 0; one < sample.critics(); one++) {
        actual.add(critic.loss(predictions.values(row), one * width, target, 1, gradient));
        expected.add(sample.slowCritic().loss(predictions.values(row, one, width), target));
      }
    }
    return Outcome.error(
        Deviation.relative(array(actual), array(expected)),
        SINGLE,
        "critics learn another distribution than that of returns");
  }

  private static Outcome sizes(AuditSubject subject) {
    CriticConfig configured = subject.own().config().critic();
    RandomStream random = RandomStream.of(subject.config().seed(), "audit/sizes", 0);
    boolean quantiles = configured.type() == CriticType.QUANTILE;
    double reach = quantiles ? 4 * configured.huberKappa() : 1.5 * configured.support();
    double worst = 0;
    for (int size : new int[] {5, 8, 24, subject.own().agent().critic().outputs()}) {
      RunConfig changed =
          SampleSettings.with(
              subject.own().config(), "critic.quantiles=" + size, "critic.atoms=" + size);
      Critic critic = Critic.of(changed.critic());
      SlowCritic slow = new SlowCritic(changed.critic());
      for (int i = 0; i < 40; i++) {
        float[] both = new float[2 * size]; // of which the second half is looked at
        for (int k = 0; k < both.length; k++) {
          both[k] = (float) (0.5 * reach * random.nextGaussian() / (quantiles ? 1 : reach));
        }
        float target = (float) random.nextDouble(-reach, reach);
        double[] outputs = Arrays.copyOfRange(Numbers.doubles(both), size, 2 * size);
        float[] slopes = new float[2 * size];
        double value = critic.loss(both, size, target, 1.5, slopes);
        double expected = slow.loss(outputs, target);
        double[] actual = Arrays.copyOfRange(Numbers.doubles(slopes), size, 2 * size);
        double[] wanted = Numbers.differences(1e-6, outputs, now -> 1.5 * slow.loss(now, target));
        worst = Math.max(worst, Math.abs(value - expected) / Math.max(0.1, expected));
        worst = Math.max(worst, Deviation.relative(actual, wanted));
      }
    }
    return Outcome.error(worst, 2e-6, "the sizes that fill vector loops, or those that do not");
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static Outcome projection(AuditSubject subject) {
    Sample sample = subject.own();
    if (!(sample.agent().critic() instanceof CategoricalCritic critic)) {
      return Outcome.skipped("critic.type is quantile");
    }
    double worst = 0;
    double[] actual = new double[critic.outputs()];
    for (double target : targets(sample)) {
      critic.support().project(new double[] {target}, 0, new double[] {1}, actual);
      double[] expected =
          sample.slowCritic().project(new double[] {target}, new double[] {1}, critic.outputs());
      worst = Math.max(worst, Deviation.absolute(actual, expected));
    }
    return Outcome.error(worst, EXACT, "targets land on the wrong atoms");
  }

  private static Outcome value(AuditSubject subject) {
    Sample sample = subject.own();
    SamplePredictions predictions = SamplePredictions.of(sample);
    Critic critic = sample.agent().critic();
    double[] actual = new double[predictions.rows()];
    double[] expected = new double[predictions.rows()];
    double apart = 0;
    for (int row = 0; row < actual.length; row++) {
      double lowest = Double.POSITIVE_INFINITY;
      for (int one = 0; one < sample.critics(); one++) {
        double mean = sample.slowCritic().mean(predictions.values(row, one, critic.outputs()));
        apart = one == 0 ? apart : Math.max(apart, Math.abs(mean - lowest));
        lowest = Math.min(lowest, mean);
      }
      actual[row] = critic.value(predictions.values(row));
      expected[row] = lowest;
    }
    double error = Deviation.absolute(actual, expected);
    return Outcome.of(
        error <= EXACT && (sample.critics() == 1 || apart > 0),
        Outcome.number(error),
        "<= 1e-9",
        sample.critics() == 1
            ? "a single critic"
            : "the twins are up to %s apart".formatted(Outcome.number(apart)));
  }

  private static Outcome clipping(AuditSubject subject) {
    Sample sample = subject.own();
    ValueClipConfig configured = sample.config().critic().clip();
    RandomStream random = RandomStream.of(sample.config().seed(), "audit/clip", 0);
    double worst = 0;
    List<String> notes = new ArrayList<>();
    boolean bound = true;
    for (ValueClipMode mode : ValueClipMode.values()) {
      boolean quantiles = sample.config().critic().type() == CriticType.QUANTILE;
      if (mode == ValueClipMode.DISABLE || !quantiles && mode != ValueClipMode.MEAN_ONLY) {
        continue;
      }
      ValueClipConfig clip =
          new ValueClipConfig(mode, configured.range(), configured.varianceFactor(), 0, null);
      Clipped result = clipped(sample, clip, random);
      worst = Math.max(worst, result.error);
      bound &= result.binding > 0 && result.binding < 1;
      notes.add(
          "%s %s, binds %s"
              .formatted(
                  mode.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                  Outcome.number(result.error),
                  Outcome.number(result.binding)));
    }
    return Outcome.of(
        worst <= DERIVED && bound,
        Outcome.number(worst),
        "<= " + Outcome.number(DERIVED),
        (configured.enabled() ? "" : "critic.clip.mode is disable; ") + String.join("; ", notes));
  }

  /** How far loss and derivatives are off, and how often the clipped loss is the larger. */
  private record Clipped(double error, double binding) {}

  private static Clipped clipped(Sample sample, ValueClipConfig clip, RandomStream random) {
    SamplePredictions predictions = SamplePredictions.of(sample);
    double[] targets = targets(sample);
    Critic critic = sample.agent().critic();
    SlowCritic slow = sample.slowCritic();
    int width = critic.outputs();
    ClippedLoss loss =
        new ClippedLoss(new ValueClip(clip.mode(), clip.range(), clip.varianceFactor()), critic);
    double worst = 0;
    int stride = Math.max(1, predictions.rows() * width / 2000);
    for (int row = 0; row < predictions.rows(); row += stride) {
      for (int one = 0; one < sample.critics(); one++) {
        float[] old = predictions.values(row);
        double[] before = predictions.values(row, one, width);
        float[] now = moved(sample, old, one * width, random);
        boolean wellMoved = row / stride % 3 == 0; // towards the target: the clipped loss is larger
        double target =
            (float)
                (wellMoved
                    ? slow.mean(Numbers.doubles(now))
                    : targets[predictions.transition(row)]);
        float[] slopes = new float[width];
        double actual = loss.evaluate(now, 0, old, one * width, (float) target, 1, slopes);
        double[] outputs = Numbers.doubles(now);
        double expected = slow.clippedLoss(outputs, before, target, clip);
        double[] wanted =
            Numbers.differences(1e-6, outputs, q -> slow.clippedLoss(q, before, target, clip));
        worst = Math.max(worst, Math.abs(actual - expected) / Math.max(0.1, expected));
        double size = Math.max(1e-3, Arrays.stream(wanted).map(Math::abs).max().orElseThrow());
        double off = Deviation.absolute(Numbers.doubles(slopes), wanted) / size;
        worst = Math.max(worst, alike(slow, outputs, before, target, clip) ? 0 : off);
      }
    }
    return new Clipped(worst, loss.reading().binding());
  }

  /** Where the two losses are alike, rounding decides which of them is differentiated. */
  private static boolean alike(
      SlowCritic slow, double[] outputs, double[] old, double target, ValueClipConfig clip) {
    double free = slow.loss(outputs, target);
    double limited = slow.loss(slow.clip(outputs, old, clip), target);
    return free != limited && Math.abs(free - limited) < 1e-4 * free;
  }

  /** Quantiles that stand elsewhere and wider, or logits that lean to one side. */
  private static float[] moved(Sample sample, float[] outputs, int offset, RandomStream random) {
    double shift = 2 * sample.config().critic().clip().range() * random.nextGaussian();
    double lean = 3 * random.nextGaussian();
    double stretch = 1 + 2 * random.nextDouble();
    boolean quantiles = sample.slowCritic().quantiles();
    int width = sample.agent().critic().outputs();
    float[] moved = new float[width];
    for (int i = 0; i < width; i++) {
      double added = quantiles ? shift : lean * (2.0 * i / Math.max(1, width - 1) - 1);
      moved[i] = (float) (stretch * outputs[offset + i] + added);
    }
    return moved;
  }

  private static Outcome cvar(AuditSubject subject) {
    Sample sample = subject.own();
    SamplePredictions predictions = SamplePredictions.of(sample);
    Critic critic = sample.agent().critic();
    SlowCritic slow = sample.slowCritic();
    int width = critic.outputs();
    double values = 0;
    double derivatives = 0;
    int stride = Math.max(1, predictions.rows() / 20);
    for (double alpha : new double[] {sample.config().risk().alpha(), 0.001, 0.3, 1}) {
      for (CvarMethod method : CvarMethod.values()) {
        for (int row = 0; row < predictions.rows(); row++) {
          for (int one = 0; one < sample.critics(); one++) {
            double[] outputs = predictions.values(row, one, width);
            double expected = slow.cvar(outputs, alpha, method);
            float[] slopes = new float[sample.critics() * width];
            critic.read(predictions.values(row), one * width);
            double read = critic.cvar(alpha, method);
            double derived =
                critic.cvar(predictions.values(row), one * width, alpha, method, slopes);
            double unit = Math.max(1, Math.abs(expected));
            values = Math.max(values, Math.abs(read - expected) / unit);
            values = Math.max(values, Math.abs(derived - expected) / unit);
            if (row % stride == 0 && !(slow.quantiles() && nearlyTied(outputs))) {
              double[] actual =
                  Arrays.copyOfRange(Numbers.doubles(slopes), one * width, (one + 1) * width);
              double[] wanted =
                  Numbers.differences(1e-6, outputs, now -> slow.cvar(now, alpha, method));
              derivatives = Math.max(derivatives, Deviation.relative(actual, wanted));
            }
          }
        }
      }
    }
    return Outcome.of(
        values <= 1e-8 && derivatives <= DERIVED,
        Outcome.number(Math.max(values, derivatives)),
        "<= " + Outcome.number(DERIVED),
        "the tail is off by %s, its derivatives by %s"
            .formatted(Outcome.number(values), Outcome.number(derivatives)));
  }

  /** Where two outcomes change places, the tail has a kink. */
  private static boolean nearlyTied(double[] outputs) {
    double[] sorted = outputs.clone();
    Arrays.sort(sorted);
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] - sorted[i - 1] < 1e-5) {
        return true;
      }
    }
    return false;
  }

  private static Outcome quantiles(AuditSubject subject) {
    Sample sample = subject.own();
    SamplePredictions predictions = SamplePredictions.of(sample);
    Critic critic = sample.agent().critic();
    double worst = 0;
    for (int row = 0; row < predictions.rows(); row++) {
      double[] outputs = predictions.values(row, 0, critic.outputs());
      critic.read(predictions.values(row), 0);
      for (double level : new double[] {0.01, 0.05, 0.25, 0.5, 0.77, 0.95, 0.99}) {
        double expected = sample.slowCritic().quantile(outputs, level);
        double unit = Math.max(1, Math.abs(expected));
        worst = Math.max(worst, Math.abs(critic.quantile(level) - expected) / unit);
      }
    }
    return Outcome.error(worst, 1e-6, "forecasts are read off the wrong places");
  }

  private static Outcome predictions(AuditSubject subject) {
    Sample sample = subject.own();
    Replay replay = subject.shared("replay", () -> Replay.of(sample));
    Agent agent = sample.anotherModel(sample.config()).agent();
    Predictions actual =
        new Predictor(sample.config(), agent, sample.workers()).predict(sample.rollout(), 0);
    SlowCritic slow = sample.slowCritic();
    RiskConfig risk = sample.config().risk();
    double worst = 0;
    int levels = Predictions.LEVELS.size();
    for (int row = 0; row < actual.transitions().length; row++) {
      int at = actual.transitions()[row];
      double[][] critics = replay.critics()[at];
      double cvar = 0;
      double[] quantiles = new double[levels];
      double lowest = Double.POSITIVE_INFINITY;
      for (double[] outputs : critics) {
        lowest = Math.min(lowest, slow.mean(outputs));
        cvar += slow.cvar(outputs, risk.alpha(), risk.method()) / critics.length;
        for (int i = 0; i < levels; i++) {
          double level = Predictions.LEVELS.get(i);
          quantiles[i] += slow.quantile(outputs, level) / critics.length;
        }
      }
      double unit = 1 + Math.abs(lowest) + Math.abs(cvar);
      worst = Math.max(worst, Math.abs(actual.values()[row] - lowest) / unit);
      worst = Math.max(worst, Math.abs(actual.cvars()[row] - cvar) / unit);
      double[] read = Arrays.copyOfRange(actual.quantiles(), row * levels, (row + 1) * levels);
      worst = Math.max(worst, Deviation.absolute(read, quantiles) / unit);
      double log = replay.logProbabilities()[at];
      worst = Math.max(worst, Math.abs(actual.logProbabilities()[row] - log) / 10);
    }
    double explained = explainedError(sample);
    return Outcome.of(
        worst <= NETWORK && explained <= 1e-6,
        Outcome.number(worst),
        "<= " + Outcome.number(NETWORK),
        "%d rows; the explained variance is off by %s"
            .formatted(actual.transitions().length, Outcome.number(explained)));
  }

  /** {@code 1 - Var(y - v) / Var(y)}. */
  private static double explainedError(Sample sample) {
    double[] returns = ReferenceTargets.of(sample).returns();
    double[] values = sample.collected().values();
    double[] errors = new double[returns.length];
    Arrays.setAll(errors, i -> returns[i] - values[i]);
    double spread = Numbers.deviation(returns, 1);
    OptionalDouble actual = ExplainedVariance.sampled(returns, returns, values);
    if (spread < 1e-9 || actual.isEmpty()) {
      return spread < 1e-9 ? 0 : Double.POSITIVE_INFINITY;
    }
    double expected = 1 - Math.pow(Numbers.deviation(errors, 1) / spread, 2);
    return Math.abs(actual.getAsDouble() - expected) / Math.max(1, Math.abs(expected));
  }

  private static Outcome empirical(AuditSubject subject) {
    Sample sample = subject.own();
    double winsor = sample.config().risk().winsor();
    double[] returns = ReferenceTargets.of(sample).returns();
    double worst = 0;
    for (double[] samples : List.of(sample.collected().rewards(), returns)) {
      for (double alpha : new double[] {sample.config().risk().alpha(), 0.2, 1}) {
        double[] actual = {RiskMath.empirical(samples, alpha, winsor).cvar()};
        double[] expected = {SlowRisk.empirical(samples, alpha, winsor)};
        worst = Math.max(worst, Deviation.relative(actual, expected));
      }
    }
    return Outcome.error(worst, EXACT, "the wrong end, or the wrong share, of the outcomes");
  }
}
