package io.quantail.audit;

import static io.quantail.audit.AuditCheck.check;

import io.quantail.audit.reference.ReferenceAdvantages;
import io.quantail.audit.reference.ReferenceLoss;
import io.quantail.audit.reference.ReferenceMath;
import io.quantail.audit.reference.ReferenceOptimizer;
import io.quantail.audit.reference.ReferenceRisk;
import io.quantail.audit.reference.ReferenceSchedules;
import io.quantail.audit.reference.ReferenceUpdate;
import io.quantail.audit.reference.ReferenceVarianceScaler;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingNames;
import io.quantail.network.Parameters;
import io.quantail.rollout.Gae;
import io.quantail.state.StateMap;
import io.quantail.train.Trainer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** A whole iteration of the trainer against the reference implementation. */
final class IterationChecks {
  private static final String ITERATION =
      "Trainer RolloutCollector EnvironmentGroup PolicyRunner Rollout Gae AdvantageNormalizer SampleMoments TrainingTargets"
          + " CvarController CvarDecision TailCost PpoUpdate UpdateController PpoLoss OptimizerStep"
          + " Optimizer Adam Sgd Upgd UpgdKernel UtilityGate ParameterNoise"
          + " VarianceGradientScaler ReturnScaleTracker ReturnScale ValueHeadRescale Parameters"
          + " ReturnTargets PredictedReturns ActorCritic"
          + " ChunkedRange ParallelLoop WorkerPool";

  /** Rounding may decide on which side of a clip or kink a sample lies. */
  private static final double CHANGE = 2e-3;

  private static final double UNIT_ROUNDOFF = 0x1p-24; // of single precision

  private static final double METRICS = 2e-4;

  private IterationChecks() {}

  static List<AuditCheck> all() {
    return AuditCheck.topic(
        "iteration",
        check(
                "parameters-after-an-iteration",
                "ADV-1 POL-1 CRIT-1 CRIT-2 TWIN-2 GRAD-1 OPT-1 RET-2 CVAR-3 CVAR-4",
                subject -> parameters(subject.tiny(), small(subject)))
            .compares(
                "change of a small network by Trainer.iterate with advantages, loss, gradients,"
                    + " scaling, clipping, optimiser and rescaling of the reference"
                    + " implementation")
            .exercises(ITERATION),
        check(
                "iteration-at-own-size",
                "ADV-1 POL-1 CRIT-1 CRIT-2 TWIN-2 GRAD-1 OPT-1 RET-2",
                subject -> parameters(subject.own(), iterate(subject.own())))
            .compares(
                "change of the configured network by Trainer.iterate with the same in the"
                    + " reference implementation")
            .exercises(ITERATION),
        check("metrics-of-an-iteration", "POL-3 GRAD-2 MON-1", METRICS, IterationChecks::metrics)
            .compares(
                "reported losses, entropy, KL divergence (k1, k3), gradient norms and coefficients"
                    + " with those of the reference iteration")
            .exercises(
                ITERATION
                    + " LossSums UpdateStatistics LossStatistics RatioStatistics FloatVectors"));
  }

  /** The change of parameters and metrics by production code and by the reference. */
  private record Iteration(
      double[] actualChange,
      double[] expectedChange,
      Map<String, Double> metrics,
      ReferenceUpdate.Trace trace,
      ReferenceLoss.Weights weights,
      double rate,
      double scaleError) {}

  private static Iteration small(AuditSubject subject) {
    return subject.shared("iteration", () -> iterate(subject.tiny()));
  }

  private static AuditOutcome parameters(SampleRollout sample, Iteration iteration) {
    int steps = iteration.trace.terms().size();
    return Deviation.of(Deviation.ofNorms(iteration.actualChange, iteration.expectedChange))
        .require(iteration.scaleError <= 1e-6)
        .note(
            "%s: relative difference of the change of %d parameters in %d steps; return scale off"
                + " by %s",
            SettingNames.written(sample.config().optimizer().name()),
            iteration.expectedChange.length,
            steps,
            iteration.scaleError)
        .within(CHANGE + rounding(sample, iteration));
  }

  /** The largest effect of rounding every parameter once a step, relative to the change. */
  private static double rounding(SampleRollout sample, Iteration iteration) {
    double once = UNIT_ROUNDOFF * ReferenceMath.norm(sample.parameters());
    double change = ReferenceMath.norm(iteration.expectedChange);
    return change == 0 ? 0 : iteration.trace.terms().size() * once / change;
  }

  private static Deviation metrics(AuditSubject subject) {
    Iteration iteration = small(subject);
    ReferenceUpdate.Trace trace = iteration.trace;
    Map<String, Double> expected = new TreeMap<>();
    expected.put("train/policy_loss_ppo", mean(trace.terms(), ReferenceLoss.Terms::surrogate));
    expected.put("train/value_ce_loss", mean(trace.terms(), ReferenceLoss.Terms::critic));
    expected.put("train/critic/mean_head_loss", mean(trace.terms(), ReferenceLoss.Terms::meanHead));
    expected.put("train/policy_entropy", mean(trace.terms(), ReferenceLoss.Terms::entropy));
    expected.put("train/kl_exact", mean(trace.terms(), ReferenceLoss.Terms::divergence));
    expected.put("train/approx_kl", mean(trace.terms(), ReferenceLoss.Terms::firstKl));
    expected.put("train/approx_kl_k3", mean(trace.terms(), ReferenceLoss.Terms::thirdKl));
    expected.put("train/loss", mean(trace.terms(), ReferenceLoss.Terms::total));
    expected.put("train/grad_norm_pre_clip", mean(trace.normsBefore(), norm -> norm));
    expected.put("train/grad_norm_post_clip", mean(trace.normsAfter(), norm -> norm));
    expected.put("train/clip_range", iteration.weights.clipRange());
    expected.put("train/ent_coef_eff", iteration.weights.entropy());
    expected.put("train/vf_coef_effective", iteration.weights.critic());
    expected.put("train/learning_rate", iteration.rate);
    Deviation deviation = new Deviation();
    int wrong = 0;
    for (Map.Entry<String, Double> entry : expected.entrySet()) {
      double actual = iteration.metrics.getOrDefault(entry.getKey(), Double.NaN);
      double wanted = entry.getValue();
      double error = Math.abs(actual - wanted) / Math.max(0.01, Math.abs(wanted));
      deviation.add(error);
      if (!(error <= METRICS)) {
        deviation.note("%s is %s, expected %s", entry.getKey(), actual, wanted);
        wrong++;
      }
    }
    return wrong == 0 ? deviation.note("%d metrics", expected.size()) : deviation;
  }

  private static <T> double mean(List<T> steps, ToDoubleFunction<T> part) {
    return steps.stream().mapToDouble(part).average().orElseThrow();
  }

  private static Iteration iterate(SampleRollout sample) {
    RunConfig config = sample.config();
    StateMap before = sample.before();
    StateMap control = before.child("update").child("control");
    long update = sample.updates();
    int perRollout = sample.rollout().shape().transitions();
    long steps = before.longValue("steps") + perRollout;
    double progress = Math.min(1, (double) (steps - perRollout) / config.training().steps());
    ReferenceLoss loss = loss(sample, update, steps, progress);
    double rate = ReferenceSchedules.learningRate(config.optimizer(), progress);
    int epochs =
        (int) Math.max(1, Math.rint(config.ppo().epochs() * control.doubleValue("epochFactor")));
    double[] start = sample.parameters();
    double[] expected = start.clone();
    ReferenceUpdate.Trace trace = update(sample, loss).run(expected, update, epochs, rate);
    ReferenceAdvantages.Scale scale = commit(sample, expected);
    try (Trainer trainer = new Trainer(config, sample.factory())) {
      trainer.load(before);
      Map<String, Double> metrics = trainer.iterate().values();
      StateMap after = new StateMap();
      trainer.save(after);
      double[] committed = after.child("returns").doubles("scale", 2);
      double[] wanted = {scale.mean(), scale.std()};
      return new Iteration(
          ReferenceMath.minus(ReferenceMath.doubles(trainer.model().parameters().values()), start),
          ReferenceMath.minus(expected, start),
          metrics,
          trace,
          loss.weights(),
          rate,
          Deviation.absolute(committed, wanted) / scale.std());
    }
  }

  private static ReferenceUpdate update(SampleRollout sample, ReferenceLoss loss) {
    RunConfig config = sample.config();
    StateMap saved = sample.before().child("update").child("optimizer");
    List<Parameters.Slot> slots = sample.slots();
    ReferenceOptimizer optimizer = new ReferenceOptimizer(config.optimizer(), slots, config.seed());
    optimizer.load(saved);
    ReferenceVarianceScaler scaler = new ReferenceVarianceScaler(config.optimizer().vgs());
    if (config.optimizer().vgs().enabled()) {
      scaler.load(saved.child("vgs"), sample.parameters().length);
    }
    return new ReferenceUpdate(loss, optimizer, scaler);
  }

  private static ReferenceLoss loss(
      SampleRollout sample, long update, long steps, double progress) {
    RunConfig config = sample.config();
    StateMap control = sample.before().child("update").child("control");
    Gae.Input collected = sample.collected();
    double[] advantages = ReferenceAdvantages.advantages(collected);
    double[] returns = ReferenceTargets.returns(sample);
    ReferenceRisk risk = new ReferenceRisk(config.risk());
    risk.load(sample.before().child("risk"));
    ReferenceRisk.Decision decision =
        risk.decide(
            collected,
            ReferenceTargets.distribution(sample, returns).flat(),
            sample.running(),
            sample.scale(),
            progress);
    ReferenceLoss.Weights weights =
        new ReferenceLoss.Weights(
            ReferenceSchedules.clipRange(config.ppo(), update, progress),
            ReferenceSchedules.cloning(config.ppo().cloning(), steps, progress),
            control.doubleValue("klPenalty"),
            ReferenceSchedules.entropy(
                config.ppo().entropy(), update, control.longValue("entropyDecayStart"), progress),
            ReferenceSchedules.value(config.critic().coefficient(), progress),
            config.critic().clip().enabled(),
            decision);
    return new ReferenceLoss(
        config,
        sample.referenceNetwork(),
        sample.referencePolicy(),
        sample.referenceCritic(),
        sample.experience(),
        ReferenceAdvantages.normalized(
            ReferenceMath.minus(advantages, decision.costs()),
            collected.environments(),
            config.rollout(),
            sample.scale()),
        ReferenceAdvantages.targets(returns, sample.scale()),
        ReferenceTargets.of(sample).particles(),
        sample.scale(),
        weights);
  }

  /**
   * Computes the next return scale from all particles and rescales value and mean heads, {@code W'
   * = W s / s'}, {@code b' s' + m' = b s + m}.
   */
  private static ReferenceAdvantages.Scale commit(SampleRollout sample, double[] parameters) {
    StateMap saved = sample.before().child("returns");
    ReferenceAdvantages.Scale before =
        new ReferenceAdvantages.Scale(
            sample.scale().mean(),
            sample.scale().std(),
            saved.doubleValue("usualStd"),
            saved.longValue("commits"));
    double[] returns = ReferenceTargets.of(sample).returns();
    ReferenceAdvantages.Scale after =
        ReferenceAdvantages.committed(
            before,
            ReferenceTargets.distribution(sample, returns).flat(),
            sample.config().returns());
    if (sample.referenceCritic().quantiles()) {
      for (Parameters.Slot slot : sample.slots()) {
        if (slot.name().startsWith("critic.head") || slot.name().startsWith("critic.mean")) {
          boolean bias = slot.name().endsWith(".bias");
          for (int i = (int) slot.offset(); i < slot.offset() + slot.count(); i++) {
            double raw = parameters[i] * before.std() + (bias ? before.mean() - after.mean() : 0);
            parameters[i] = raw / after.std();
          }
        }
      }
    }
    return after;
  }
}
