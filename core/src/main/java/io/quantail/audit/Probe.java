package io.quantail.audit;

import io.quantail.audit.slow.Experience;
import io.quantail.audit.slow.Numbers;
import io.quantail.audit.slow.SlowLoss;
import io.quantail.audit.slow.SlowRisk;
import io.quantail.audit.slow.SlowSchedules;
import io.quantail.config.OptimizerName;
import io.quantail.config.RunConfig;
import io.quantail.metrics.Metrics;
import io.quantail.ppo.Estimates;
import io.quantail.ppo.PpoUpdate;
import io.quantail.ppo.RiskControl;
import io.quantail.ppo.RiskDecision;
import io.quantail.rollout.Advantages;
import io.quantail.rollout.AgentModel;
import io.quantail.rollout.Gae;
import io.quantail.state.StateMap;
import java.util.List;
import java.util.Map;

/**
 * Updates of the learner's own, from outside: what they do to given parameters.
 *
 * <p>Plain descent without momentum keeps the gradient of its last step as its velocity, to the
 * bit, and a snapshot has it: nothing inside has to be opened.
 *
 * @param sample whose rollout is learnt from
 * @param config settings of the update
 * @param start parameters before it
 * @param lesson advantages and targets
 * @param oldLogs log-probabilities of the actions as the update is to find them
 */
record Probe(
    Sample sample, RunConfig config, float[] start, ReferenceTargets lesson, double[] oldLogs) {

  /** Log-probabilities as they were stored. */
  Probe(Sample sample, RunConfig config, float[] start, ReferenceTargets lesson) {
    this(sample, config, start, lesson, sample.experience().logProbabilities());
  }

  /** The same with other log-probabilities of the actions. */
  Probe withOldLogs(double[] others) {
    return new Probe(sample, config, start, lesson, others);
  }

  /**
   * What an update did.
   *
   * @param change of each parameter
   * @param gradient of the last step of plain descent; empty for other optimisers
   * @param metrics it reported
   */
  record Result(double[] change, double[] gradient, Map<String, Double> metrics) {}

  /** Settings under which one update is one step of plain descent over the whole rollout. */
  static RunConfig plainStep(Sample sample, String... more) {
    int size = sample.rollout().shape().transitions();
    RunConfig plain =
        SampleSettings.with(
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
    return SampleSettings.with(plain, more);
  }

  /** A first update from the given parameters. */
  Result update() {
    float[] logs = sample.rollout().logProbabilities();
    float[] stored = logs.clone();
    System.arraycopy(Numbers.floats(oldLogs), 0, logs, 0, logs.length);
    try {
      return updateFromHere();
    } finally {
      System.arraycopy(stored, 0, logs, 0, logs.length);
    }
  }

  private Result updateFromHere() {
    Estimates estimates =
        new Estimates(untouched(lesson.advantages()), lesson.targets(), lesson.targets());
    AgentModel model = sample.anotherModel(config);
    PpoUpdate update = new PpoUpdate(config, model, sample.workers());
    model.parameters().set(start);
    Metrics metrics = new Metrics();
    update.run(sample.rollout(), estimates, decision(), 0, 0, metrics);
    float[] after = model.parameters().values();
    double[] change = new double[after.length];
    for (int i = 0; i < change.length; i++) {
      change[i] = (double) after[i] - start[i];
    }
    StateMap saved = new StateMap();
    update.save(saved);
    double[] gradient =
        config.optimizer().name() == OptimizerName.SGD
            ? Numbers.doubles(saved.child("optimizer").floats("velocity", after.length))
            : new double[0];
    return new Result(change, gradient, metrics.snapshot());
  }

  private static Advantages.Normalized untouched(double[] advantages) {
    return new Advantages.Normalized(advantages, 0, 1, 0, 0, 0, 0, 1, List.of());
  }

  private RiskDecision decision() {
    RiskControl control = new RiskControl(config.risk());
    control.load(sample.before().child("risk"));
    double[] returns = Gae.compute(sample.collected()).returns();
    return control.decide(sample.collected().rewards(), returns, sample.scale());
  }

  /** The loss that a first update should have. */
  SlowLoss slowLoss() {
    SlowRisk risk = new SlowRisk(config.risk());
    risk.load(sample.before().child("risk"));
    double[] samples = risk.samples(sample.collected().rewards(), lesson.returns());
    SlowRisk.Decision decision = risk.decide(samples, sample.scale());
    SlowLoss.Weights weights =
        new SlowLoss.Weights(
            SlowSchedules.clipRange(config.ppo(), 0),
            SlowSchedules.cloning(config.ppo().cloning(), 0),
            config.ppo().kl().penalty(),
            SlowSchedules.entropy(config.ppo().entropy(), 0, firstDecay()),
            config.critic().coefficient(),
            clipIsOpen(),
            decision);
    Experience experience = sample.experience().withLogProbabilities(oldLogs);
    return new SlowLoss(
        config,
        sample.slowNetwork(),
        sample.slowPolicy(),
        sample.slowCritic(),
        experience,
        lesson.advantages(),
        lesson.targets(),
        sample.scale(),
        weights);
  }

  /** Before the first update nothing is known of the critics, and every warm-up has just begun. */
  private boolean clipIsOpen() {
    return config.critic().clip().enabled()
        && config.critic().clip().warmupUpdates() == 0
        && config.critic().clip().thresholdExplainedVariance() == null;
  }

  /** Without a plateau to wait for, the decay of the entropy coefficient begins at once. */
  private long firstDecay() {
    return config.ppo().entropy().plateauWindow() == 0 ? 0 : -1;
  }
}
