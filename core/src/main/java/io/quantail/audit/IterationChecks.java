package io.quantail.audit;

import io.quantail.audit.slow.Numbers;
import io.quantail.audit.slow.SlowEstimates;
import io.quantail.audit.slow.SlowLoss;
import io.quantail.audit.slow.SlowOptimizer;
import io.quantail.audit.slow.SlowRisk;
import io.quantail.audit.slow.SlowScaler;
import io.quantail.audit.slow.SlowSchedules;
import io.quantail.audit.slow.SlowUpdate;
import io.quantail.config.Names;
import io.quantail.config.RunConfig;
import io.quantail.nn.Parameters;
import io.quantail.rollout.GaeInput;
import io.quantail.state.StateMap;
import io.quantail.train.Trainer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** A whole iteration of the trainer against the reference implementation. */
final class IterationChecks {
  private static final String TOPIC = "iteration";

  private static final String ITERATION =
      "Trainer Collector Lane PolicyRunner Rollout Gae Advantages Moments Estimates"
          + " RiskControl RiskDecision TailShortfall PpoUpdate UpdateControl PpoLoss GradientStep"
          + " Optimizers Adam Sgd Upgd UpgdLoops UtilityGate ParameterNoise"
          + " VarianceGradientScaler ReturnStatistics ReturnScale HeadRescale Parameters"
          + " ChunkedRange ParallelLoop WorkerPool";

  /** Rounding may decide on which side of a kink a sample lies: of a clip, a rank, a corner. */
  private static final double CHANGE = 2e-3;

  private static final double UNIT_ROUNDOFF = 0x1p-24; // of single precision

  private static final double METRICS = 2e-4;

  private IterationChecks() {}

  static List<AuditCheck> all() {
    return List.of(
        AuditCheck.of(
                TOPIC,
                "parameters-after-an-iteration",
                "ADV-1 POL-1 CRIT-1 CRIT-2 TWIN-2 GRAD-1 OPT-1 RET-2 CVAR-3 CVAR-4",
                "what Trainer.iterate makes of a small network with estimates, loss,"
                    + " gradients, scaling, clipping, optimiser and rescaling in the reference implementation",
                subject -> parameters(subject.tiny(), comparison(subject)))
            .exercising(ITERATION),
        AuditCheck.of(
                TOPIC,
                "iteration-at-own-size",
                "ADV-1 POL-1 CRIT-1 CRIT-2 TWIN-2 GRAD-1 OPT-1 RET-2",
                "what Trainer.iterate makes of the configured network with the same in the"
                    + " reference implementation",
                subject -> parameters(subject.own(), compare(subject.own())))
            .exercising(ITERATION),
        AuditCheck.of(
                TOPIC,
                "metrics-of-an-iteration",
                "POL-3 GRAD-2 MON-1",
                "losses, entropy, KL (k1, k3), gradient norms and coefficients it reports with those of"
                    + " the reference iteration",
                IterationChecks::metrics)
            .exercising(
                ITERATION + " LossSums UpdateStatistics LossStatistics RatioStatistics Vectors"));
  }

  /** What the trainer did, and what it should have done. */
  private record Comparison(
      double[] actualChange,
      double[] expectedChange,
      Map<String, Double> metrics,
      SlowUpdate.Trace trace,
      SlowLoss.Weights weights,
      double rate,
      double[] scaleErrors) {}

  private static Comparison comparison(AuditSubject subject) {
    return subject.shared("iteration", () -> compare(subject.tiny()));
  }

  private static Outcome parameters(Sample sample, Comparison comparison) {
    double error = Deviation.ofNorms(comparison.actualChange, comparison.expectedChange);
    double scaleError = Math.max(comparison.scaleErrors[0], comparison.scaleErrors[1]);
    double bound = CHANGE + rounding(sample, comparison);
    return Outcome.of(
        error <= bound && scaleError <= 1e-6,
        Outcome.number(error),
        "<= " + Outcome.number(bound),
        "%s: relative difference of the change of %d parameters in %d steps; return scale off by %s"
            .formatted(
                Names.written(sample.config().optimizer().name()),
                comparison.expectedChange.length,
                comparison.trace.terms().size(),
                Outcome.number(scaleError)));
  }

  /** What rounding every parameter once a step can make of a change as small as this one. */
  private static double rounding(Sample sample, Comparison comparison) {
    double once = UNIT_ROUNDOFF * Numbers.norm(sample.parameters());
    double change = Numbers.norm(comparison.expectedChange);
    return change == 0 ? 0 : comparison.trace.terms().size() * once / change;
  }

  private static Outcome metrics(AuditSubject subject) {
    Comparison comparison = comparison(subject);
    Map<String, Double> metrics = comparison.metrics;
    SlowUpdate.Trace trace = comparison.trace;
    List<String> wrong = new ArrayList<>();
    double worst = 0;
    Map<String, Double> expected =
        Map.ofEntries(
            Map.entry("train/policy_loss_ppo", mean(trace, SlowLoss.Terms::surrogate)),
            Map.entry("train/value_ce_loss", mean(trace, SlowLoss.Terms::critic)),
            Map.entry("train/policy_entropy", mean(trace, SlowLoss.Terms::entropy)),
            Map.entry("train/kl_exact", mean(trace, SlowLoss.Terms::divergence)),
            Map.entry("train/approx_kl", mean(trace, SlowLoss.Terms::firstKl)),
            Map.entry("train/approx_kl_k3", mean(trace, SlowLoss.Terms::thirdKl)),
            Map.entry("train/loss", mean(trace, SlowLoss.Terms::total)),
            Map.entry("train/grad_norm_pre_clip", mean(trace.normsBefore())),
            Map.entry("train/grad_norm_post_clip", mean(trace.normsAfter())),
            Map.entry("train/clip_range", comparison.weights.clipRange()),
            Map.entry("train/ent_coef_eff", comparison.weights.entropy()),
            Map.entry("train/learning_rate", comparison.rate));
    for (Map.Entry<String, Double> entry : expected.entrySet()) {
      double actual = metrics.getOrDefault(entry.getKey(), Double.NaN);
      double error =
          Math.abs(actual - entry.getValue()) / Math.max(0.01, Math.abs(entry.getValue()));
      if (!(error <= METRICS)) {
        wrong.add(
            "%s is %s, should be %s"
                .formatted(
                    entry.getKey(), Outcome.number(actual), Outcome.number(entry.getValue())));
      }
      worst = Double.isNaN(error) ? Double.POSITIVE_INFINITY : Math.max(worst, error);
    }
    wrong.sort(null);
    return Outcome.noted(
        worst, METRICS, wrong.isEmpty() ? expected.size() + " metrics" : String.join("; ", wrong));
  }

  private static double mean(SlowUpdate.Trace trace, ToDoubleFunction<SlowLoss.Terms> part) {
    return trace.terms().stream().mapToDouble(part).average().orElseThrow();
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  private static Comparison compare(Sample sample) {
    RunConfig config = sample.config();
    StateMap before = sample.before();
    StateMap control = before.child("update").child("control");
    long update = control.longValue("update");
    int perRollout = sample.rollout().shape().transitions();
    long steps = before.longValue("steps") + perRollout;
    SlowLoss loss = loss(sample, update, steps);
    double progress = Math.min(1, (double) (steps - perRollout) / config.training().steps());
    double rate = SlowSchedules.learningRate(config.optimizer(), progress);
    int epochs =
        (int) Math.max(1, Math.rint(config.ppo().epochs() * control.doubleValue("epochFactor")));
    double[] start = sample.parameters();
    double[] expected = start.clone();
    SlowUpdate.Trace trace = update(sample, loss).run(expected, update, epochs, rate);
    SlowEstimates.Scale scale = commit(sample, expected);

    Map<String, Double> metrics;
    double[] actual;
    double[] scaleErrors = new double[2];
    try (Trainer trainer = new Trainer(config, sample.factory())) {
      trainer.load(before);
      metrics = trainer.iterate().values();
      actual = Numbers.doubles(trainer.model().parameters().values());
      StateMap after = new StateMap();
      trainer.save(after);
      double[] committed = after.child("returns").doubles("scale", 2);
      scaleErrors[0] = Math.abs(committed[0] - scale.mean()) / scale.std();
      scaleErrors[1] = Math.abs(committed[1] - scale.std()) / scale.std();
    }
    for (int i = 0; i < start.length; i++) {
      actual[i] -= start[i];
      expected[i] -= start[i];
    }
    return new Comparison(actual, expected, metrics, trace, loss.weights(), rate, scaleErrors);
  }

  private static SlowUpdate update(Sample sample, SlowLoss loss) {
    RunConfig config = sample.config();
    StateMap saved = sample.before().child("update").child("optimizer");
    List<Parameters.Slot> slots = sample.slots();
    SlowOptimizer optimizer = new SlowOptimizer(config.optimizer(), slots, config.seed());
    optimizer.load(saved);
    SlowScaler scaler = new SlowScaler(config.optimizer().vgs());
    if (config.optimizer().vgs().enabled()) {
      scaler.load(saved.child("vgs"), sample.parameters().length);
    }
    return new SlowUpdate(loss, optimizer, scaler);
  }

  private static SlowLoss loss(Sample sample, long update, long steps) {
    RunConfig config = sample.config();
    StateMap control = sample.before().child("update").child("control");
    GaeInput collected = sample.collected();
    double[] advantages = SlowEstimates.advantages(collected);
    double[] returns = SlowEstimates.sum(advantages, collected.values());
    SlowRisk risk = new SlowRisk(config.risk());
    risk.load(sample.before().child("risk"));
    double[] samples = risk.samples(collected.rewards(), returns);
    SlowRisk.Decision decision = risk.decide(samples, sample.scale());
    double[] costs = risk.costs(samples, decision.multiplier(), collected);
    for (int i = 0; i < advantages.length; i++) {
      advantages[i] -= costs[i];
    }
    SlowLoss.Weights weights =
        new SlowLoss.Weights(
            SlowSchedules.clipRange(config.ppo(), update),
            SlowSchedules.cloning(config.ppo().cloning(), steps),
            control.doubleValue("klPenalty"),
            SlowSchedules.entropy(
                config.ppo().entropy(), update, control.longValue("entropyDecayStart")),
            config.critic().coefficient(),
            config.critic().clip().enabled(),
            decision);
    return new SlowLoss(
        config,
        sample.slowNetwork(),
        sample.slowPolicy(),
        sample.slowCritic(),
        sample.experience(),
        SlowEstimates.normalized(advantages, collected.environments(), config.rollout()),
        SlowEstimates.targets(returns, sample.scale()),
        sample.scale(),
        weights);
  }

  /**
   * The next return scale; heads follow it, {@code W' = W s / s'}, {@code b' s' + m' = b s + m}.
   */
  private static SlowEstimates.Scale commit(Sample sample, double[] parameters) {
    StateMap saved = sample.before().child("returns");
    SlowEstimates.Scale before =
        new SlowEstimates.Scale(
            sample.scale().mean(),
            sample.scale().std(),
            saved.doubleValue("usualStd"),
            saved.longValue("commits"));
    GaeInput collected = sample.collected();
    double[] returns = SlowEstimates.sum(SlowEstimates.advantages(collected), collected.values());
    SlowEstimates.Scale after = SlowEstimates.committed(before, returns, sample.config().returns());
    if (sample.slowCritic().quantiles()) {
      for (Parameters.Slot slot : sample.slots()) {
        if (slot.name().startsWith("critic.head")) {
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
