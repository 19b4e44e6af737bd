package io.quantail.audit;

import static io.quantail.audit.AuditCheck.check;

import io.quantail.audit.reference.ReferenceMath;
import io.quantail.audit.reference.ReferenceOptimizer;
import io.quantail.audit.reference.ReferenceSchedules;
import io.quantail.audit.reference.ReferenceVarianceScaler;
import io.quantail.config.CoefficientSchedule;
import io.quantail.config.OptimizerConfig;
import io.quantail.config.PpoConfig;
import io.quantail.config.SettingNames;
import io.quantail.optim.GradientNormClip;
import io.quantail.optim.LearningRateBounds;
import io.quantail.optim.LearningRateSchedule;
import io.quantail.optim.Optimizer;
import io.quantail.optim.VarianceGradientScaler;
import io.quantail.ppo.ClipRangeSchedule;
import io.quantail.ppo.CloningSchedule;
import io.quantail.ppo.EntropySchedule;
import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.List;

/** Optimiser steps and schedules. */
final class OptimizerChecks {
  private static final int STEPS = 6;
  private static final double EXACT = 1e-12;

  private OptimizerChecks() {}

  static List<AuditCheck> all() {
    return AuditCheck.topic(
        "optimiser",
        check("optimiser-steps", "OPT-1 OPT-2", 5e-5, OptimizerChecks::steps)
            .compares(
                "six steps of the configured optimiser on the parameters of the agent with its"
                    + " formulas in double precision")
            .exercises(
                "Optimizer Adam Sgd Upgd UpgdKernel UtilityGate ParameterNoise FloatVectors"
                    + " ChunkedRange"),
        check("variance-gradient-scaling", "VGS-1", 1e-5, OptimizerChecks::scaler)
            .compares(
                "factors over twelve gradients with explicitly weighted means, for every measure")
            .exercises("VarianceGradientScaler GradientNoise FloatVectors"),
        check("norm-limit", "GRAD-1", 0, OptimizerChecks::clip)
            .compares("norm after clipping with the limit, for norms from 1e-6 to 1e6")
            .exercises("GradientNormClip"),
        check("learning-rate-schedule", "LR-1", EXACT, OptimizerChecks::learningRate)
            .compares(
                "learning rate at 101 points of the run with the schedule's formula and bounds")
            .exercises("LearningRateSchedule LearningRateBounds CoefficientSchedule"),
        check("coefficient-schedules", "POL-4 ENT-1 AWR-1", EXACT, OptimizerChecks::coefficients)
            .compares(
                "clip range and the coefficients of entropy, cloning, critic and risk penalty over"
                    + " the run with their formulas")
            .exercises("CoefficientSchedule ClipRangeSchedule EntropySchedule CloningSchedule")
            .failureMeans("a coefficient does not follow its settings"),
        check("value-clip-gate", "VFC-1", 2e-5, OptimizerChecks::gate)
            .compares(
                "gradient of an update within the warm-up of value clipping with that of unclipped"
                    + " critics, and of one after it with that of clipped critics")
            .exercises("ValueClipGate UpdateController PpoLoss")
            .unless(
                subject -> !subject.config().critic().clip().enabled(),
                "critic.clip.mode is disable"));
  }

  private static double[] noise(RandomStream random, int count, double mean, double size) {
    double[] values = ReferenceMath.gaussian(random, count);
    Arrays.setAll(values, i -> (float) ((float) (size * values[i]) + mean));
    return values;
  }

  private static Deviation steps(AuditSubject subject) {
    SampleRollout sample = subject.own();
    OptimizerConfig config = sample.config().optimizer();
    long seed = sample.config().seed();
    double[] start = sample.parameters();
    double[] expected = start.clone();
    ReferenceOptimizer reference = new ReferenceOptimizer(config, sample.slots(), seed);
    RandomStream random = RandomStream.of(seed, "audit/optimiser", 0);
    // Large, so that rounding to single precision does not hide a wrong step.
    double rate = reference.scaleFree() ? 0.01 : 1;
    float[] values = ReferenceMath.floats(start);
    Optimizer optimizer = Optimizer.create(config, sample.slots(), seed);
    for (int step = 0; step < STEPS; step++) {
      double[] gradient = noise(random, start.length, 0, 0.01 * (step + 1));
      optimizer.step(values, ReferenceMath.floats(gradient), rate);
      reference.step(expected, gradient, rate);
    }
    double[] change = ReferenceMath.minus(ReferenceMath.doubles(values), start);
    return Deviation.of(Deviation.ofNorms(change, ReferenceMath.minus(expected, start)))
        .note(
            "%s: relative difference of all changes together", SettingNames.written(config.name()));
  }

  private static Deviation scaler(AuditSubject subject) {
    OptimizerConfig.Vgs configured = subject.tiny().config().optimizer().vgs();
    int count = 200;
    Deviation deviation = new Deviation();
    double lowest = 1;
    for (OptimizerConfig.VgsMeasure measure : OptimizerConfig.VgsMeasure.values()) {
      OptimizerConfig.Vgs config =
          SampleConfig.with(
                  subject.tiny().config(),
                  "optimizer.vgs.enabled=true",
                  "optimizer.vgs.measure=" + SettingNames.written(measure))
              .optimizer()
              .vgs();
      RandomStream random = RandomStream.of(subject.config().seed(), "audit/vgs", 0);
      ReferenceVarianceScaler reference = new ReferenceVarianceScaler(config);
      VarianceGradientScaler scaler = new VarianceGradientScaler(config, count);
      for (int step = 0; step < 12; step++) {
        double factor = scaler.factor();
        deviation.add(factor, reference.factor());
        lowest = measure == configured.measure() ? Math.min(lowest, factor) : lowest;
        double[] gradient = noise(random, count, 0.005, 0.01);
        scaler.add(ReferenceMath.floats(gradient));
        reference.add(gradient);
      }
    }
    return subject.config().optimizer().vgs().enabled()
        ? deviation.note("the lowest factor was %s", lowest)
        : deviation.note("optimizer.vgs.enabled is false, so it has no effect here");
  }

  private static Deviation clip(AuditSubject subject) {
    Double limit = subject.config().optimizer().maxGradientNorm();
    GradientNormClip clip = GradientNormClip.of(limit);
    double most = limit <= 0 ? Double.POSITIVE_INFINITY : limit;
    Deviation deviation = new Deviation();
    for (double norm = 1e-6; norm < 1e6; norm *= 1.7) {
      double after = norm * clip.coefficient(norm);
      double allowed = Math.min(norm, most);
      boolean needless = norm < 0.99 * most && after != norm;
      deviation.add(needless ? Double.POSITIVE_INFINITY : (after - allowed) / allowed);
    }
    return limit <= 0
        ? deviation.note("clipping is off")
        : deviation.note("optimizer.maxGradientNorm is %s", limit);
  }

  private static Deviation learningRate(AuditSubject subject) {
    OptimizerConfig config = subject.config().optimizer();
    String name = SettingNames.written(config.schedule());
    LearningRateSchedule schedule =
        LearningRateSchedule.named(name, config.learningRate(), config.minLearningRate());
    LearningRateBounds bounds =
        new LearningRateBounds(config.minLearningRate(), config.maxLearningRate());
    Deviation deviation = new Deviation();
    for (int i = 0; i <= 100; i++) {
      double actual = bounds.apply(schedule.rate(i / 100.0)).rate();
      double expected = ReferenceSchedules.learningRate(config, i / 100.0);
      deviation.add(actual, expected, config.learningRate());
    }
    return deviation.note("schedule %s", name);
  }

  private static Deviation gate(AuditSubject subject) {
    double waiting = gateError(subject.tiny(), 2);
    double open = gateError(subject.tiny(), 0);
    return Deviation.of(Math.max(waiting, open))
        .note("within the warm-up %s, after it %s", waiting, open);
  }

  private static double gateError(SampleRollout sample, int warmup) {
    UpdateProbe probe =
        UpdateProbe.moved(
            sample, UpdateProbe.plainStep(sample, "critic.clip.warmupUpdates=" + warmup));
    RandomStream random = RandomStream.of(sample.config().seed(), "audit/gate", 0);
    return probe.errorAlong(probe.update().gradient(), random, 4, 1e-5);
  }

  private static Deviation coefficients(AuditSubject subject) {
    PpoConfig config = subject.config().ppo();
    CoefficientSchedule critic = subject.config().critic().coefficient();
    CoefficientSchedule penalty = subject.config().risk().penalty().weight();
    Deviation deviation = new Deviation();
    for (long i = 0; i < 300; i += 1 + i / 20) {
      double progress = i / 300.0;
      deviation
          .add(clipRange(config, progress).at(i), ReferenceSchedules.clipRange(config, i, progress))
          .add(
              entropy(config.entropy(), progress).at(i, 5).effective(),
              ReferenceSchedules.entropy(config.entropy(), i, 5, progress))
          .add(
              cloning(config.cloning(), progress).at(1000 * i),
              ReferenceSchedules.cloning(config.cloning(), 1000 * i, progress))
          .add(critic.at(progress), ReferenceSchedules.value(critic, progress))
          .add(penalty.at(progress), ReferenceSchedules.value(penalty, progress));
    }
    return deviation;
  }

  private static ClipRangeSchedule clipRange(PpoConfig config, double progress) {
    return new ClipRangeSchedule(
        config.clipRange().at(progress), config.clipRangeWarmup(), config.clipRangeWarmupUpdates());
  }

  private static EntropySchedule entropy(PpoConfig.Entropy config, double progress) {
    double first = config.coefficient().at(progress);
    return new EntropySchedule(
        first,
        config.finalCoefficient() == null ? first : config.finalCoefficient(),
        config.minimum(),
        config.decayUpdates());
  }

  private static CloningSchedule cloning(PpoConfig.Cloning config, double progress) {
    return new CloningSchedule(
        config.coefficient().at(progress),
        config.finalCoefficient(),
        config.warmupSteps(),
        config.decaySteps());
  }
}
