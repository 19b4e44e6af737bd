package io.quantail.audit;

import io.quantail.audit.reference.ReferenceCritic;
import io.quantail.audit.reference.ReferenceLoss;
import io.quantail.audit.reference.ReferenceMath;
import io.quantail.audit.reference.ReferenceRisk;
import io.quantail.audit.reference.ReferenceRollout;
import io.quantail.audit.reference.ReferenceSchedules;
import io.quantail.config.OptimizerConfig;
import io.quantail.config.RunConfig;
import io.quantail.metrics.Metrics;
import io.quantail.model.AgentModel;
import io.quantail.ppo.PpoUpdate;
import io.quantail.ppo.UpdateTelemetry;
import io.quantail.random.RandomStream;
import io.quantail.risk.CvarController;
import io.quantail.risk.CvarDecision;
import io.quantail.rollout.AdvantageNormalizer;
import io.quantail.rollout.Gae;
import io.quantail.rollout.ReturnTargets;
import io.quantail.rollout.TrainingTargets;
import io.quantail.state.StateMap;
import java.util.List;
import java.util.Map;

/**
 * One production update from given parameters, observed from outside.
 *
 * <p>SGD without momentum stores the gradient of its last step as its velocity, bit by bit, and a
 * snapshot contains it. The learner needs no hook for this.
 *
 * @param sample whose rollout is used
 * @param config settings of the update
 * @param start parameters before the update
 * @param targets advantages and targets; particles keep a distance from quantiles, where the loss
 *     has kinks
 * @param oldLogs stored log-probabilities of the actions
 */
record UpdateProbe(
    SampleRollout sample,
    RunConfig config,
    float[] start,
    ReferenceTargets targets,
    double[] oldLogs) {

  private static final double NOISE = 0.05;

  /** Distances between the two points of a central difference and its centre. */
  private static final double[] LENGTHS = {2e-6, 2e-7, 2e-8};

  /** An update with the log-probabilities of the rollout and particles apart from quantiles. */
  UpdateProbe(SampleRollout sample, RunConfig config, float[] start, ReferenceTargets targets) {
    this(
        sample,
        config,
        start,
        targets.separated(sample, config.critic(), start),
        sample.experience().logProbabilities());
  }

  /** An update from parameters near those of the rollout, so that ratios and values differ. */
  static UpdateProbe moved(SampleRollout sample, RunConfig config) {
    return new UpdateProbe(sample, config, movedParameters(sample), ReferenceTargets.of(sample));
  }

  static float[] movedParameters(SampleRollout sample) {
    RandomStream random = RandomStream.of(sample.config().seed(), "audit/moved", 0);
    double[] values = sample.parameters();
    float[] moved = new float[values.length];
    for (int i = 0; i < moved.length; i++) {
      moved[i] = (float) (values[i] + NOISE * random.nextGaussian());
    }
    return moved;
  }

  /**
   * The difference between a gradient along a direction and the central difference of the reference
   * loss. A kink between the two points spoils a difference, so closer points are tried before the
   * gradient counts as wrong.
   *
   * @param enough an error that needs no further attempt
   */
  double error(ReferenceLoss loss, double[] gradient, double[] direction, double enough) {
    double actual = ReferenceMath.product(gradient, direction);
    double[] parameters = ReferenceMath.doubles(start);
    double smallest = Double.POSITIVE_INFINITY;
    for (double length : LENGTHS) {
      double expected = loss.along(parameters, sample.allWindows(), direction, length);
      double error = Math.abs(actual - expected);
      smallest = Double.isNaN(error) ? smallest : Math.min(smallest, error);
      if (smallest <= enough) {
        break;
      }
    }
    return smallest;
  }

  /** The largest error along random directions, relative to the norm of the gradient. */
  double errorAlong(double[] gradient, RandomStream random, int directions, double enough) {
    ReferenceLoss loss = referenceLoss();
    double unit = ReferenceMath.norm(gradient);
    Deviation deviation = new Deviation();
    for (int i = 0; i < directions; i++) {
      double[] direction = ReferenceMath.gaussian(random, gradient.length);
      deviation.add(error(loss, gradient, direction, enough * unit) / unit);
    }
    return deviation.error();
  }

  /** The same update with other stored log-probabilities. */
  UpdateProbe withOldLogs(double[] others) {
    return new UpdateProbe(sample, config, start, targets, others);
  }

  /**
   * The result of an update.
   *
   * @param change of each parameter
   * @param gradient of the last step of SGD; empty for other optimisers
   * @param metrics reported by the update
   */
  record Result(double[] change, double[] gradient, Map<String, Double> metrics) {}

  /** Settings under which one update is one SGD step over the whole rollout. */
  static RunConfig plainStep(SampleRollout sample, String... more) {
    int size = sample.rollout().shape().transitions();
    RunConfig plain =
        SampleConfig.with(
            sample.config(),
            "ppo.epochs=1",
            "ppo.batchSize=" + size,
            "optimizer.name=sgd",
            "optimizer.minLearningRate=0",
            "optimizer.maxLearningRate=1",
            "optimizer.learningRate=1",
            "optimizer.schedule=constant",
            "optimizer.momentum=0",
            "optimizer.weightDecay=0",
            "optimizer.maxGradientNorm=0",
            "optimizer.vgs.enabled=false");
    return SampleConfig.with(plain, more);
  }

  /** Runs a first update from the given parameters. */
  Result update() {
    float[] logs = sample.rollout().logProbabilities();
    float[] stored = logs.clone();
    System.arraycopy(ReferenceMath.floats(oldLogs), 0, logs, 0, logs.length);
    try {
      return runUpdate();
    } finally {
      System.arraycopy(stored, 0, logs, 0, logs.length);
    }
  }

  private Result runUpdate() {
    double[] particles = targets.flatParticles();
    TrainingTargets estimates =
        new TrainingTargets(
            untouched(targets.advantages()),
            targets.targets(),
            targets.targets(),
            new ReturnTargets(targets.particles()[0].length, particles, 0, 0),
            ReferenceMath.floats(particles));
    AgentModel model = sample.anotherModel(config);
    PpoUpdate update = new PpoUpdate(config, model, sample.workers());
    model.parameters().set(start);
    Metrics metrics = new Metrics();
    UpdateTelemetry.report(
        metrics, config, update.run(sample.rollout(), estimates, decision(), 0, 0));
    float[] after = model.parameters().values();
    double[] change =
        ReferenceMath.minus(ReferenceMath.doubles(after), ReferenceMath.doubles(start));
    StateMap saved = new StateMap();
    update.save(saved);
    double[] gradient =
        config.optimizer().name() == OptimizerConfig.Name.SGD
            ? ReferenceMath.doubles(saved.child("optimizer").floats("velocity", after.length))
            : new double[0];
    return new Result(change, gradient, metrics.snapshot());
  }

  private static AdvantageNormalizer.Normalized untouched(double[] advantages) {
    return new AdvantageNormalizer.Normalized(advantages, 0, 1, 0, 0, 0, 0, 1, List.of());
  }

  private CvarDecision decision() {
    CvarController control = new CvarController(config.risk());
    control.load(sample.before().child("risk"));
    double[] returns = Gae.compute(sample.collected()).returns();
    return control.decide(sample.collected(), returns, sample.running(), sample.scale(), 0);
  }

  /** The reference loss of a first update. */
  ReferenceLoss referenceLoss() {
    ReferenceRisk risk = new ReferenceRisk(config.risk());
    risk.load(sample.before().child("risk"));
    ReferenceRisk.Decision decision =
        risk.decide(sample.collected(), targets.returns(), sample.running(), sample.scale(), 0);
    ReferenceLoss.Weights weights =
        new ReferenceLoss.Weights(
            ReferenceSchedules.clipRange(config.ppo(), 0, 0),
            ReferenceSchedules.cloning(config.ppo().cloning(), 0, 0),
            config.ppo().kl().penalty(),
            ReferenceSchedules.entropy(config.ppo().entropy(), 0, firstDecay(), 0),
            config.critic().coefficient().from(),
            clips(),
            decision);
    ReferenceRollout experience = sample.experience().withLogProbabilities(oldLogs);
    return new ReferenceLoss(
        config,
        sample.referenceNetwork(),
        sample.referencePolicy(),
        new ReferenceCritic(config.critic()),
        experience,
        targets.advantages(),
        targets.targets(),
        targets.particles(),
        sample.scale(),
        weights);
  }

  /** At the first update no explained variance is known and every warm-up has just started. */
  private boolean clips() {
    return config.critic().clip().enabled()
        && config.critic().clip().warmupUpdates() == 0
        && config.critic().clip().thresholdExplainedVariance() == null;
  }

  /** Without a plateau rule the decay of the entropy coefficient starts at once. */
  private long firstDecay() {
    return config.ppo().entropy().plateauWindow() == 0 ? 0 : -1;
  }
}
