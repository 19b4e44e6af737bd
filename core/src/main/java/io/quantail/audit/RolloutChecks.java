package io.quantail.audit;

import io.quantail.audit.slow.Experience;
import io.quantail.audit.slow.Numbers;
import io.quantail.audit.slow.SlowNetwork;
import io.quantail.env.Step;
import io.quantail.kernel.Workspace;
import io.quantail.nn.NetworkPass;
import io.quantail.nn.Parameters;
import io.quantail.nn.PolicyDistribution;
import io.quantail.nn.RecurrentState;
import io.quantail.nn.Sequences;
import io.quantail.rollout.Agent;
import io.quantail.rollout.AgentModel;
import io.quantail.rollout.Gae;
import io.quantail.rollout.SequenceBatch;
import io.quantail.state.StateMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Whether a rollout holds what happened, and whether memory is what it should be. */
final class RolloutChecks {
  private static final String TOPIC = "rollout";
  private static final double SINGLE_PRECISION = 2e-5; // relative, through a whole network

  private RolloutChecks() {}

  static List<AuditCheck> all() {
    return List.of(
        AuditCheck.of(
                TOPIC,
                "stored-transitions",
                "ENV-1",
                "rewards and ends in the rollout with what the environments answered",
                RolloutChecks::stored)
            .exercising("Lane Collector Rollout VectorEnvironment"),
        AuditCheck.of(
                TOPIC,
                "normaliser-frozen",
                "NORM-1",
                "observations the network saw with those normalised by the statistics from before",
                RolloutChecks::normalizer)
            .exercising("Agent ObservationNormalizer"),
        AuditCheck.of(
                TOPIC,
                "normaliser-update",
                "NORM-1",
                "observation statistics after a rollout with the moments of all that was seen",
                RolloutChecks::statistics)
            .exercising("AgentModel ObservationNormalizer RunningMoments"),
        AuditCheck.of(
                TOPIC,
                "initial-weights",
                "NET-1",
                "first weights of a new network: rows or columns at right angles with their gain,"
                    + " memories within their bound, biases zero",
                RolloutChecks::initial)
            .exercising("Initializer ParameterLayout Trunk ActionHead ActorCritic AgentModel"),
        AuditCheck.of(
                TOPIC,
                "values-and-log-probabilities",
                "NET-1 TWIN-1 RET-1",
                "stored values (lowest critic mean, raw units) and log-probabilities with the reference"
                    + " network stepped through the rollout",
                RolloutChecks::carried)
            .exercising(
                "Lane PolicyRunner ActorCritic NetworkPass Trunk LstmLayer LstmGates Affine Weights PanelFactor RowFactor Products SkipLayers SingleLayer Nonlinearity Tanh ActionHead GaussianPolicy CategoricalPolicy Critic QuantileCritic CategoricalCritic ReturnScale Gates Tangent Polynomials Tiles Lanes"),
        AuditCheck.of(
                TOPIC,
                "stored-state",
                "NET-2",
                "recurrent state before each window with the one carried on step by step",
                RolloutChecks::windowStates)
            .exercising("Lane PolicyRunner RecurrentState SequenceBatch LstmLayer LstmGates Gates"),
        AuditCheck.of(
                TOPIC,
                "bootstraps",
                "GAE-2",
                "values after truncations and after the last step with the reference network, one step"
                    + " on",
                RolloutChecks::bootstraps)
            .exercising("Lane PolicyRunner Critic ReturnScale"),
        AuditCheck.of(
                TOPIC,
                "stepwise-against-sequence",
                "NET-2",
                "outputs of whole sequences with those of single steps, and with the reference network"
                    + " from the stored states on",
                RolloutChecks::sequences)
            .exercising("SequenceBatch Packing NetworkPass LstmLayer ActorCritic"),
        AuditCheck.of(
                TOPIC,
                "reset-isolation",
                "NET-2",
                "next states of the other environments with and without a reset of one",
                RolloutChecks::reset)
            .exercising("RecurrentState ActorCritic LstmLayer"),
        AuditCheck.of(
                TOPIC,
                "first-pass-ratio",
                "NET-2 POL-1",
                "probability ratio of every action before the first update with 1",
                RolloutChecks::firstRatio)
            .exercising("SequenceBatch Lane GaussianPolicy CategoricalPolicy"));
  }

  private static Outcome stored(AuditSubject subject) {
    Sample sample = subject.own();
    Gae.Input collected = sample.collected();
    int environments = collected.environments();
    int wrong = 0;
    int cut = 0;
    int over = 0;
    for (int at = 0; at < collected.rewards().length; at++) {
      Step step = sample.witnesses().get(at % environments).steps().get(at / environments);
      boolean same =
          collected.rewards()[at] == step.reward()
              && collected.terminated()[at] == step.terminated()
              && collected.truncated()[at] == (step.truncated() && !step.terminated());
      wrong += same ? 0 : 1;
      cut += collected.truncated()[at] ? 1 : 0;
      over += collected.terminated()[at] ? 1 : 0;
    }
    return Outcome.of(
        wrong == 0,
        "%d of %d differ".formatted(wrong, collected.rewards().length),
        "0",
        "%d terminations and %d truncations among the transitions".formatted(over, cut));
  }

  private static Outcome normalizer(AuditSubject subject) {
    Sample sample = subject.own();
    if (!sample.config().environment().normalizeObservations()) {
      return Outcome.skipped("environment.normalizeObservations is false");
    }
    float[] raw = sample.rollout().rawObservations();
    int size = sample.observationSize();
    double worst = 0;
    for (int at = 0; at < sample.experience().size(); at++) {
      double[] expected =
          Observations.normalized(sample, Arrays.copyOfRange(raw, at * size, (at + 1) * size));
      worst = Math.max(worst, Deviation.absolute(sample.experience().observations()[at], expected));
    }
    return Outcome.error(worst, 1e-5, "statistics moved during the rollout, or differ in formula");
  }

  private static Outcome statistics(AuditSubject subject) {
    Sample sample = subject.own();
    if (!sample.config().environment().normalizeObservations()) {
      return Outcome.skipped("environment.normalizeObservations is false");
    }
    int size = sample.observationSize();
    float[] raw = sample.rollout().rawObservations();
    AgentModel model = sample.anotherModel(sample.config());
    model.observe(raw);
    StateMap after = new StateMap();
    model.save(after);
    StateMap before = sample.before().child("agent").child("normalizer");
    double count = before.doubleValue("count");
    double[] mean = before.doubles("mean", size);
    double[] variance = before.doubles("variance", size);
    double[] newMean = after.child("normalizer").doubles("mean", size);
    double[] newVariance = after.child("normalizer").doubles("variance", size);
    int rows = raw.length / size;
    double worst = 0;
    for (int i = 0; i < size; i++) {
      double sum = count * mean[i];
      for (int row = 0; row < rows; row++) {
        sum += raw[row * size + i];
      }
      double expected = sum / (count + rows);
      double squares = count * (variance[i] + Math.pow(mean[i] - expected, 2));
      for (int row = 0; row < rows; row++) {
        squares += Math.pow(raw[row * size + i] - expected, 2);
      }
      double unit = 1e-9 + squares / (count + rows);
      worst = Math.max(worst, Math.abs(newMean[i] - expected) / Math.sqrt(unit));
      worst = Math.max(worst, Math.abs(newVariance[i] - squares / (count + rows)) / unit);
    }
    return Outcome.error(worst, 1e-8, "what is seen is brought to another scale than its own");
  }

  private static Outcome initial(AuditSubject subject) {
    Sample sample = subject.own();
    AgentModel fresh =
        new AgentModel(sample.config(), sample.observationSize(), sample.actionSpace());
    float[] values = fresh.parameters().values();
    double bound = 1 / Math.sqrt(sample.config().network().hidden());
    double worst = 0;
    for (Parameters.Slot slot : sample.slots()) {
      int from = (int) slot.offset();
      double[] numbers =
          Numbers.doubles(Arrays.copyOfRange(values, from, from + (int) slot.count()));
      if (slot.name().contains(".weight_")) {
        double largest = Arrays.stream(numbers).map(Math::abs).max().orElseThrow() / bound;
        worst = Math.max(worst, largest > 1 + 1e-6 || largest < 0.5 ? largest : 0);
      } else if (slot.name().endsWith(".weight")) {
        worst = Math.max(worst, angles(numbers, slot, gain(slot.name())));
      } else {
        worst = Math.max(worst, Arrays.stream(numbers).map(Math::abs).max().orElseThrow());
      }
    }
    return Outcome.error(worst, 1e-5, "training begins elsewhere than it is said to");
  }

  private static double gain(String name) {
    if (name.startsWith("actor.head")) {
      return 0.1;
    }
    return name.startsWith("critic.head") || name.contains(".skip.") ? 1 : Math.sqrt(2);
  }

  /** How far the products of the rows, or of the columns where these are fewer, are off. */
  private static double angles(double[] matrix, Parameters.Slot slot, double gain) {
    int rows = (int) slot.dimensions()[0];
    int columns = (int) slot.dimensions()[1];
    int fewer = Math.min(rows, columns);
    double worst = 0;
    for (int a = 0; a < fewer; a++) {
      for (int b = 0; b <= a; b++) {
        double product = 0;
        for (int k = 0; k < Math.max(rows, columns); k++) {
          product +=
              rows <= columns
                  ? matrix[a * columns + k] * matrix[b * columns + k]
                  : matrix[k * columns + a] * matrix[k * columns + b];
        }
        worst = Math.max(worst, Math.abs(product - (a == b ? gain * gain : 0)));
      }
    }
    return worst;
  }

  private static Outcome carried(AuditSubject subject) {
    Sample sample = subject.own();
    Replay replay = subject.shared("replay", () -> Replay.of(sample));
    double values = spreadError(sample, sample.collected().values(), replay.values());
    double logs =
        Deviation.absolute(sample.experience().logProbabilities(), replay.logProbabilities());
    return Outcome.noted(
        Math.max(values, logs / 10),
        SINGLE_PRECISION,
        "values are off by %s deviations of returns, log-probabilities by %s"
            .formatted(Outcome.number(values), Outcome.number(logs)));
  }

  /** Difference of values in units of the return scale. */
  private static double spreadError(Sample sample, double[] actual, double[] expected) {
    double mean = Math.abs(sample.scale().mean());
    return Deviation.absolute(actual, expected) / (sample.scale().std() + 0.01 * mean);
  }

  private static Outcome windowStates(AuditSubject subject) {
    Sample sample = subject.own();
    if (sample.rollout().shape().recurrentLayers() == 0) {
      return Outcome.skipped("network.memory is none");
    }
    Replay replay = subject.shared("replay", () -> Replay.of(sample));
    double worst = 0;
    for (int window = 0; window < replay.carried().length; window++) {
      SlowNetwork.State stored = sample.experience().windowStates()[window];
      SlowNetwork.State carried = replay.carried()[window];
      for (int slot = 0; slot < stored.hidden().length; slot++) {
        worst = Math.max(worst, Deviation.absolute(stored.hidden()[slot], carried.hidden()[slot]));
        worst = Math.max(worst, Deviation.absolute(stored.cell()[slot], carried.cell()[slot]) / 10);
      }
    }
    return Outcome.error(
        worst,
        SINGLE_PRECISION,
        "the memory missed an observation, took one twice, or was not emptied where an episode"
            + " began");
  }

  private static Outcome bootstraps(AuditSubject subject) {
    Sample sample = subject.own();
    Replay replay = subject.shared("replay", () -> Replay.of(sample));
    Gae.Input collected = sample.collected();
    double worst = 0;
    int cut = 0;
    for (int at = 0; at < collected.rewards().length; at++) {
      if (collected.truncated()[at]) {
        cut++;
        worst =
            Math.max(
                worst,
                spreadError(sample, one(collected.bootstrap()[at]), one(replay.bootstraps()[at])));
      }
    }
    int steps = collected.rewards().length / collected.environments();
    for (int e = 0; e < collected.environments(); e++) {
      if (!sample.experience().ends()[(steps - 1) * collected.environments() + e]) {
        worst =
            Math.max(
                worst,
                spreadError(sample, one(collected.lastValues()[e]), one(replay.lastValues()[e])));
      }
    }
    return Outcome.noted(
        worst, SINGLE_PRECISION, "at %d truncations and after the last step".formatted(cut));
  }

  private static double[] one(double value) {
    return new double[] {value};
  }

  private static Outcome sequences(AuditSubject subject) {
    Sample sample = subject.own();
    Agent agent = sample.agent();
    double worst = 0;
    double reference = 0;
    for (int window : sample.allWindows()) {
      Sequences whole = new SequenceBatch(sample.rollout(), new int[] {window}).sequences();
      List<double[]> expected =
          outputs(agent.network().evaluate(new Workspace(), agent.inference(), whole));
      worst = Math.max(worst, stepwise(sample, window, expected));
      reference = Math.max(reference, referenceError(sample, window, expected));
    }
    return Outcome.of(
        worst <= 1e-6 && reference <= SINGLE_PRECISION,
        Outcome.number(Math.max(worst, reference)),
        "<= " + Outcome.number(SINGLE_PRECISION),
        "single steps %s, reference network %s"
            .formatted(Outcome.number(worst), Outcome.number(reference)));
  }

  private static double referenceError(Sample sample, int window, List<double[]> actual) {
    Experience experience = sample.experience();
    SlowNetwork network = sample.slowNetwork();
    double[] parameters = sample.parameters();
    SlowNetwork.State state = experience.windowStates()[window].copy();
    double worst = 0;
    for (int row = 0; row < experience.window(); row++) {
      int at = experience.transition(window, row);
      if (row > 0 && experience.ends()[experience.transition(window, row - 1)]) {
        state = network.start();
      }
      SlowNetwork.Output output = network.step(parameters, experience.observations()[at], state);
      double[] values = Arrays.stream(output.critics()).flatMapToDouble(Arrays::stream).toArray();
      double[] actions = Arrays.copyOf(output.policy(), actual.get(2 * row).length);
      worst = Math.max(worst, scaledError(actual.get(2 * row), actions));
      worst = Math.max(worst, scaledError(actual.get(2 * row + 1), values));
    }
    return worst;
  }

  private static double scaledError(double[] actual, double[] expected) {
    double size = Math.max(1, Arrays.stream(expected).map(Math::abs).max().orElseThrow());
    return Deviation.absolute(actual, expected) / size;
  }

  /** All outputs of each row. */
  private static List<double[]> outputs(NetworkPass pass) {
    List<double[]> rows = new ArrayList<>();
    for (int row = 0; row < pass.actions().length; row++) {
      rows.add(Numbers.doubles(pass.actions()[row]));
      rows.add(Numbers.doubles(pass.values()[row]));
    }
    return rows;
  }

  private static double stepwise(Sample sample, int window, List<double[]> expected) {
    Experience experience = sample.experience();
    Agent agent = sample.agent();
    RecurrentState state = asState(experience.windowStates()[window]);
    double worst = 0;
    for (int row = 0; row < experience.window(); row++) {
      int at = experience.transition(window, row);
      if (row > 0 && experience.ends()[experience.transition(window, row - 1)]) {
        state = agent.network().initialState(1);
      }
      float[][] observation = {Numbers.floats(experience.observations()[at])};
      NetworkPass pass =
          agent.network().step(new Workspace(), agent.inference(), observation, state);
      List<double[]> actual = outputs(pass);
      for (int part = 0; part < 2; part++) {
        worst = Math.max(worst, scaledError(actual.get(part), expected.get(2 * row + part)));
      }
      state = pass.next();
    }
    return worst;
  }

  private static RecurrentState asState(SlowNetwork.State state) {
    return new RecurrentState(planes(state.hidden()), planes(state.cell()));
  }

  private static float[][][] planes(double[][] rows) {
    float[][][] planes = new float[rows.length][1][];
    for (int slot = 0; slot < rows.length; slot++) {
      planes[slot][0] = Numbers.floats(rows[slot]);
    }
    return planes;
  }

  private static Outcome reset(AuditSubject subject) {
    Sample sample = subject.own();
    Agent agent = sample.agent();
    if (agent.network().stateSlots() == 0) {
      return Outcome.skipped("network.memory is none");
    }
    int rows = 3;
    float[][] observations = new float[rows][];
    for (int row = 0; row < rows; row++) {
      observations[row] = Numbers.floats(sample.experience().observations()[row]);
    }
    RecurrentState state =
        agent
            .network()
            .step(
                new Workspace(),
                agent.inference(),
                observations,
                agent.network().initialState(rows))
            .next();
    RecurrentState reset = state.startEpisodes(new boolean[] {false, true, false});
    double[] kept = Numbers.doubles(hidden(agent, observations, state));
    double[] changed = Numbers.doubles(hidden(agent, observations, reset));
    double[] fresh =
        Numbers.doubles(hidden(agent, observations, agent.network().initialState(rows)));
    double others = 0;
    double own = 0;
    int width = agent.network().width();
    for (int i = 0; i < kept.length; i++) {
      boolean of = i / width % rows == 1;
      others = of ? others : Math.max(others, Math.abs(kept[i] - changed[i]));
      own = of ? Math.max(own, Math.abs(fresh[i] - changed[i])) : own;
    }
    return Outcome.noted(
        Math.max(others, own),
        0,
        "others changed by %s, the reset one differs from a fresh one by %s"
            .formatted(Outcome.number(others), Outcome.number(own)));
  }

  private static float[] hidden(Agent agent, float[][] observations, RecurrentState state) {
    return RecurrentState.flat(
        agent
            .network()
            .step(new Workspace(), agent.inference(), observations, state)
            .next()
            .hidden());
  }

  private static Outcome firstRatio(AuditSubject subject) {
    Sample sample = subject.own();
    SamplePredictions predictions = SamplePredictions.of(sample);
    SequenceBatch batch = predictions.batch();
    PolicyDistribution policy = predictions.pass().policy();
    float[] raw = batch.rawActions();
    float[] then = batch.logProbabilities();
    double worst = 0;
    for (int row = 0; row < then.length; row++) {
      policy.set(predictions.pass().actions()[row]);
      float now = (float) policy.logProbability(raw, row * batch.actionSize());
      worst = Math.max(worst, Math.abs(Math.expm1((double) now - then[row])));
    }
    return Outcome.error(
        worst, 1e-6, "actions are judged by another policy than the one that took them");
  }
}
