package io.quantail.audit;

import static io.quantail.audit.AuditCheck.check;

import io.quantail.audit.reference.ReferenceAdvantages;
import io.quantail.audit.reference.ReferenceMath;
import io.quantail.config.ReturnScaleConfig;
import io.quantail.config.RolloutConfig;
import io.quantail.config.SettingNames;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.network.ParameterLayout.Linear;
import io.quantail.random.RandomStream;
import io.quantail.rollout.Gae;
import io.quantail.rollout.ReturnTargets;
import io.quantail.rollout.TrainingTargets;
import io.quantail.value.ReturnScale;
import io.quantail.value.ReturnScaleTracker;
import io.quantail.value.ValueHeadRescale;
import java.util.Arrays;
import java.util.List;

/** Advantages, returns and the return scale. */
final class AdvantageChecks {
  private static final double EXACT = 1e-10;
  private static final double SINGLE = 1e-7; // particles are stored in single precision

  private AdvantageChecks() {}

  static List<AuditCheck> all() {
    return AuditCheck.topic(
        "estimates",
        check("gae", "GAE-1 GAE-2", EXACT, subject -> compare(subject.own().collected()))
            .compares("advantages and returns of the rollout with the sum over deltas, written out")
            .exercises("Gae")
            .failureMeans(
                "a bootstrap is missing or misplaced, or a trace continues past the end of an"
                    + " episode"),
        check("gae-with-other-ends", "GAE-1 GAE-2", EXACT, AdvantageChecks::movedEnds)
            .compares(
                "the same with terminations and truncations at random steps and one reward so"
                    + " large that it is limited")
            .exercises("Gae")
            .failureMeans(
                "a bootstrap is missing or misplaced, or a trace continues past the end of an"
                    + " episode"),
        check("advantage-normalisation", "ADV-1 ADV-3", EXACT, AdvantageChecks::advantages)
            .compares("normalised advantages with (A - mean) / std, ddof 1, over the whole rollout")
            .exercises("AdvantageNormalizer SampleMoments TrainingTargets"),
        check("return-particles", "DIST-1 DIST-2", EXACT, ParticleChecks::ownRollout)
            .compares(
                "particles of the rollout, in both modes and for two updates, with particles that"
                    + " are followed forwards until they are drawn, from uniform numbers read at"
                    + " their addresses")
            .exercises(
                "ReturnTargets PredictedReturns TrainingTargets Rollout Critic QuantileCritic"
                    + " CategoricalCritic ReturnScale")
            .failureMeans("critics learn another distribution than that of returns"),
        check("particles-with-other-ends", "DIST-1", 1e-12, ParticleChecks::movedEnds)
            .compares(
                "the same with terminations and truncations at random steps, 1, 3 and the"
                    + " configured number of particles, and traces of no, some and full length")
            .exercises("ReturnTargets")
            .failureMeans(
                "a particle is drawn at the wrong level or from what does not follow, or"
                    + " continues past the end of an episode"),
        check("first-return-scale", "DIST-6 RET-1", 1e-9, ParticleChecks::firstScale)
            .compares(
                "scale of the first rollout with its definition, in both modes, for the rollout's"
                    + " rewards, for constant ones, and with and without terminations")
            .exercises("ReturnScaleTracker FirstReturnScale Moments")
            .failureMeans("the first targets are in other units than documented"),
        check("targets-never-clipped", "RET-1 RET-4", EXACT, AdvantageChecks::targets)
            .compares(
                "critic targets and particles with (R - mean) / std, one return being a thousand"
                    + " standard deviations away")
            .exercises("TrainingTargets ReturnScale")
            .failureMeans("critics learn other returns than those of the rollout"),
        check("return-scale", "RET-1 RET-3", 1e-9, AdvantageChecks::returnScale)
            .compares(
                "return scales of six cycles after the first scale with their definition, in every"
                    + " mode and with every measure of dispersion")
            .exercises("ReturnScaleTracker ReturnScale Percentiles Moments")
            .failureMeans("normalised units differ from their definition"),
        check("head-rescale", "RET-2", 1e-5, AdvantageChecks::rescale)
            .compares(
                "raw values and quantiles before and after a change of the return scale, mean"
                    + " heads included")
            .exercises("ValueHeadRescale Parameters ReturnScale ActorCritic")
            .failureMeans("values jump whenever the return scale changes")
            .unless(
                subject -> !subject.own().agent().critic().outputsAreReturns(),
                "logits of a categorical critic cannot be rescaled"));
  }

  /** Compares advantages and returns of production code with the reference. */
  private static Deviation compare(Gae.Input input) {
    Gae.Result actual = Gae.compute(input);
    double[] advantages = ReferenceAdvantages.advantages(input);
    double[] returns = ReferenceAdvantages.sum(advantages, input.values());
    return new Deviation()
        .add(withoutLargest(actual.advantages(), advantages))
        .add(withoutLargest(actual.returns(), returns));
  }

  /** The relative error of the largest number, and that of all others. */
  private static double withoutLargest(double[] actual, double[] expected) {
    int largest = 0;
    for (int i = 1; i < expected.length; i++) {
      largest = Math.abs(expected[i]) > Math.abs(expected[largest]) ? i : largest;
    }
    double[] others = actual.clone();
    double[] wanted = expected.clone();
    double error = Math.abs(actual[largest] - expected[largest]) / Math.abs(expected[largest]);
    others[largest] = 0;
    wanted[largest] = 0;
    return expected[largest] == 0 ? 0 : Math.max(error, Deviation.relative(others, wanted));
  }

  private static Deviation movedEnds(AuditSubject subject) {
    Gae.Input input = subject.own().collected();
    RandomStream random = RandomStream.of(subject.config().seed(), "audit/ends", 0);
    int size = input.rewards().length;
    boolean[] terminated = new boolean[size];
    boolean[] truncated = new boolean[size];
    double[] bootstraps = new double[size];
    for (int i = 0; i < size; i++) {
      terminated[i] = random.nextInt(6) == 0;
      truncated[i] = !terminated[i] && random.nextInt(5) == 0;
      bootstraps[i] = input.values()[random.nextInt(size)] + random.nextGaussian();
    }
    double[] rewards = input.rewards().clone();
    int large = size / 2 / input.environments() * input.environments();
    rewards[large] = 1e9; // alone in its episode: the limit affects no other step
    for (int at = large;
        at >= 0 && at >= large - input.environments();
        at -= input.environments()) {
      terminated[at] = true;
      truncated[at] = false;
    }
    return compare(
        new Gae.Input(
            input.environments(),
            rewards,
            input.values(),
            terminated,
            truncated,
            bootstraps,
            input.lastValues(),
            input.gamma(),
            input.lambda()));
  }

  private static TrainingTargets estimates(
      SampleRollout sample, double[] advantages, double[] returns) {
    return estimates(sample, advantages, returns, sample.config().rollout(), sample.scale());
  }

  private static TrainingTargets estimates(
      SampleRollout sample,
      double[] advantages,
      double[] returns,
      RolloutConfig config,
      ReturnScale scale) {
    return TrainingTargets.of(
        new Gae.Result(advantages, returns),
        ReturnTargets.ofMeans(returns),
        sample.collected().environments(),
        config,
        scale);
  }

  private static Deviation advantages(AuditSubject subject) {
    SampleRollout sample = subject.own();
    Gae.Result gae = Gae.compute(sample.collected());
    double[] actual = estimates(sample, gae.advantages(), gae.returns()).advantages();
    double[] expected =
        ReferenceAdvantages.normalized(
            gae.advantages(),
            sample.collected().environments(),
            sample.config().rollout(),
            sample.scale());
    // a floor that acts: a hundred times the deviation of returns
    RolloutConfig floored =
        SampleConfig.with(sample.config(), "rollout.advantageFloor=1").rollout();
    ReturnScale wide = new ReturnScale(sample.scale().mean(), 100 * sample.scale().std());
    return new Deviation()
        .add(actual, expected)
        .add(
            estimates(sample, gae.advantages(), gae.returns(), floored, wide).advantages(),
            ReferenceAdvantages.normalized(
                gae.advantages(), sample.collected().environments(), floored, wide))
        .note(
            "mean %s, standard deviation %s after normalisation",
            ReferenceMath.mean(actual), ReferenceMath.deviation(actual, 1));
  }

  private static Deviation targets(AuditSubject subject) {
    SampleRollout sample = subject.own();
    Gae.Result gae = Gae.compute(sample.collected());
    double[] returns = gae.returns().clone();
    returns[returns.length / 2] = sample.scale().mean() + 1000 * sample.scale().std();
    TrainingTargets actual = estimates(sample, gae.advantages(), returns);
    double[] expected = ReferenceAdvantages.targets(returns, sample.scale());
    double[] particles = ReferenceMath.doubles(actual.particles());
    return Deviation.of(Deviation.relative(actual.targets(), expected))
        .require(Deviation.relative(particles, expected) <= SINGLE);
  }

  private static Deviation returnScale(AuditSubject subject) {
    Deviation deviation = new Deviation();
    double[] returns = ReferenceTargets.of(subject.own()).returns();
    Gae.Input input = subject.own().collected();
    for (ReturnScaleConfig.Mode mode : ReturnScaleConfig.Mode.values()) {
      for (ReturnScaleConfig.Spread spread : ReturnScaleConfig.Spread.values()) {
        ReturnScaleConfig config =
            SampleConfig.with(
                    subject.own().config(),
                    "returns.mode=" + SettingNames.written(mode),
                    "returns.spread=" + SettingNames.written(spread))
                .returns();
        ReturnScaleTracker statistics = new ReturnScaleTracker(config);
        statistics.begin( // its scale is no cycle
            input.rewards(),
            input.terminated(),
            input.truncated(),
            input.environments(),
            input.gamma());
        ReferenceAdvantages.Scale expected = new ReferenceAdvantages.Scale(0, 1, 0, 0);
        for (int cycle = 0; cycle < 6; cycle++) {
          double factor = Math.pow(1.5, cycle);
          double[] grown = Arrays.stream(returns).map(value -> factor * value + factor).toArray();
          ReturnScale actual = statistics.commit(grown);
          expected = ReferenceAdvantages.committed(expected, grown, config);
          deviation.add(
              Deviation.relative(
                  new double[] {actual.mean(), actual.std()},
                  new double[] {expected.mean(), expected.std()}));
        }
      }
    }
    return deviation;
  }

  private static Deviation rescale(AuditSubject subject) {
    SampleRollout sample = subject.own();
    ReturnScale before = sample.scale();
    ReturnScale after = new ReturnScale(before.mean() + 2 * before.std(), 3 * before.std());
    AgentModel model = sample.anotherModel(sample.config());
    double[] raw = rawValues(sample, model.agent(), before);
    for (Linear head : model.network().rescaledHeads()) {
      ValueHeadRescale.apply(model.parameters(), head, before, after);
    }
    double[] rescaled = rawValues(sample, model.agent(), after);
    return Deviation.of(Deviation.absolute(rescaled, raw) / after.std());
  }

  /** The outputs of all critics for all rows in raw units. */
  private static double[] rawValues(SampleRollout sample, ActingModel agent, ReturnScale scale) {
    return Arrays.stream(SamplePredictions.of(sample, agent).pass().values())
        .flatMapToDouble(outputs -> Arrays.stream(ReferenceMath.doubles(outputs)))
        .map(output -> output * scale.std() + scale.mean())
        .toArray();
  }
}
