package io.quantail.audit;

import io.quantail.audit.slow.Numbers;
import io.quantail.audit.slow.SlowEstimates;
import io.quantail.audit.slow.SlowRisk;
import io.quantail.config.CriticType;
import io.quantail.config.CvarMethod;
import io.quantail.config.ValueClipConfig;
import io.quantail.config.ValueClipMode;
import io.quantail.critic.CategoricalCritic;
import io.quantail.critic.ClippedLoss;
import io.quantail.critic.Critic;
import io.quantail.critic.QuantileCritic;
import io.quantail.critic.RiskMath;
import io.quantail.critic.ValueClip;
import io.quantail.random.RandomStream;
import io.quantail.rollout.Gae;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What critics say of the rollout, and what it costs them. */
final class CriticChecks {
  private static final String TOPIC = "critic";
  private static final double EXACT = 1e-9;
  private static final double SINGLE = 1e-5; // losses are summed in single precision

  private CriticChecks() {}

  static List<AuditCheck> all() {
    return List.of(
        AuditCheck.of(
            TOPIC,
            "quantile-levels",
            "CRIT-1",
            "levels of the quantiles with (i + 0.5) / N",
            CriticChecks::levels),
        AuditCheck.of(
            TOPIC,
            "loss",
            "CRIT-1 CRIT-2",
            "loss of each sample against its target with the quantile Huber loss, or the"
                + " cross-entropy with the projected target over ln N",
            CriticChecks::loss),
        AuditCheck.of(
            TOPIC,
            "projection",
            "CRIT-2",
            "targets projected onto the atoms with the split between neighbours",
            CriticChecks::projection),
        AuditCheck.of(
            TOPIC,
            "value-of-twins",
            "TWIN-1",
            "value used for advantages with the lower of the critics' means; heads differ",
            CriticChecks::value),
        AuditCheck.of(
            TOPIC,
            "value-clipping",
            "VFC-1 TWIN-2",
            "larger of free and clipped loss with the formula of every mode, outputs moved"
                + " from the stored ones",
            CriticChecks::clipping),
        AuditCheck.of(
            TOPIC,
            "predicted-cvar",
            "CVAR-1",
            "mean of the worst outcomes with a walk over the sorted outcomes, both methods",
            CriticChecks::cvar),
        AuditCheck.of(
            TOPIC,
            "empirical-cvar",
            "CVAR-5",
            "CVaR of rewards and returns with the mean of the lowest ceil(alpha n)",
            CriticChecks::empirical));
  }

  private static double[] targets(Sample sample) {
    double[] returns = Gae.compute(sample.collected()).returns();
    double[] targets = SlowEstimates.targets(returns, sample.scale());
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
    Predictions predictions = Predictions.of(sample);
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
    Predictions predictions = Predictions.of(sample);
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
    for (ValueClipMode mode : ValueClipMode.values()) {
      boolean quantiles = sample.config().critic().type() == CriticType.QUANTILE;
      if (mode == ValueClipMode.DISABLE || !quantiles && mode != ValueClipMode.MEAN_ONLY) {
        continue;
      }
      worst =
          Math.max(
              worst,
              clipError(
                  sample,
                  new ValueClipConfig(
                      mode, configured.range(), configured.varianceFactor(), 0, null),
                  random));
    }
    return Outcome.noted(
        worst,
        SINGLE,
        configured.enabled()
            ? "critic.clip.mode is " + configured.mode().name().toLowerCase(Locale.ROOT)
            : "critic.clip.mode is disable: nothing is clipped in this run");
  }

  private static double clipError(Sample sample, ValueClipConfig clip, RandomStream random) {
    Predictions predictions = Predictions.of(sample);
    double[] targets = targets(sample);
    Critic critic = sample.agent().critic();
    int width = critic.outputs();
    ClippedLoss loss =
        new ClippedLoss(new ValueClip(clip.mode(), clip.range(), clip.varianceFactor()), critic);
    List<Double> actual = new ArrayList<>();
    List<Double> expected = new ArrayList<>();
    float[] gradient = new float[width];
    for (int row = 0; row < predictions.rows(); row++) {
      float target = (float) targets[predictions.transition(row)];
      for (int one = 0; one < sample.critics(); one++) {
        float[] old = predictions.values(row);
        float[] now = moved(old, one * width, width, clip.range(), random);
        actual.add(loss.evaluate(now, 0, old, one * width, target, 1, gradient));
        expected.add(
            sample
                .slowCritic()
                .clippedLoss(
                    Numbers.doubles(now), predictions.values(row, one, width), target, clip));
      }
    }
    return Deviation.relative(array(actual), array(expected));
  }

  private static float[] moved(
      float[] outputs, int offset, int width, double range, RandomStream random) {
    double shift = 2 * range * random.nextGaussian();
    double stretch = 1 + 2 * random.nextDouble();
    float[] moved = new float[width];
    for (int i = 0; i < width; i++) {
      moved[i] = (float) (stretch * outputs[offset + i] + shift);
    }
    return moved;
  }

  private static Outcome cvar(AuditSubject subject) {
    Sample sample = subject.own();
    Predictions predictions = Predictions.of(sample);
    Critic critic = sample.agent().critic();
    int width = critic.outputs();
    float[] slopes = new float[sample.critics() * width];
    List<Double> actual = new ArrayList<>();
    List<Double> expected = new ArrayList<>();
    for (double alpha : new double[] {sample.config().risk().alpha(), 0.001, 0.3, 1}) {
      for (CvarMethod method : CvarMethod.values()) {
        for (int row = 0; row < predictions.rows(); row++) {
          for (int one = 0; one < sample.critics(); one++) {
            double[] outputs = predictions.values(row, one, width);
            critic.read(predictions.values(row), one * width);
            actual.add(critic.cvar(alpha, method));
            expected.add(sample.slowCritic().cvar(outputs, alpha, method));
            actual.add(critic.cvar(predictions.values(row), one * width, alpha, method, slopes));
            expected.add(sample.slowCritic().cvar(outputs, alpha, method));
          }
        }
      }
    }
    return Outcome.error(
        Deviation.relative(array(actual), array(expected)),
        1e-8,
        "the tail that is limited is not the tail that is meant");
  }

  private static Outcome empirical(AuditSubject subject) {
    Sample sample = subject.own();
    double winsor = sample.config().risk().winsor();
    double[] returns = Gae.compute(sample.collected()).returns();
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
