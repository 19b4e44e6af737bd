package io.quantail.audit;

import io.quantail.audit.slow.Numbers;
import io.quantail.audit.slow.SlowEstimates;
import io.quantail.config.Names;
import io.quantail.config.ReturnConfig;
import io.quantail.config.ReturnMode;
import io.quantail.config.ReturnSpread;
import io.quantail.config.RolloutConfig;
import io.quantail.critic.Critic;
import io.quantail.critic.HeadRescale;
import io.quantail.critic.ReturnScale;
import io.quantail.critic.ReturnStatistics;
import io.quantail.nn.ParameterLayout.Linear;
import io.quantail.ppo.Estimates;
import io.quantail.random.RandomStream;
import io.quantail.rollout.Agent;
import io.quantail.rollout.AgentModel;
import io.quantail.rollout.Gae;
import java.util.Arrays;
import java.util.List;

/** Advantages, returns and the units in which critics see them. */
final class EstimateChecks {
  private static final String TOPIC = "estimates";
  private static final double EXACT = 1e-10;

  private EstimateChecks() {}

  static List<AuditCheck> all() {
    return List.of(
        AuditCheck.of(
                TOPIC,
                "gae",
                "GAE-1 GAE-2",
                "advantages and returns of the rollout with the sum over deltas, written out",
                EstimateChecks::gae)
            .exercising("Gae"),
        AuditCheck.of(
                TOPIC,
                "gae-with-other-ends",
                "GAE-1 GAE-2",
                "the same after terminations and truncations were put at random places, one reward being"
                    + " so large that it is limited",
                EstimateChecks::movedEnds)
            .exercising("Gae"),
        AuditCheck.of(
                TOPIC,
                "advantage-normalisation",
                "ADV-1 ADV-3",
                "normalised advantages with (A - mean) / std, ddof 1, over the whole rollout",
                EstimateChecks::advantages)
            .exercising("Advantages SampleMoments Estimates"),
        AuditCheck.of(
                TOPIC,
                "targets-never-clipped",
                "RET-1 RET-4",
                "critic targets with (R - mean) / std, one return being a thousand deviations away",
                EstimateChecks::targets)
            .exercising("Estimates ReturnScale"),
        AuditCheck.of(
                TOPIC,
                "return-scale",
                "RET-1 RET-3",
                "scales of six cycles with their definition, in every mode and with every spread",
                EstimateChecks::returnScale)
            .exercising("ReturnStatistics ReturnScale Percentiles Moments"),
        AuditCheck.of(
                TOPIC,
                "head-rescale",
                "RET-2",
                "raw values before and after a change of the return scale",
                EstimateChecks::rescale)
            .exercising("HeadRescale Parameters ReturnScale"));
  }

  private static Outcome gae(AuditSubject subject) {
    return compare(subject.own().collected());
  }

  private static Outcome compare(Gae.Input input) {
    Gae.Result actual = Gae.compute(input);
    double[] advantages = SlowEstimates.advantages(input);
    double[] returns = SlowEstimates.sum(advantages, input.values());
    double error =
        Math.max(
            withoutLargest(actual.advantages(), advantages),
            withoutLargest(actual.returns(), returns));
    return Outcome.error(
        error, EXACT, "a bootstrap is missing or misplaced, or a trace runs past an end");
  }

  /** The largest number has a scale of its own. */
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

  private static Outcome movedEnds(AuditSubject subject) {
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
    rewards[large] = 1e9; // alone in its episode: the limit reaches no other step
    terminated[large] = true;
    truncated[large] = false;
    if (large >= input.environments()) {
      terminated[large - input.environments()] = true;
      truncated[large - input.environments()] = false;
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

  private static Outcome advantages(AuditSubject subject) {
    Sample sample = subject.own();
    RolloutConfig config = sample.config().rollout();
    Gae.Result gae = Gae.compute(sample.collected());
    int environments = sample.collected().environments();
    double[] actual = Estimates.of(gae, environments, config, sample.scale()).advantages();
    double[] expected = SlowEstimates.normalized(gae.advantages(), environments, config);
    return Outcome.noted(
        Deviation.absolute(actual, expected),
        EXACT,
        "mean %s, deviation %s after normalisation"
            .formatted(
                Outcome.number(Numbers.mean(actual)),
                Outcome.number(Numbers.deviation(actual, 1))));
  }

  private static Outcome targets(AuditSubject subject) {
    Sample sample = subject.own();
    Gae.Result gae = Gae.compute(sample.collected());
    double[] returns = gae.returns().clone();
    returns[returns.length / 2] = sample.scale().mean() + 1000 * sample.scale().std();
    double[] actual =
        Estimates.of(
                new Gae.Result(gae.advantages(), returns),
                sample.collected().environments(),
                sample.config().rollout(),
                sample.scale())
            .targets();
    return Outcome.error(
        Deviation.relative(actual, SlowEstimates.targets(returns, sample.scale())),
        EXACT,
        "critics would learn other returns than those that were seen");
  }

  private static Outcome returnScale(AuditSubject subject) {
    double worst = 0;
    for (ReturnMode mode : ReturnMode.values()) {
      for (ReturnSpread spread : ReturnSpread.values()) {
        worst = Math.max(worst, scaleError(subject.own(), mode, spread));
      }
    }
    return Outcome.error(worst, 1e-9, "normalised units are not what they are said to be");
  }

  private static double scaleError(Sample sample, ReturnMode mode, ReturnSpread spread) {
    ReturnConfig config =
        SampleSettings.with(
                sample.config(),
                "returns.mode=" + Names.written(mode),
                "returns.spread=" + Names.written(spread))
            .returns();
    double[] returns = ReferenceTargets.of(sample).returns();
    ReturnStatistics statistics = new ReturnStatistics(config);
    SlowEstimates.Scale expected = new SlowEstimates.Scale(0, 1, 0, 0);
    double worst = 0;
    for (int cycle = 0; cycle < 6; cycle++) {
      double factor = Math.pow(1.5, cycle);
      double[] grown = Arrays.stream(returns).map(value -> factor * value + factor).toArray();
      ReturnScale actual = statistics.commit(grown);
      expected = SlowEstimates.committed(expected, grown, config);
      worst =
          Math.max(
              worst,
              Deviation.relative(
                  new double[] {actual.mean(), actual.std()},
                  new double[] {expected.mean(), expected.std()}));
    }
    return worst;
  }

  private static Outcome rescale(AuditSubject subject) {
    Sample sample = subject.own();
    if (!sample.agent().critic().outputsAreReturns()) {
      return Outcome.skipped("logits of a categorical critic cannot follow the scale");
    }
    ReturnScale before = sample.scale();
    ReturnScale after = new ReturnScale(before.mean() + 2 * before.std(), 3 * before.std());
    AgentModel model = sample.anotherModel(sample.config());
    double[] raw = rawValues(sample, model.agent(), before);
    for (Linear head : model.network().valueHeads()) {
      HeadRescale.apply(model.parameters(), head, before, after);
    }
    double error = Deviation.absolute(rawValues(sample, model.agent(), after), raw) / after.std();
    return Outcome.error(error, 1e-5, "values would jump whenever the return scale moves");
  }

  private static double[] rawValues(Sample sample, Agent agent, ReturnScale scale) {
    SamplePredictions predictions = SamplePredictions.of(sample, agent);
    Critic critic = agent.critic();
    double[] values = new double[predictions.rows()];
    Arrays.setAll(
        values, row -> critic.value(predictions.values(row)) * scale.std() + scale.mean());
    return values;
  }
}
