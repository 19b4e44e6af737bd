package io.quantail.audit;

import static io.quantail.audit.AuditCheck.check;

import io.quantail.audit.reference.ReferenceMath;
import io.quantail.audit.reference.ReferencePolicy;
import io.quantail.audit.reference.ReferenceRollout;
import io.quantail.config.NetworkConfig;
import io.quantail.env.Step;
import io.quantail.model.AgentModel;
import io.quantail.network.Parameters;
import io.quantail.network.PolicyDistribution;
import io.quantail.rollout.Gae;
import io.quantail.rollout.SequenceBatch;
import io.quantail.state.StateMap;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Stored transitions, observations, values and recurrent states of a rollout. */
final class RolloutChecks {
  private static final double SINGLE_PRECISION = 2e-5; // relative, through a whole network

  private RolloutChecks() {}

  static List<AuditCheck> all() {
    return AuditCheck.topic(
        "rollout",
        check("stored-transitions", "ENV-1", RolloutChecks::stored)
            .compares(
                "rewards, terminations and truncations in the rollout with those the environments"
                    + " returned")
            .exercises("EnvironmentGroup RolloutCollector Rollout VectorEnvironment"),
        check("masks", "MASK-2", RolloutChecks::masks)
            .compares(
                "masks of the rollout and of its sequences with those that the environments gave"
                    + " for the same observations; stored probabilities of masked choices with"
                    + " zero, and masked actions taken with none")
            .exercises(
                "EnvironmentGroup PolicyRunner Rollout SequenceBatch CategoricalPolicy"
                    + " ProductPolicy")
            .failureMeans("actions that an environment does not allow are taken or learnt from")
            .unless(RolloutChecks::nothingMasked, "the environment never masks a choice"),
        check("normaliser-frozen", "NORM-1", 1e-5, RolloutChecks::normalizer)
            .compares(
                "observations given to the network with those normalised by the statistics from"
                    + " before the rollout")
            .exercises("ActingModel ObservationNormalizer")
            .failureMeans("statistics changed during the rollout, or have another formula")
            .unless(RolloutChecks::notNormalized, "environment.normalizeObservations is false"),
        check("normaliser-update", "NORM-1", 1e-8, RolloutChecks::statistics)
            .compares("observation statistics after a rollout with the moments of all observations")
            .exercises("AgentModel ObservationNormalizer RunningMoments")
            .failureMeans("observations are normalised with wrong moments")
            .unless(RolloutChecks::notNormalized, "environment.normalizeObservations is false"),
        check("initial-weights", "NET-1", 1e-5, RolloutChecks::initial)
            .compares(
                "initial weights of a new network: orthogonal rows or columns with their gain,"
                    + " LSTM weights within their bound, biases of the policy zero")
            .exercises("WeightInitializer ParameterLayout Trunk PolicyHead ActorCritic AgentModel")
            .failureMeans("training starts with other weights than documented"),
        check("starting-distribution", "DIST-6 NET-1", 1e-6, RolloutChecks::start)
            .compares(
                "biases of a new network's value heads with the quantiles, or logarithms of the"
                    + " densities, of the standard normal distribution, those of mean heads with"
                    + " zero")
            .exercises(
                "QuantileCritic CategoricalCritic StandardNormal ParameterLayout WeightInitializer"
                    + " ActorCritic AgentModel")
            .failureMeans("critics start with another distribution than documented"),
        check(
                "values-and-log-probabilities",
                "NET-1 TWIN-1 RET-1",
                SINGLE_PRECISION,
                RolloutChecks::carried)
            .compares(
                "stored values (lowest critic mean, raw units), all outputs of the critics and"
                    + " log-probabilities with the reference network stepped through the rollout")
            .exercises(
                "EnvironmentGroup PolicyRunner ActorCritic NetworkPass Trunk LstmLayer LstmGates"
                    + " AffineMap PackedWeights PanelMatrix RowMatrix MatrixProducts SkipMlp DenseLayer"
                    + " ActivationFunction TanhApproximation PolicyHead GaussianPolicy CategoricalPolicy Critic"
                    + " QuantileCritic CategoricalCritic ProductPolicy ReturnScale LstmGateLoops TanhLoop VectorMath"
                    + " MatrixTiles VectorLanes"),
        check("stored-state", "NET-2", SINGLE_PRECISION, RecurrentStateChecks::windowStates)
            .compares("recurrent state before each window with the one computed step by step")
            .exercises(
                "EnvironmentGroup PolicyRunner RecurrentState SequenceBatch LstmLayer LstmGates LstmGateLoops")
            .failureMeans(
                "the LSTM missed an observation, processed one twice, or was not reset at the"
                    + " start of an episode")
            .unless(RolloutChecks::notRecurrent, "network.memory is none"),
        check("bootstraps", "GAE-2", SINGLE_PRECISION, RolloutChecks::bootstraps)
            .compares(
                "values after truncations and after the last step, and the critics' outputs for"
                    + " what follows each step, with the reference network, one step later")
            .exercises("EnvironmentGroup PolicyRunner Rollout Critic ReturnScale"),
        check(
                "stepwise-against-sequence",
                "NET-2",
                SINGLE_PRECISION,
                RecurrentStateChecks::sequences)
            .compares(
                "outputs of whole sequences with those of single steps, and with the reference"
                    + " network from the stored states")
            .exercises("SequenceBatch SequencePacking NetworkPass LstmLayer ActorCritic"),
        check("reset-isolation", "NET-2", 0, RecurrentStateChecks::reset)
            .compares("next states of the other environments with and without a reset of one")
            .exercises("RecurrentState ActorCritic LstmLayer")
            .unless(RolloutChecks::notRecurrent, "network.memory is none"),
        check("first-pass-ratio", "NET-2 POL-1", 1e-6, RolloutChecks::firstRatio)
            .compares("probability ratio of every action before the first update with 1")
            .exercises("SequenceBatch EnvironmentGroup GaussianPolicy CategoricalPolicy")
            .failureMeans("the update evaluates another policy than the one that acted"));
  }

  private static boolean notNormalized(AuditSubject subject) {
    return !subject.config().environment().normalizeObservations();
  }

  private static boolean notRecurrent(AuditSubject subject) {
    return subject.config().network().memory() == NetworkConfig.Memory.NONE;
  }

  private static AuditOutcome stored(AuditSubject subject) {
    SampleRollout sample = subject.own();
    Gae.Input collected = sample.collected();
    int environments = collected.environments();
    int wrong = 0;
    int truncations = 0;
    int terminations = 0;
    for (int at = 0; at < collected.rewards().length; at++) {
      Step step = sample.witnesses().get(at % environments).steps().get(at / environments);
      boolean same =
          collected.rewards()[at] == step.reward()
              && collected.terminated()[at] == step.isTerminated()
              && collected.truncated()[at] == (step.isTruncated() && !step.isTerminated());
      wrong += same ? 0 : 1;
      truncations += collected.truncated()[at] ? 1 : 0;
      terminations += collected.terminated()[at] ? 1 : 0;
    }
    return AuditOutcome.differences(
        wrong,
        collected.rewards().length,
        String.format(
            Locale.ROOT,
            "%d terminations and %d truncations among the transitions",
            terminations,
            truncations));
  }

  private static boolean nothingMasked(AuditSubject subject) {
    return subject.own().rollout().shape().maskSize() == 0;
  }

  private static AuditOutcome masks(AuditSubject subject) {
    SampleRollout sample = subject.own();
    ReferenceRollout experience = sample.experience();
    boolean[] collected = sample.rollout().masks();
    int size = sample.rollout().shape().maskSize();
    int wrong = 0;
    int masked = 0;
    for (int at = 0; at < experience.size(); at++) {
      RecordingEnvironment witness = sample.witnesses().get(at % experience.environments());
      boolean[] expected = witness.masks().get(at / experience.environments());
      boolean[] actual = Arrays.copyOfRange(collected, at * size, (at + 1) * size);
      boolean same = Arrays.equals(actual, expected);
      same &= Arrays.equals(experience.masks()[at], expected);
      for (ReferencePolicy.Part part : sample.referencePolicy().parts()) {
        for (int k = 0; k < part.choices(); k++) {
          boolean forbidden = !expected[part.mask() + k];
          double stored = Math.exp(experience.distributions()[at][part.number() + k]);
          same &= !forbidden || (stored == 0 && experience.rawActions()[at][part.action()] != k);
          masked += forbidden ? 1 : 0;
        }
      }
      wrong += same ? 0 : 1;
    }
    return AuditOutcome.differences(
        wrong,
        experience.size(),
        String.format(Locale.ROOT, "%d masked choices in the transitions", masked));
  }

  private static Deviation normalizer(AuditSubject subject) {
    SampleRollout sample = subject.own();
    float[] raw = sample.rollout().rawObservations();
    int size = sample.observationSpace().size();
    Deviation deviation = new Deviation();
    for (int at = 0; at < sample.experience().size(); at++) {
      float[] observation = Arrays.copyOfRange(raw, at * size, (at + 1) * size);
      deviation.add(
          sample.experience().observations()[at], RolloutReplay.normalized(sample, observation));
    }
    return deviation;
  }

  private static Deviation statistics(AuditSubject subject) {
    SampleRollout sample = subject.own();
    int size = sample.observationSpace().size();
    float[] raw = sample.rollout().rawObservations();
    AgentModel model = sample.anotherModel(sample.config());
    model.observe(raw);
    StateMap saved = new StateMap();
    model.save(saved);
    StateMap before = sample.before().child("agent").child("normalizer");
    StateMap after = saved.child("normalizer");
    double count = before.doubleValue("count");
    double[] mean = before.doubles("mean", size);
    double[] variance = before.doubles("variance", size);
    int rows = raw.length / size;
    Deviation deviation = new Deviation();
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
      double expectedVariance = squares / (count + rows);
      double unit = 1e-9 + expectedVariance;
      deviation
          .add(after.doubles("mean", size)[i], expected, Math.sqrt(unit))
          .add(after.doubles("variance", size)[i], expectedVariance, unit);
    }
    return deviation;
  }

  private static Deviation initial(AuditSubject subject) {
    SampleRollout sample = subject.own();
    AgentModel fresh =
        new AgentModel(sample.config(), sample.observationSpace(), sample.actionSpace());
    double[] values = ReferenceMath.doubles(fresh.parameters().values());
    double bound = 1 / Math.sqrt(sample.config().network().hidden());
    Deviation deviation = new Deviation();
    for (Parameters.Slot slot : sample.slots()) {
      int from = (int) slot.offset();
      double[] numbers = Arrays.copyOfRange(values, from, from + (int) slot.count());
      if (slot.name().contains(".weight_")) {
        double largest = Deviation.largest(numbers) / bound;
        deviation.add(largest > 1 + 1e-6 || largest < 0.5 ? largest : 0);
      } else if (slot.name().endsWith(".weight")) {
        double gain = gain(slot);
        deviation.add(orthogonalityError(numbers, slot, gain) / Math.min(1, gain * gain));
      } else if (slot.name().equals("actor.log_sigma")) {
        double start = sample.config().network().gsdeLogSigma();
        Arrays.stream(numbers).forEach(number -> deviation.add(number, start));
      } else if (!valueHead(slot)) {
        deviation.add(Deviation.largest(numbers));
      }
    }
    return deviation;
  }

  private static boolean valueHead(Parameters.Slot slot) {
    return slot.name().startsWith("critic.head") || slot.name().startsWith("critic.mean");
  }

  private static double gain(Parameters.Slot slot) {
    if (valueHead(slot)) {
      return 0.01;
    }
    if (slot.name().startsWith("actor.head")) {
      return 0.1;
    }
    return slot.name().contains(".skip.") ? 1 : Math.sqrt(2);
  }

  private static Deviation start(AuditSubject subject) {
    SampleRollout sample = subject.own();
    AgentModel fresh =
        new AgentModel(sample.config(), sample.observationSpace(), sample.actionSpace());
    double[] values = ReferenceMath.doubles(fresh.parameters().values());
    Deviation deviation = new Deviation();
    int heads = 0;
    for (Parameters.Slot slot : sample.slots()) {
      if (valueHead(slot) && slot.name().endsWith(".bias")) {
        int from = (int) slot.offset();
        int count = (int) slot.count();
        double[] expected =
            slot.name().startsWith("critic.head")
                ? sample.referenceCritic().start(count)
                : new double[count];
        double size = Math.max(1, Deviation.largest(expected));
        double[] actual = Arrays.copyOfRange(values, from, from + count);
        deviation.add(Deviation.absolute(actual, expected) / size);
        heads++;
      }
    }
    boolean mean = sample.referenceCritic().meanHead();
    return deviation
        .require(heads == (mean ? 2 : 1) * sample.critics())
        .note("%d value and mean heads", heads);
  }

  /** The error of the products of the rows, or of the columns if there are fewer columns. */
  private static double orthogonalityError(double[] matrix, Parameters.Slot slot, double gain) {
    int rows = (int) slot.dimensions()[0];
    int columns = (int) slot.dimensions()[1];
    int fewer = Math.min(rows, columns);
    Deviation deviation = new Deviation();
    for (int a = 0; a < fewer; a++) {
      for (int b = 0; b <= a; b++) {
        double product = 0;
        for (int k = 0; k < Math.max(rows, columns); k++) {
          product +=
              rows <= columns
                  ? matrix[a * columns + k] * matrix[b * columns + k]
                  : matrix[k * columns + a] * matrix[k * columns + b];
        }
        deviation.add(product, a == b ? gain * gain : 0);
      }
    }
    return deviation.error();
  }

  private static Deviation carried(AuditSubject subject) {
    SampleRollout sample = subject.own();
    RolloutReplay replay = RolloutReplay.of(subject);
    double values =
        Deviation.absolute(sample.collected().values(), replay.values()) / valueUnit(sample);
    double logs =
        Deviation.absolute(sample.experience().logProbabilities(), replay.logProbabilities());
    Deviation outputs = new Deviation();
    for (int at = 0; at < replay.critics().length; at++) {
      compare(outputs, sample.experience().criticOutputs()[at], replay.critics()[at]);
    }
    return Deviation.of(values)
        .add(outputs.error())
        .add(logs / 10)
        .note(
            "values are off by %s standard deviations of returns, outputs of critics by %s,"
                + " log-probabilities by %s",
            values, outputs.error(), logs);
  }

  /** Adds the errors of the critics' outputs, relative to the largest. */
  private static void compare(Deviation deviation, double[][] actual, double[][] expected) {
    for (int i = 0; i < expected.length; i++) {
      double unit = Math.max(1, Deviation.largest(expected[i]));
      deviation.add(Deviation.absolute(actual[i], expected[i]) / unit);
    }
  }

  /** The unit of value errors, from the return scale. */
  private static double valueUnit(SampleRollout sample) {
    return sample.scale().std() + 0.01 * Math.abs(sample.scale().mean());
  }

  private static Deviation bootstraps(AuditSubject subject) {
    SampleRollout sample = subject.own();
    RolloutReplay replay = RolloutReplay.of(subject);
    Gae.Input collected = sample.collected();
    double unit = valueUnit(sample);
    int truncations = 0;
    int size = collected.rewards().length;
    Deviation deviation = new Deviation();
    for (int at = 0; at < size; at++) {
      if (collected.truncated()[at]) {
        truncations++;
        deviation.add(collected.bootstrap()[at], replay.bootstraps()[at], unit);
      }
      if (!collected.terminated()[at]) {
        compare(deviation, sample.experience().followingOutputs()[at], replay.following()[at]);
      }
    }
    for (int e = 0; e < collected.environments(); e++) {
      if (!sample.experience().ends()[size - collected.environments() + e]) {
        deviation.add(collected.lastValues()[e], replay.lastValues()[e], unit);
      }
    }
    return deviation.note("at %d truncations and after the last step", truncations);
  }

  private static Deviation firstRatio(AuditSubject subject) {
    SamplePredictions predictions = SamplePredictions.of(subject.own());
    SequenceBatch batch = predictions.batch();
    PolicyDistribution policy = predictions.pass().policy();
    Deviation deviation = new Deviation();
    for (int row = 0; row < predictions.rows(); row++) {
      predictions.pass().set(policy, row);
      float now = (float) policy.logProbability(batch.rawActions(), row * batch.actionSize());
      deviation.add(Math.abs(Math.expm1((double) now - batch.logProbabilities()[row])));
    }
    return deviation;
  }
}
