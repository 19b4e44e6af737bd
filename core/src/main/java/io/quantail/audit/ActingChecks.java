package io.quantail.audit;

import io.quantail.audit.slow.Numbers;
import io.quantail.audit.slow.SlowNetwork;
import io.quantail.audit.slow.SlowPolicy;
import io.quantail.config.EvaluationConfig;
import io.quantail.config.FaultConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.Step;
import io.quantail.nn.NetworkPass;
import io.quantail.random.RandomStream;
import io.quantail.rollout.Agent;
import io.quantail.rollout.PolicyRunner;
import io.quantail.train.Evaluation;
import io.quantail.train.Evaluator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What the agent does, in training and when it is judged. */
final class ActingChecks {
  private static final String TOPIC = "acting";
  private static final double SINGLE = 2e-5; // through a whole network
  private static final double MOST_SIGMAS = 8; // draws are brought back to this
  private static final int EPISODES = 6;

  private ActingChecks() {}

  static List<AuditCheck> all() {
    return List.of(
        AuditCheck.of(
                TOPIC,
                "chosen-actions",
                "NET-3",
                "most likely and drawn actions of PolicyRunner, step by step through episodes,"
                    + " with the reference policy and the same random numbers",
                ActingChecks::chosen)
            .exercising(
                "PolicyRunner GaussianPolicy CategoricalPolicy ActionHead NetworkPass"
                    + " RecurrentState Agent ObservationNormalizer"),
        AuditCheck.of(
                TOPIC,
                "actions-given",
                "NET-3 ENV-1",
                "what the environments of the rollout were given with the drawn actions, squashed"
                    + " and stretched to their bounds",
                ActingChecks::given)
            .exercising("Lane ActorCritic ActionHead Squashing"),
        AuditCheck.of(
                TOPIC,
                "evaluation",
                "NET-3 ENV-3",
                "actions and returns of Evaluator, most likely and drawn, with the reference policy"
                    + " and the sums of what its environments paid",
                ActingChecks::evaluation)
            .exercising("Evaluator PolicyRunner ActorCritic ActionHead"));
  }

  /** The policy of one observation, which moves the state on. */
  private record Reference(Sample sample, double[] parameters, SlowNetwork network) {
    static Reference of(Sample sample) {
      return new Reference(sample, sample.parameters(), sample.slowNetwork());
    }

    double[] policy(float[] observation, SlowNetwork.State state) {
      return network.policyStep(parameters, Observations.normalized(sample, observation), state);
    }
  }

  /**
   * How far a raw action is from the one expected, in deviations; 1 for another choice.
   *
   * @param random what the draw uses; null for the most likely action
   */
  private static double distance(
      Sample sample, double[] policy, float[] raw, int offset, RandomStream random) {
    if (sample.actionSpace() instanceof ActionSpace.Discrete) {
      double[] probabilities = SlowPolicy.probabilities(policy);
      int expected = random == null ? best(policy) : drawn(probabilities, random.nextDouble());
      return raw[offset] == expected ? 0 : 1;
    }
    int size = policy.length / 2;
    double worst = 0;
    for (int i = 0; i < size; i++) {
      double z =
          random == null ? 0 : Numbers.clip(random.nextGaussian(), -MOST_SIGMAS, MOST_SIGMAS);
      double expected = policy[i] + policy[size + i] * z;
      double unit = policy[size + i] + Math.abs(expected);
      worst = Math.max(worst, Math.abs(raw[offset + i] - expected) / unit);
    }
    return worst;
  }

  private static int best(double[] policy) {
    int best = 0;
    for (int i = 1; i < policy.length; i++) {
      best = policy[i] > policy[best] ? i : best;
    }
    return best;
  }

  /** The first action at which the probabilities so far exceed a uniform number. */
  private static int drawn(double[] probabilities, double uniform) {
    double sum = 0;
    for (int i = 0; i < probabilities.length; i++) {
      sum += probabilities[i];
      if (uniform < sum) {
        return i;
      }
    }
    return probabilities.length - 1;
  }

  private static Outcome chosen(AuditSubject subject) {
    Sample sample = subject.own();
    Agent agent = sample.agent();
    Reference reference = Reference.of(sample);
    int environments = sample.experience().environments();
    int size = agent.network().actionSize();
    int features = sample.observationSize();
    float[] raw = sample.rollout().rawObservations();
    PolicyRunner runner = new PolicyRunner(agent, environments);
    long seed = sample.config().seed();
    RandomStream[] streams = RandomStream.array(seed, "audit/act", environments);
    RandomStream[] same = RandomStream.array(seed, "audit/act", environments);
    SlowNetwork.State[] states = new SlowNetwork.State[environments];
    Arrays.setAll(states, e -> reference.network.start());
    double modes = 0;
    double draws = 0;
    int steps = sample.experience().size() / environments;
    for (int time = 0; time < steps; time++) {
      int first = time * environments;
      float[] now = Arrays.copyOfRange(raw, first * features, (first + environments) * features);
      NetworkPass pass = runner.step(now);
      float[] likely = runner.rawActions(pass, null, 0);
      float[] drawn = runner.rawActions(pass, streams, 0);
      for (int e = 0; e < environments; e++) {
        float[] seen = Arrays.copyOfRange(now, e * features, (e + 1) * features);
        double[] policy = reference.policy(seen, states[e]);
        modes = Math.max(modes, distance(sample, policy, likely, e * size, null));
        draws = Math.max(draws, distance(sample, policy, drawn, e * size, same[e]));
        if (sample.experience().ends()[first + e]) {
          runner.start(e);
          states[e] = reference.network.start();
        }
      }
    }
    return Outcome.noted(
        Math.max(modes, draws),
        SINGLE,
        "most likely %s, drawn %s".formatted(Outcome.number(modes), Outcome.number(draws)));
  }

  private static Outcome given(AuditSubject subject) {
    Sample sample = subject.own();
    int environments = sample.experience().environments();
    double worst = 0;
    for (int at = 0; at < sample.experience().size(); at++) {
      float[] actual = sample.witnesses().get(at % environments).actions().get(at / environments);
      double[] raw = sample.experience().rawActions()[at];
      worst = Math.max(worst, actionError(sample, actual, raw));
    }
    return Outcome.error(worst, 1e-6, "environments get other actions than were drawn");
  }

  /** In units of the action's range. */
  private static double actionError(Sample sample, float[] actual, double[] raw) {
    if (!(sample.actionSpace() instanceof ActionSpace.Box box)) {
      return Deviation.absolute(Numbers.doubles(actual), raw);
    }
    double worst = 0;
    for (int i = 0; i < raw.length; i++) {
      double range = (double) box.high()[i] - box.low()[i];
      double share =
          switch (sample.slowPolicy().squash()) {
            case SIGMOID -> 1 / (1 + Math.exp(-raw[i]));
            case TANH -> (1 + Math.tanh(raw[i])) / 2;
            case NONE, AUTO -> Numbers.clip((1 + raw[i]) / 2, 0, 1);
          };
      double expected = box.low()[i] + share * range;
      worst = Math.max(worst, Math.abs(actual[i] - expected) / range);
    }
    return worst;
  }

  private static Outcome evaluation(AuditSubject subject) {
    double worst = 0;
    List<String> notes = new ArrayList<>();
    for (boolean likely : new boolean[] {true, false}) {
      double error = evaluation(subject.own(), likely);
      worst = Math.max(worst, error);
      notes.add((likely ? "most likely " : "drawn ") + Outcome.number(error));
    }
    return Outcome.noted(worst, SINGLE, String.join(", ", notes));
  }

  private static double evaluation(Sample sample, boolean likely) {
    List<Witness> witnesses = new ArrayList<>();
    EnvironmentFactory watched =
        index -> {
          Witness witness = new Witness(sample.factory().create(index));
          witnesses.add(witness);
          return witness;
        };
    int longest = 2 * sample.config().ppo().sequenceLength() - 1; // some end one step before
    EvaluationConfig configured = sample.config().evaluation();
    EvaluationConfig config =
        new EvaluationConfig(EPISODES, likely, Math.min(longest, configured.maxEpisodeSteps()));
    long seed = sample.config().seed();
    FaultConfig faults = sample.config().environment().faults();
    Evaluation result = Evaluator.evaluate(sample.agent(), watched, config, faults, seed);
    long evaluationSeed = RandomStream.of(seed, "evaluation", 0).nextLong();
    RandomStream[] streams = RandomStream.array(evaluationSeed, "action", witnesses.size());
    double worst = 0;
    double[] returns = new double[witnesses.size()];
    double length = 0;
    for (int e = 0; e < returns.length; e++) {
      Played played =
          played(sample, witnesses.get(e), likely ? null : streams[e], config.maxEpisodeSteps());
      returns[e] = played.total;
      length += (double) played.steps / returns.length;
      worst = Math.max(worst, played.error);
    }
    double[] actual = {
      result.episodes(),
      result.meanReturn(),
      result.stdReturn(),
      result.minReturn(),
      result.maxReturn(),
      result.meanLength()
    };
    double[] expected = {
      EPISODES,
      Numbers.mean(returns),
      Numbers.deviation(returns, 0),
      Arrays.stream(returns).min().orElseThrow(),
      Arrays.stream(returns).max().orElseThrow(),
      length
    };
    return Math.max(worst, Deviation.relative(actual, expected));
  }

  /** What one environment paid in its first episode, and how far all its actions are off. */
  private record Played(double total, int steps, double error) {}

  private static Played played(Sample sample, Witness witness, RandomStream stream, int most) {
    Reference reference = Reference.of(sample);
    SlowNetwork.State state = reference.network.start();
    float[] observation = witness.starts().get(0);
    double total = 0;
    double worst = 0;
    int first = 0; // steps of the first episode, when it has ended
    int begun = 0; // step with which the present episode began
    int episode = 0;
    for (int time = 0; time < witness.steps().size(); time++) {
      Step step = witness.steps().get(time);
      double[] policy = reference.policy(observation, state);
      worst = Math.max(worst, givenError(sample, policy, witness.actions().get(time), stream));
      total += first == 0 ? step.reward() : 0;
      observation = step.observation();
      if (step.terminated() || step.truncated() || time + 1 - begun == most) {
        first = first == 0 ? time + 1 : first;
        begun = time + 1;
        state = reference.network.start();
        observation = witness.starts().get(++episode);
      }
    }
    return new Played(total, first, worst);
  }

  /** How far an action, as an environment got it, is from the one expected. */
  private static double givenError(
      Sample sample, double[] policy, float[] actual, RandomStream stream) {
    if (sample.actionSpace() instanceof ActionSpace.Discrete) {
      return distance(sample, policy, actual, 0, stream);
    }
    int size = policy.length / 2;
    double[] raw = new double[size];
    for (int i = 0; i < size; i++) {
      double z =
          stream == null ? 0 : Numbers.clip(stream.nextGaussian(), -MOST_SIGMAS, MOST_SIGMAS);
      raw[i] = policy[i] + policy[size + i] * z;
    }
    return actionError(sample, actual, raw);
  }
}
