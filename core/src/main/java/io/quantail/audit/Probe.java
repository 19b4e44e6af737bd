package io.quantail.audit;

import io.quantail.audit.slow.SlowLoss;
import io.quantail.audit.slow.SlowRisk;
import io.quantail.audit.slow.SlowSchedules;
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
 * <p>Plain descent with a learning rate of 1 and one batch makes the change of the parameters the
 * negative gradient, so that nothing inside has to be opened.
 */
final class Probe {
  private Probe() {}

  /**
   * What an update did.
   *
   * @param change of each parameter
   * @param metrics it reported
   */
  record Result(double[] change, Map<String, Double> metrics) {
    double[] gradient() {
      double[] gradient = new double[change.length];
      for (int i = 0; i < change.length; i++) {
        gradient[i] = -change[i];
      }
      return gradient;
    }
  }

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
  static Result update(
      Sample sample, RunConfig config, float[] parameters, double[] advantages, double[] targets) {
    Estimates estimates = new Estimates(untouched(advantages), targets, targets);
    AgentModel model = sample.anotherModel(config);
    PpoUpdate update = new PpoUpdate(config, model, sample.workers());
    model.parameters().set(parameters);
    Metrics metrics = new Metrics();
    update.run(sample.rollout(), estimates, decision(sample, config), 0, 0, metrics);
    float[] after = model.parameters().values();
    double[] change = new double[after.length];
    for (int i = 0; i < change.length; i++) {
      change[i] = (double) after[i] - parameters[i];
    }
    return new Result(change, metrics.snapshot());
  }

  private static Advantages.Normalized untouched(double[] advantages) {
    return new Advantages.Normalized(advantages, 0, 1, 0, 0, 0, 0, 1, List.of());
  }

  private static RiskDecision decision(Sample sample, RunConfig config) {
    RiskControl control = new RiskControl(config.risk());
    control.load(sample.before().child("risk"));
    double[] returns = Gae.compute(sample.collected()).returns();
    return control.decide(sample.collected().rewards(), returns, sample.scale());
  }

  /** The loss that a first update should have. */
  static SlowLoss slowLoss(Sample sample, RunConfig config, double[] advantages, double[] targets) {
    SlowRisk risk = new SlowRisk(config.risk());
    risk.load(sample.before().child("risk"));
    double[] returns = Gae.compute(sample.collected()).returns();
    double[] samples = risk.samples(sample.collected().rewards(), returns);
    SlowRisk.Decision decision = risk.decide(samples, sample.scale());
    SlowLoss.Weights weights =
        new SlowLoss.Weights(
            SlowSchedules.clipRange(config.ppo(), 0),
            SlowSchedules.cloning(config.ppo().cloning(), 0),
            config.ppo().kl().penalty(),
            SlowSchedules.entropy(config.ppo().entropy(), 0, firstDecay(sample, config)),
            config.critic().coefficient(),
            config.critic().clip().enabled(),
            decision);
    return new SlowLoss(
        config,
        sample.slowNetwork(),
        sample.slowPolicy(),
        sample.slowCritic(),
        sample.experience(),
        advantages,
        targets,
        sample.scale(),
        weights);
  }

  private static long firstDecay(Sample sample, RunConfig config) {
    AgentModel model = sample.anotherModel(config);
    PpoUpdate update = new PpoUpdate(config, model, sample.workers());
    StateMap state = new StateMap();
    update.save(state);
    return state.child("control").longValue("entropyDecayStart");
  }
}
