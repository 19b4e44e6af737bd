package io.quantail.audit;

import static io.quantail.audit.AuditCheck.check;

import io.quantail.audit.reference.ReferenceMath;
import io.quantail.audit.reference.ReferenceNetwork;
import io.quantail.audit.reference.ReferencePolicy;
import io.quantail.audit.reference.ReferenceRisk;
import io.quantail.config.EnvironmentConfig;
import io.quantail.config.EvaluationConfig;
import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.Step;
import io.quantail.model.ActingModel;
import io.quantail.model.PolicyRunner;
import io.quantail.network.NetworkPass;
import io.quantail.random.RandomStream;
import io.quantail.train.EvaluationSummary;
import io.quantail.train.Evaluator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Actions of the agent in training and evaluation. */
final class ActingChecks {
  private static final double SINGLE = 2e-5; // through a whole network
  private static final double MOST_SIGMAS = 8; // draws are limited to this
  private static final int EPISODES = 6;

  private ActingChecks() {}

  static List<AuditCheck> all() {
    return AuditCheck.topic(
        "acting",
        check("chosen-actions", "NET-3", SINGLE, ActingChecks::chosen)
            .compares(
                "most likely and drawn actions of PolicyRunner over whole episodes with the"
                    + " reference policy and the same random numbers")
            .exercises(
                "PolicyRunner GaussianPolicy StateDependentPolicy ExplorationMatrices"
                    + " CategoricalPolicy ProductPolicy PolicyHead NetworkPass RecurrentState ActingModel"
                    + " ObservationNormalizer"),
        check("state-dependent-exploration", "EXPL-1", SINGLE, ActingChecks::exploration)
            .compares(
                "actions of the rollout with exploration matrices drawn at their address at the"
                    + " start of the rollout and of each episode, times the reference network's"
                    + " features")
            .exercises(
                "StateDependentPolicy DeviationBounds ExplorationMatrices ExplorationStreams"
                    + " PolicyRunner EnvironmentGroup RolloutCollector")
            .failureMeans("exploration depends on threads or on a resume, or is not the stated one")
            .unless(ActingChecks::notStateDependent, "network.exploration is gaussian"),
        check("actions-given", "NET-3 ENV-1", 1e-6, ActingChecks::given)
            .compares(
                "actions that the environments of the rollout received with the drawn ones,"
                    + " squashed and scaled to their bounds")
            .exercises("EnvironmentGroup ActorCritic PolicyHead Squashing")
            .failureMeans("environments receive other actions than were drawn"),
        check("evaluation", "NET-3 ENV-3", SINGLE, ActingChecks::evaluation)
            .compares(
                "actions and returns of Evaluator, most likely and drawn, with the reference"
                    + " policy and the sums of the rewards")
            .exercises("Evaluator PolicyRunner ActorCritic PolicyHead"));
  }

  /** The reference policy, which advances a recurrent state. */
  private record Reference(SampleRollout sample, double[] parameters, ReferenceNetwork network) {
    static Reference of(SampleRollout sample) {
      return new Reference(sample, sample.parameters(), sample.referenceNetwork());
    }

    /** Advances by an observation; masked choices have no probability. */
    ReferenceNetwork.Output step(
        float[] observation, boolean[] mask, ReferenceNetwork.State state) {
      ReferenceNetwork.Output output =
          network.step(parameters, RolloutReplay.normalized(sample, observation), state);
      return new ReferenceNetwork.Output(
          sample.referencePolicy().masked(output.policy(), mask),
          output.critics(),
          output.features());
    }
  }

  private static boolean notStateDependent(AuditSubject subject) {
    return subject.config().network().exploration() != NetworkConfig.Exploration.GSDE;
  }

  /** The random numbers of the draws of one environment. */
  private static final class Draws {
    private final Reference reference;
    private final RandomStream stream;
    private double[] matrix = {}; // of state-dependent exploration; empty before it is drawn

    Draws(Reference reference, RandomStream stream) {
      this.reference = reference;
      this.stream = stream;
    }

    void startEpisode() {
      matrix = new double[0];
    }

    /** The noise of each component of a box in standard deviations. */
    double[] noise(ReferenceNetwork.Output output, int size) {
      ReferenceNetwork network = reference.network;
      if (!network.stateDependent()) {
        return ReferenceMath.gaussian(stream, size);
      }
      if (matrix.length == 0) {
        matrix = network.explorationMatrix(reference.parameters, stream);
      }
      return network.noise(reference.parameters, output.features(), matrix);
    }
  }

  /**
   * The raw action that a policy takes.
   *
   * @param draws random numbers; null for the most likely action
   */
  private static double[] rawAction(
      SampleRollout sample, ReferenceNetwork.Output output, @Nullable Draws draws) {
    double[] raw = new double[sample.actionSpace().size()];
    for (ReferencePolicy.Part part : sample.referencePolicy().parts()) {
      double[] policy = part.of(output.policy());
      if (!part.continuous()) {
        raw[part.action()] =
            draws == null
                ? mostLikely(policy)
                : drawn(ReferencePolicy.probabilities(policy), draws.stream.nextDouble());
        continue;
      }
      int size = part.size();
      double[] noise = draws == null ? new double[size] : draws.noise(output, size);
      for (int i = 0; i < size; i++) {
        double z = ReferenceMath.clip(noise[i], -MOST_SIGMAS, MOST_SIGMAS);
        raw[part.action() + i] = policy[i] + policy[size + i] * z;
      }
    }
    return raw;
  }

  private static int mostLikely(double[] policy) {
    int best = 0;
    for (int i = 1; i < policy.length; i++) {
      best = policy[i] > policy[best] ? i : best;
    }
    return best;
  }

  /** The first action at which the cumulated probabilities exceed a uniform number. */
  private static int drawn(double[] probabilities, double uniform) {
    double sum = 0;
    int last = 0;
    for (int i = 0; i < probabilities.length; i++) {
      sum += probabilities[i];
      if (uniform < sum) {
        return i;
      }
      last = probabilities[i] > 0 ? i : last;
    }
    return last;
  }

  /** The error of a raw action in standard deviations; 1 for another discrete action. */
  private static double rawError(
      SampleRollout sample,
      ReferenceNetwork.Output output,
      float[] raw,
      int offset,
      @Nullable Draws draws) {
    double[] expected = rawAction(sample, output, draws);
    Deviation deviation = new Deviation();
    for (ReferencePolicy.Part part : sample.referencePolicy().parts()) {
      for (int i = part.action(); i < part.action() + part.size(); i++) {
        if (part.continuous()) {
          double sigma = part.of(output.policy())[part.size() + i - part.action()];
          deviation.add(raw[offset + i], expected[i], sigma + Math.abs(expected[i]));
        } else {
          deviation.add(raw[offset + i] == expected[i] ? 0 : 1);
        }
      }
    }
    return deviation.error();
  }

  private static Deviation chosen(AuditSubject subject) {
    SampleRollout sample = subject.own();
    ActingModel agent = sample.agent();
    Reference reference = Reference.of(sample);
    int environments = sample.experience().environments();
    int size = agent.network().actionSize();
    int features = sample.observationSpace().size();
    float[] raw = sample.rollout().rawObservations();
    PolicyRunner runner = new PolicyRunner(agent, environments);
    long seed = sample.config().seed();
    RandomStream[] streams = RandomStream.array(seed, "audit/act", environments);
    Draws[] same = new Draws[environments];
    Arrays.setAll(same, e -> new Draws(reference, RandomStream.of(seed, "audit/act", e)));
    ReferenceNetwork.State[] states = new ReferenceNetwork.State[environments];
    Arrays.setAll(states, e -> reference.network.start());
    Deviation modes = new Deviation();
    Deviation draws = new Deviation();
    for (int first = 0; first < sample.experience().size(); first += environments) {
      float[] now = Arrays.copyOfRange(raw, first * features, (first + environments) * features);
      int choices = sample.rollout().shape().maskSize();
      boolean[] masks =
          Arrays.copyOfRange(
              sample.rollout().masks(), first * choices, (first + environments) * choices);
      NetworkPass pass = runner.step(now, masks);
      float[] likely = runner.rawActions(pass, null, 0);
      float[] drawn = runner.rawActions(pass, streams, 0);
      for (int e = 0; e < environments; e++) {
        float[] observation = Arrays.copyOfRange(now, e * features, (e + 1) * features);
        boolean[] mask = sample.experience().masks()[first + e];
        ReferenceNetwork.Output output = reference.step(observation, mask, states[e]);
        modes.add(rawError(sample, output, likely, e * size, null));
        draws.add(rawError(sample, output, drawn, e * size, same[e]));
        if (sample.experience().ends()[first + e]) {
          runner.start(e);
          same[e].startEpisode();
          states[e] = reference.network.start();
        }
      }
    }
    return Deviation.of(Math.max(modes.error(), draws.error()))
        .note("most likely %s, drawn %s", modes.error(), draws.error());
  }

  private static Deviation exploration(AuditSubject subject) {
    SampleRollout sample = subject.own();
    Reference reference = Reference.of(sample);
    ReferenceNetwork.Output[] outputs = RolloutReplay.of(subject).outputs();
    int environments = sample.experience().environments();
    int size = sample.agent().network().actionSize();
    float[] raw = sample.rollout().rawActions();
    Deviation deviation = new Deviation();
    int matrices = 0;
    for (int e = 0; e < environments; e++) {
      Draws draws = new Draws(reference, address(sample, e, 0));
      int count = 1;
      for (int at = e; at < outputs.length; at += environments) {
        deviation.add(rawError(sample, outputs[at], raw, at * size, draws));
        if (sample.experience().ends()[at]) {
          draws = new Draws(reference, address(sample, e, count++));
        }
      }
      matrices += count;
    }
    return deviation.note("%d matrices in %d environments", matrices, environments);
  }

  private static RandomStream address(SampleRollout sample, int environment, int draw) {
    long index = environment * (1L << 32) + draw;
    return RandomStream.of(sample.config().seed(), "gsde/" + sample.updates(), index);
  }

  private static Deviation given(AuditSubject subject) {
    SampleRollout sample = subject.own();
    int environments = sample.experience().environments();
    Deviation deviation = new Deviation();
    for (int at = 0; at < sample.experience().size(); at++) {
      float[] actual = sample.witnesses().get(at % environments).actions().get(at / environments);
      deviation.add(actionError(sample, actual, sample.experience().rawActions()[at]));
    }
    return deviation;
  }

  /** The error of an action that an environment received, in units of the action's range. */
  private static double actionError(SampleRollout sample, float[] actual, double[] raw) {
    Deviation deviation = new Deviation();
    for (ReferencePolicy.Part part : sample.referencePolicy().parts()) {
      for (int i = 0; i < part.size(); i++) {
        int at = part.action() + i;
        if (!(part.space() instanceof ActionSpace.Box box)) {
          deviation.add(actual[at], raw[at]);
          continue;
        }
        double range = (double) box.high()[i] - box.low()[i];
        double squashed = part.squashed(raw[at]);
        boolean sigmoid = part.squash() == NetworkConfig.Squash.SIGMOID;
        double fraction = sigmoid ? squashed : ReferenceMath.clip((1 + squashed) / 2, 0, 1);
        deviation.add(actual[at], box.low()[i] + fraction * range, range);
      }
    }
    return deviation.error();
  }

  private static Deviation evaluation(AuditSubject subject) {
    double likely = evaluation(subject.own(), true);
    double drawn = evaluation(subject.own(), false);
    return Deviation.of(Math.max(likely, drawn)).note("most likely %s, drawn %s", likely, drawn);
  }

  private static double evaluation(SampleRollout sample, boolean likely) {
    List<RecordingEnvironment> witnesses = new ArrayList<>();
    int longest = 2 * sample.config().ppo().sequenceLength() - 1; // some end one step before
    EvaluationConfig configured = sample.config().evaluation();
    EvaluationConfig config =
        new EvaluationConfig(EPISODES, likely, Math.min(longest, configured.maxEpisodeSteps()));
    long seed = sample.config().seed();
    EnvironmentConfig.Faults faults = sample.config().environment().faults();
    EvaluationSummary result =
        Evaluator.evaluate(
            sample.agent(),
            RecordingEnvironment.recording(sample.factory(), witnesses),
            new Evaluator.Settings(config, faults, sample.config().risk().alpha(), seed));
    long evaluationSeed = RandomStream.of(seed, "evaluation", 0).nextLong();
    RandomStream[] streams = RandomStream.array(evaluationSeed, "action", witnesses.size());
    Deviation deviation = new Deviation();
    double[] returns = new double[witnesses.size()];
    List<Double> rewards = new ArrayList<>();
    double length = 0;
    for (int e = 0; e < returns.length; e++) {
      Played played =
          played(sample, witnesses.get(e), likely ? null : streams[e], config.maxEpisodeSteps());
      returns[e] = played.total();
      rewards.addAll(played.rewards);
      length += (double) played.rewards.size() / returns.length;
      deviation.add(played.error);
    }
    double[] actual = {
      result.episodes(),
      result.meanReturn(),
      result.stdReturn(),
      result.minReturn(),
      result.maxReturn(),
      result.meanLength(),
      result.cvarReward(),
      result.cvarReturn()
    };
    double[] expected = {
      EPISODES,
      ReferenceMath.mean(returns),
      ReferenceMath.deviation(returns, 0),
      Arrays.stream(returns).min().orElseThrow(),
      Arrays.stream(returns).max().orElseThrow(),
      length,
      ReferenceRisk.empirical(
          rewards.stream().mapToDouble(Double::doubleValue).toArray(),
          sample.config().risk().alpha(),
          0),
      ReferenceRisk.empirical(returns, sample.config().risk().alpha(), 0)
    };
    return deviation.add(Deviation.relative(actual, expected)).error();
  }

  /** Rewards of an environment's first episode, and the largest error of its actions. */
  private record Played(List<Double> rewards, double error) {
    double total() {
      return rewards.stream().mapToDouble(Double::doubleValue).sum();
    }
  }

  private static Played played(
      SampleRollout sample, RecordingEnvironment witness, @Nullable RandomStream stream, int most) {
    Reference reference = Reference.of(sample);
    Draws draws = stream == null ? null : new Draws(reference, stream);
    ReferenceNetwork.State state = reference.network.start();
    float[] observation = witness.starts().get(0);
    List<Double> rewards = new ArrayList<>();
    Deviation deviation = new Deviation();
    boolean over = false; // the first episode
    int start = 0; // first step of the current episode
    int episode = 0;
    for (int time = 0; time < witness.steps().size(); time++) {
      Step step = witness.steps().get(time);
      boolean[] mask = witness.masks().get(time);
      double[] raw = rawAction(sample, reference.step(observation, mask, state), draws);
      float[] actual = witness.actions().get(time);
      deviation.add(actionError(sample, actual, raw));
      if (!over) {
        rewards.add(step.reward());
      }
      observation = step.observation();
      if (step.done() || time + 1 - start == most) {
        over = true;
        start = time + 1;
        state = reference.network.start();
        if (draws != null) {
          draws.startEpisode();
        }
        observation = witness.starts().get(++episode);
      }
    }
    return new Played(rewards, deviation.error());
  }
}
