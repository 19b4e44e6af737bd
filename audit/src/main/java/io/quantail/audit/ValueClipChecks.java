package io.quantail.audit;

import io.quantail.audit.SamplePredictions.CriticOutput;
import io.quantail.audit.reference.ReferenceCritic;
import io.quantail.audit.reference.ReferenceMath;
import io.quantail.config.CriticConfig;
import io.quantail.config.SettingNames;
import io.quantail.random.RandomStream;
import io.quantail.value.ClippedLoss;
import io.quantail.value.Critic;
import io.quantail.value.ValueClip;

/** The clipped loss of critics, in every mode of value clipping that the critic supports. */
final class ValueClipChecks {
  /** Least distance of particles from quantiles, more than differences move them. */
  private static final double DISTANCE = 1e-4;

  private ValueClipChecks() {}

  static Deviation clipping(AuditSubject subject) {
    SampleRollout sample = subject.own();
    CriticConfig.Clip configured = sample.config().critic().clip();
    RandomStream random = RandomStream.of(sample.config().seed(), "audit/clip", 0);
    Deviation deviation = new Deviation();
    if (!configured.enabled()) {
      deviation.note("critic.clip.mode is disable");
    }
    boolean quantiles = sample.config().critic().type() == CriticConfig.Type.QUANTILE;
    for (CriticConfig.ClipMode mode : CriticConfig.ClipMode.values()) {
      if (mode == CriticConfig.ClipMode.DISABLE
          || (!quantiles && mode != CriticConfig.ClipMode.MEAN_ONLY)) {
        continue;
      }
      CriticConfig.Clip clip =
          new CriticConfig.Clip(mode, configured.range(), configured.varianceFactor(), 0, null);
      Clipped result = clipped(sample, clip, random);
      deviation
          .add(result.error)
          .require(result.binding > 0 && result.binding < 1)
          .note("%s %s, binds %s", SettingNames.written(mode), result.error, result.binding);
    }
    return deviation;
  }

  /**
   * The error of loss and derivatives, and the fraction of samples whose clipped loss is larger.
   */
  private record Clipped(double error, double binding) {}

  private static Clipped clipped(
      SampleRollout sample, CriticConfig.Clip clip, RandomStream random) {
    SamplePredictions predictions = SamplePredictions.of(sample);
    double[][] all = CriticChecks.particles(sample);
    Critic critic = sample.agent().critic();
    ReferenceCritic reference = sample.referenceCritic();
    int width = critic.outputs();
    ClippedLoss loss =
        new ClippedLoss(new ValueClip(clip.mode(), clip.range(), clip.varianceFactor()), critic);
    Deviation deviation = new Deviation();
    int stride = Math.max(1, predictions.rows() * width / 2000);
    for (CriticOutput old : predictions.critics(width, stride)) {
      float[] now = moved(sample, old, random);
      double[] outputs = ReferenceMath.doubles(now);
      double[] points = reference.points(outputs);
      double[] limited = reference.clip(points, reference.points(old.values()), clip);
      double[] particles = all[old.transition()];
      if (old.row() / stride % 3 == 0) { // towards them, so that the clipped loss is larger
        particles =
            CriticChecks.moved(particles, reference.centre(points) - ReferenceMath.mean(particles));
      }
      double[] targets = reference.separated(particles, DISTANCE, points, limited);
      float[] slopes = new float[width];
      double actual =
          loss.evaluate(
              now,
              0,
              old.all(),
              old.offset(),
              ReferenceMath.floats(targets),
              0,
              targets.length,
              1,
              slopes);
      double expected = reference.clippedLoss(outputs, old.values(), targets, clip);
      deviation.add(actual, expected, Math.max(0.1, expected));
      if (!nearlyEqual(
          reference.pointLoss(points, targets), reference.pointLoss(limited, targets))) {
        double[] wanted =
            ReferenceMath.differences(
                1e-6, outputs, q -> reference.clippedLoss(q, old.values(), targets, clip));
        double size = Math.max(1e-3, Deviation.largest(wanted));
        deviation.add(Deviation.absolute(ReferenceMath.doubles(slopes), wanted) / size);
      }
    }
    return new Clipped(deviation.error(), loss.reading().binding());
  }

  /** Whether the two losses are so close that rounding decides which one is differentiated. */
  private static boolean nearlyEqual(double free, double limited) {
    return free != limited && Math.abs(free - limited) < 1e-4 * free;
  }

  /** Shifted and stretched quantiles, or flattened logits, tilted to move their mean as far. */
  private static float[] moved(SampleRollout sample, CriticOutput old, RandomStream random) {
    CriticConfig config = sample.config().critic();
    double shift = 2 * config.clip().range() * random.nextGaussian();
    boolean quantiles = sample.referenceCritic().quantiles();
    double stretch = quantiles ? 1 + 2 * random.nextDouble() : 0.3 + 0.7 * random.nextDouble();
    int width = old.values().length;
    float[] moved = new float[width];
    for (int i = 0; i < width; i++) {
      double atom = config.support() * (2.0 * i / Math.max(1, width - 1) - 1);
      double added = quantiles ? shift : shift * atom;
      moved[i] = (float) (stretch * old.all()[old.offset() + i] + added);
    }
    return moved;
  }
}
