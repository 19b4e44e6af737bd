package io.quantail.audit;

import io.quantail.audit.slow.Numbers;
import io.quantail.audit.slow.SlowLoss;
import io.quantail.audit.slow.SlowOptimizer;
import io.quantail.audit.slow.SlowScaler;
import io.quantail.audit.slow.SlowSchedules;
import io.quantail.config.EntropyConfig;
import io.quantail.config.Names;
import io.quantail.config.OptimizerConfig;
import io.quantail.config.PpoConfig;
import io.quantail.config.VgsConfig;
import io.quantail.config.VgsMeasure;
import io.quantail.nn.Parameters;
import io.quantail.optim.GradientClip;
import io.quantail.optim.LearningRateBounds;
import io.quantail.optim.LearningRateSchedule;
import io.quantail.optim.Optimizer;
import io.quantail.optim.Optimizers;
import io.quantail.optim.VarianceGradientScaler;
import io.quantail.ppo.ClipRange;
import io.quantail.ppo.CloningSchedule;
import io.quantail.ppo.EntropySchedule;
import io.quantail.random.RandomStream;
import java.util.List;
import java.util.Locale;

/** Steps and schedules. */
final class OptimizerChecks {
  private static final String TOPIC = "optimiser";
  private static final int STEPS = 6;
  private static final double EXACT = 1e-12;

  private OptimizerChecks() {}

  static List<AuditCheck> all() {
    return List.of(
        AuditCheck.of(
                TOPIC,
                "optimiser-steps",
                "OPT-1 OPT-2",
                "six steps of the configured optimiser on the own parameters with its formulas in"
                    + " doubles",
                OptimizerChecks::steps)
            .exercising(
                "Optimizers Adam Sgd Upgd UpgdRule UpgdLoops UtilityGate ParameterNoise Vectors ChunkedRange"),
        AuditCheck.of(
                TOPIC,
                "variance-gradient-scaling",
                "VGS-1",
                "factors over twelve gradients with explicitly weighted means, for every measure",
                OptimizerChecks::scaler)
            .exercising(
                "VarianceGradientScaler GradientNoise ElementwiseNoise ScalarNoise Vectors"),
        AuditCheck.of(
                TOPIC,
                "norm-limit",
                "GRAD-1",
                "norm after clipping with the limit, for norms from 1e-6 to 1e6",
                OptimizerChecks::clip)
            .exercising("GradientClip"),
        AuditCheck.of(
                TOPIC,
                "learning-rate-schedule",
                "LR-1",
                "learning rate at 101 places of the run with the schedule's formula and bounds",
                OptimizerChecks::learningRate)
            .exercising(
                "LearningRateSchedule ConstantRate LinearRate CosineRate OneCycleRate Rates LearningRateBounds"),
        AuditCheck.of(
                TOPIC,
                "coefficient-schedules",
                "POL-4 ENT-1 AWR-1",
                "clip range, entropy and cloning coefficients over the run with their formulas",
                OptimizerChecks::coefficients)
            .exercising("ClipRange EntropySchedule CloningSchedule"),
        AuditCheck.of(
                TOPIC,
                "value-clip-gate",
                "VFC-1",
                "gradient of an update within the warm-up of value clipping with that of free"
                    + " critics, and of one after it with that of clipped ones",
                OptimizerChecks::gate)
            .exercising("ValueClipGate UpdateControl PpoLoss"));
  }

  private static double[] noise(RandomStream random, int count, double size) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) (size * random.nextGaussian());
    }
    return values;
  }

  private static Outcome steps(AuditSubject subject) {
    Sample sample = subject.own();
    OptimizerConfig config = sample.config().optimizer();
    List<Parameters.Slot> slots = sample.slots();
    double[] start = sample.parameters();
    double[] expected = start.clone();
    SlowOptimizer slow = new SlowOptimizer(config, slots, sample.config().seed());
    RandomStream random = RandomStream.of(sample.config().seed(), "audit/optimiser", 0);
    // Large, so that rounding to single precision does not hide a wrong step.
    double rate = slow.scaleFree() ? 0.01 : 1;
    float[] values = Numbers.floats(start);
    Optimizer optimizer = Optimizers.create(config, slots, sample.config().seed());
    for (int step = 0; step < STEPS; step++) {
      double[] gradient = noise(random, start.length, 0.01 * (step + 1));
      optimizer.step(values, Numbers.floats(gradient), rate);
      slow.step(expected, gradient, rate);
    }
    double[] change = Numbers.doubles(values);
    for (int i = 0; i < change.length; i++) {
      change[i] -= start[i];
      expected[i] -= start[i];
    }
    return Outcome.noted(
        Deviation.ofNorms(change, expected),
        5e-5,
        Names.written(config.name()) + ": relative difference of all changes together");
  }

  private static Outcome scaler(AuditSubject subject) {
    VgsConfig configured = subject.tiny().config().optimizer().vgs();
    double worst = 0;
    double lowest = 1;
    for (VgsMeasure measure : VgsMeasure.values()) {
      VgsConfig config =
          new VgsConfig(
              true,
              measure,
              configured.beta(),
              configured.alpha(),
              Math.min(2, configured.warmupSteps()),
              configured.cap(),
              configured.floor());
      int count = 200;
      RandomStream random = RandomStream.of(subject.config().seed(), "audit/vgs", 0);
      SlowScaler slow = new SlowScaler(config);
      VarianceGradientScaler scaler = new VarianceGradientScaler(config, count);
      for (int step = 0; step < 12; step++) {
        double factor = scaler.factor();
        worst = Math.max(worst, Math.abs(factor - slow.factor()));
        lowest = measure == configured.measure() ? Math.min(lowest, factor) : lowest;
        double[] gradient = noise(random, count, 0.01);
        for (int i = 0; i < count; i++) {
          gradient[i] = (float) (gradient[i] + 0.005);
        }
        scaler.add(Numbers.floats(gradient));
        slow.add(gradient);
      }
    }
    return Outcome.noted(
        worst,
        1e-5,
        subject.config().optimizer().vgs().enabled()
            ? "the lowest factor was " + Outcome.number(lowest)
            : "optimizer.vgs.enabled is false, so it does not act here");
  }

  private static Outcome clip(AuditSubject subject) {
    Double limit = subject.config().optimizer().maxGradientNorm();
    GradientClip clip = GradientClip.of(limit);
    double most = limit <= 0 ? Double.POSITIVE_INFINITY : limit;
    double worst = 0;
    for (double norm = 1e-6; norm < 1e6; norm *= 1.7) {
      double after = norm * clip.coefficient(norm);
      double allowed = Math.min(norm, most);
      worst = Math.max(worst, (after - allowed) / allowed);
      boolean needless = norm < 0.99 * most && after != norm;
      worst = needless ? Double.POSITIVE_INFINITY : worst;
    }
    return Outcome.noted(
        worst, 0, limit <= 0 ? "clipping is off" : "optimizer.maxGradientNorm is " + limit);
  }

  private static Outcome learningRate(AuditSubject subject) {
    OptimizerConfig config = subject.config().optimizer();
    String name = config.schedule().name().toLowerCase(Locale.ROOT).replace('_', '-');
    LearningRateSchedule schedule =
        LearningRateSchedule.named(name, config.learningRate(), config.minLearningRate());
    LearningRateBounds bounds =
        new LearningRateBounds(config.minLearningRate(), config.maxLearningRate());
    double worst = 0;
    for (int i = 0; i <= 100; i++) {
      double actual = bounds.apply(schedule.rate(i / 100.0)).rate();
      double expected = SlowSchedules.learningRate(config, i / 100.0);
      worst = Math.max(worst, Math.abs(actual - expected) / config.learningRate());
    }
    return Outcome.noted(worst, EXACT, "schedule " + name);
  }

  private static Outcome gate(AuditSubject subject) {
    if (!subject.config().critic().clip().enabled()) {
      return Outcome.skipped("critic.clip.mode is disable");
    }
    Sample sample = subject.tiny();
    double waiting = gateError(sample, 2);
    double open = gateError(sample, 0);
    return Outcome.noted(
        Math.max(waiting, open),
        2e-5,
        "within the warm-up %s, after it %s"
            .formatted(Outcome.number(waiting), Outcome.number(open)));
  }

  private static double gateError(Sample sample, int warmup) {
    Probe probe =
        new Probe(
            sample,
            Probe.plainStep(sample, "critic.clip.warmupUpdates=" + warmup),
            GradientChecks.moved(sample),
            ReferenceTargets.of(sample));
    double[] actual = probe.update().gradient();
    RandomStream random = RandomStream.of(sample.config().seed(), "audit/gate", 0);
    double worst = 0;
    for (int i = 0; i < 4; i++) {
      double[] direction = noise(random, actual.length, 1);
      double unit = Numbers.norm(actual);
      SlowLoss loss = probe.slowLoss();
      double[] parameters = Numbers.doubles(probe.start());
      double error =
          GradientChecks.error(
              Numbers.product(actual, direction),
              length -> loss.along(parameters, sample.allWindows(), direction, length),
              1e-5 * unit);
      worst = Math.max(worst, error / unit);
    }
    return worst;
  }

  private static Outcome coefficients(AuditSubject subject) {
    PpoConfig config = subject.config().ppo();
    EntropyConfig entropy = config.entropy();
    ClipRange clipRange =
        new ClipRange(
            config.clipRange(), config.clipRangeWarmup(), config.clipRangeWarmupUpdates());
    EntropySchedule entropySchedule =
        new EntropySchedule(
            entropy.coefficient(),
            entropy.finalCoefficient() == null ? entropy.coefficient() : entropy.finalCoefficient(),
            entropy.minimum(),
            entropy.decayUpdates());
    CloningSchedule cloning =
        new CloningSchedule(
            config.cloning().coefficient(),
            config.cloning().finalCoefficient(),
            config.cloning().warmupSteps(),
            config.cloning().decaySteps());
    double worst = 0;
    for (long i = 0; i < 300; i += 1 + i / 20) {
      double[] actual = {
        clipRange.at(i), entropySchedule.at(i, 5).effective(), cloning.at(1000 * i)
      };
      double[] expected = {
        SlowSchedules.clipRange(config, i),
        SlowSchedules.entropy(entropy, i, 5),
        SlowSchedules.cloning(config.cloning(), 1000 * i)
      };
      worst = Math.max(worst, Deviation.absolute(actual, expected));
    }
    return Outcome.error(worst, EXACT, "a coefficient does not follow its settings");
  }
}
