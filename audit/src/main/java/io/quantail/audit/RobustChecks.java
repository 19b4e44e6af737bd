package io.quantail.audit;

import static io.quantail.audit.AuditCheck.check;

import io.quantail.audit.reference.ReferenceAttack;
import io.quantail.audit.reference.ReferenceDivergence;
import io.quantail.audit.reference.ReferenceMath;
import io.quantail.audit.reference.ReferenceNetwork;
import io.quantail.audit.reference.ReferencePolicy;
import io.quantail.audit.reference.ReferenceRollout;
import io.quantail.config.RobustConfig;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingNames;
import io.quantail.model.AgentModel;
import io.quantail.network.Parameters;
import io.quantail.network.RecurrentState;
import io.quantail.network.SequenceInput;
import io.quantail.random.RandomStream;
import io.quantail.robust.AdversarialRollouts;
import io.quantail.robust.AdversarySchedule;
import io.quantail.robust.AttackSpec;
import io.quantail.robust.EvaluationAdversary;
import io.quantail.robust.ObservationAttack;
import io.quantail.robust.PerturbationBounds;
import io.quantail.rollout.Rollout;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BiFunction;

/** Perturbed observations in training and evaluation. */
final class RobustChecks {
  private static final double COEFFICIENT = 20; // large, so that the term dominates the loss

  /** Below this size the direction of a gradient is lost in rounding. */
  private static final double FLAT = 1e-4;

  private RobustChecks() {}

  static List<AuditCheck> all() {
    return AuditCheck.topic(
        "robust",
        check("disturbances", "ROB-1", 1e-5, RobustChecks::perturbations)
            .compares(
                "perturbed observations of both attacks in both norms, with fixed features and"
                    + " active bounds, with their definitions")
            .exercises("ObservationAttack PerturbationBall PerturbationBounds")
            .unless(RobustChecks::off, "robust.mode is off"),
        check("robust-term", "ROB-1", 5e-5, RobustChecks::term)
            .compares(
                "KL divergence of the policy on perturbed windows, and the gradient that the term"
                    + " adds to an update, with the reference network and its differences")
            .exercises(
                "RobustLossTerm PolicyDivergence ObservationAttack PerturbationBall AdversarySchedule NetworkPass Trunk"
                    + " LstmLayer SkipMlp DenseLayer AffineMap")
            .unless(RobustChecks::off, "robust.mode is off"),
        check("single-step-attack", "ROB-1 ROB-2", 1e-3, RobustChecks::adversary)
            .compares(
                "observations that an adversary shows a playing agent with a step along the"
                    + " differences of the reference policy's KL divergence")
            .exercises("EvaluationAdversary PolicyDivergence ObservationAttack PerturbationBall")
            .unless(RobustChecks::off, "robust.mode is off"),
        check("attacked-rollouts", "ROB-1", RobustChecks::attacked)
            .compares(
                "environments that get perturbed observations with the configured ones, and the"
                    + " sizes of their perturbations with the bound")
            .exercises(
                "AdversarialRollouts AdversarySchedule PolicyDivergence RolloutCollector EnvironmentGroup")
            .unless(RobustChecks::off, "robust.mode is off"),
        check("epsilon-ramp", "ROB-1", 1e-9, RobustChecks::ramp)
            .compares(
                "size bound of perturbations over the updates of a run with the formula of its"
                    + " ramp")
            .exercises("AdversarySchedule EpsilonSchedule")
            .failureMeans("the perturbation does not grow as configured")
            .unless(RobustChecks::off, "robust.mode is off"));
  }

  private static boolean off(AuditSubject subject) {
    return subject.config().robust().mode() == RobustConfig.Mode.OFF;
  }

  private static float[][] observations(SampleRollout sample, int rows) {
    return ReferenceMath.floats(Arrays.copyOf(sample.experience().observations(), rows));
  }

  private static Deviation perturbations(AuditSubject subject) {
    SampleRollout sample = subject.own();
    float[][] observations = observations(sample, 24);
    int features = sample.observationSpace().size();
    double epsilon = Math.max(0.05, subject.config().robust().epsilon());
    PerturbationBounds limits =
        new PerturbationBounds(-0.7, 0.9, features > 1 ? List.of(features - 1) : List.of());
    for (float[] row : observations) {
      for (int i = 0; i < row.length; i++) {
        row[i] = (float) ReferenceMath.clip(row[i], -0.7, 0.9);
      }
    }
    long seed = sample.config().seed();
    Deviation deviation = new Deviation();
    for (RobustConfig.AttackMethod method : RobustConfig.AttackMethod.values()) {
      for (RobustConfig.AttackNorm norm : RobustConfig.AttackNorm.values()) {
        ObservationAttack attack =
            new ObservationAttack(method, norm, epsilon, 3, 0.6 * epsilon, limits);
        ReferenceAttack referenceAttack =
            new ReferenceAttack(method, norm, epsilon, 3, 0.6 * epsilon, limits);
        float[][] actual =
            attack.apply(
                observations, RobustChecks::slopes, RandomStream.of(seed, "audit/attack", 0));
        double[][] expected =
            referenceAttack.apply(
                ReferenceMath.doubles(observations),
                now -> ReferenceMath.doubles(slopes(ReferenceMath.floats(now))),
                RandomStream.of(seed, "audit/attack", 0));
        double size =
            referenceAttack.meanSize(
                ReferenceMath.doubles(observations), ReferenceMath.doubles(actual));
        Deviation one = new Deviation().add(attack.meanSize(observations, actual), size, epsilon);
        for (int row = 0; row < actual.length; row++) {
          one.add(Deviation.absolute(ReferenceMath.doubles(actual[row]), expected[row]) / epsilon);
        }
        deviation
            .add(one.error())
            .note(
                "%s %s %s", SettingNames.written(method), SettingNames.written(norm), one.error());
      }
    }
    return deviation;
  }

  /** The gradient of a nonlinear function. */
  private static float[][] slopes(float[][] observations) {
    float[][] slopes = new float[observations.length][];
    for (int row = 0; row < slopes.length; row++) {
      slopes[row] = new float[observations[row].length];
      for (int i = 0; i < slopes[row].length; i++) {
        slopes[row][i] = (float) Math.cos(3 * observations[row][i] + row + 2 * i) + 0.01f;
      }
    }
    return slopes;
  }

  /** Settings with which the perturbation follows the gradient itself and not its sign. */
  private static RunConfig plain(AuditSubject subject, boolean robust) {
    RobustConfig configured = subject.config().robust();
    return UpdateProbe.plainStep(
        subject.tiny(),
        "ppo.microbatches=1",
        "robust.mode=" + (robust ? SettingNames.written(configured.mode()) : "off"),
        "robust.coefficient=" + COEFFICIENT,
        "robust.epsilon=" + Math.max(0.5, configured.epsilon()),
        "robust.rampShare=0",
        "robust.warmupUpdates=0",
        "robust.ratio=1",
        "robust.attackedShare=0",
        "robust.norm=l2",
        "robust.attack=pgd",
        "robust.steps=2",
        "robust.fixedFeatures=" + configured.fixedFeatures());
  }

  private static Deviation term(AuditSubject subject) {
    SampleRollout sample = subject.tiny();
    ReferenceTargets targets = ReferenceTargets.of(sample);
    float[] start = confident(sample, UpdateProbe.movedParameters(sample));
    RunConfig config = plain(subject, true);
    UpdateProbe.Result with = new UpdateProbe(sample, config, start, targets).update();
    UpdateProbe.Result without =
        new UpdateProbe(sample, plain(subject, false), start, targets).update();
    RobustConfig robust = config.robust();
    ReferenceAttack attack =
        new ReferenceAttack(
            robust.attack(),
            robust.norm(),
            robust.epsilon(),
            robust.steps(),
            robust.epsilon() * robust.stepSize(),
            limits(config));
    RandomStream random = RandomStream.of(config.seed(), "robust/0", 0);
    int windows = sample.experience().windowStates().length;
    random.permutation(windows); // draws the perturbed windows, here all
    double[] parameters = ReferenceMath.doubles(start);
    ReferenceDivergence divergence =
        new ReferenceDivergence(
            sample.experience(),
            sample.referenceNetwork(),
            sample.referencePolicy(),
            parameters,
            RandomStream.of(config.seed(), "shuffle", 0).permutation(windows));
    double[][] clean = divergence.observations();
    double[][] perturbed = attack.apply(clean, divergence::slopes, random);
    double expected = divergence.mean(parameters, perturbed);
    double size = attack.meanSize(clean, perturbed);
    double value =
        Math.abs(Objects.requireNonNull(with.metrics().get("sa_ppo/kl_divergence")) / expected - 1);
    double length =
        Math.abs(
            Objects.requireNonNull(with.metrics().get("sa_ppo/avg_perturbation_norm")) / size - 1);
    double[] actual = ReferenceMath.minus(with.gradient(), without.gradient());
    RandomStream directions = RandomStream.of(config.seed(), "audit/robust", 0);
    Deviation slope = new Deviation();
    for (int i = 0; i < 8; i++) {
      double[] direction = ReferenceMath.gaussian(directions, actual.length);
      double wanted = COEFFICIENT * divergence.along(perturbed, direction);
      slope.add(ReferenceMath.product(actual, direction), wanted, ReferenceMath.norm(actual));
    }
    return Deviation.of(value)
        .add(length)
        .add(slope.error())
        .note(
            "divergence %s, length %s, gradient %s; the mean divergence is %s",
            value, length, slope.error(), expected);
  }

  /** Parameters of a policy with large logits or means, which perturbations change strongly. */
  private static float[] confident(SampleRollout sample, float[] parameters) {
    float[] scaled = parameters.clone();
    for (Parameters.Slot slot : sample.slots()) {
      if (slot.name().equals("actor.head.weight")) {
        for (int i = (int) slot.offset(); i < slot.offset() + slot.count(); i++) {
          scaled[i] *= 10;
        }
      }
    }
    return scaled;
  }

  private static PerturbationBounds limits(RunConfig config) {
    double bound =
        config.environment().normalizeObservations()
            ? config.environment().observationClip()
            : Double.POSITIVE_INFINITY;
    return new PerturbationBounds(-bound, bound, config.robust().fixedFeatures());
  }

  /** The masks of the first transitions, one row behind the other. */
  private static boolean[] masks(SampleRollout sample, int rows) {
    int size = sample.rollout().shape().maskSize();
    boolean[] masks = new boolean[rows * size];
    for (int row = 0; row < rows; row++) {
      System.arraycopy(sample.experience().masks()[row], 0, masks, row * size, size);
    }
    return masks;
  }

  /** One step of an attack along the gradient itself, from a random start. */
  private static Deviation adversary(AuditSubject subject) {
    SampleRollout sample = subject.own();
    int rows = Math.min(24, sample.experience().size());
    float[][] observations = observations(sample, rows);
    PerturbationBounds limits = limits(sample.config());
    long seed = sample.config().seed();
    float[] numbers = confident(sample, ReferenceMath.floats(sample.parameters()));
    AgentModel model = sample.anotherModel(sample.config());
    model.parameters().set(numbers);
    RecurrentState state = model.network().initialState(rows);
    AttackSpec kind = AttackSpec.parse("fgsm");
    float[][] actual =
        new EvaluationAdversary(model.agent(), kind, RobustConfig.AttackNorm.L2, 1, limits, seed)
            .apply(SequenceInput.step(observations, state, masks(sample, rows)));
    ReferenceNetwork network = sample.referenceNetwork();
    ReferencePolicy policy = sample.referencePolicy();
    BiFunction<Integer, double[], double[]> reference =
        (row, x) ->
            policy.masked(
                network.policyStep(ReferenceMath.doubles(numbers), x, network.start()),
                sample.experience().masks()[row]);
    double[] steepness = new double[rows];
    ReferenceAttack referenceAttack =
        new ReferenceAttack(
            RobustConfig.AttackMethod.FGSM, RobustConfig.AttackNorm.L2, 1, 1, 0, limits);
    double[][] expected =
        referenceAttack.apply(
            ReferenceMath.doubles(observations),
            now -> {
              double[][] slopes = new double[rows][];
              for (int row = 0; row < rows; row++) {
                int at = row;
                double[] clean = reference.apply(row, ReferenceMath.doubles(observations[row]));
                slopes[row] =
                    ReferenceMath.differences(
                        1e-6, now[row], x -> policy.divergence(clean, reference.apply(at, x)));
                steepness[row] = ReferenceMath.norm(slopes[row]);
              }
              return slopes;
            },
            RandomStream.of(seed, "attack", 0));
    Deviation deviation = new Deviation();
    int compared = 0;
    for (int row = 0; row < rows; row++) {
      if (steepness[row] > FLAT) {
        deviation.add(ReferenceMath.doubles(actual[row]), expected[row]);
        compared++;
      }
    }
    return deviation
        .require(compared > 0)
        .note(
            "%d of %d observations whose gradient is large enough for single precision",
            compared, rows);
  }

  private static AuditOutcome attacked(AuditSubject subject) {
    SampleRollout sample = subject.own();
    RobustConfig configured = subject.config().robust();
    double fraction = configured.attackedShare() == 0 ? 0.5 : configured.attackedShare();
    double epsilon = Math.max(0.05, configured.epsilon());
    RunConfig config =
        SampleConfig.with(
            sample.config(),
            "robust.mode=" + SettingNames.written(configured.mode()),
            "robust.epsilon=" + epsilon,
            "robust.rampShare=0",
            "robust.warmupUpdates=0",
            "robust.attackedShare=" + fraction,
            "robust.attack=" + SettingNames.written(configured.attack()),
            "robust.norm=" + SettingNames.written(configured.norm()),
            "robust.fixedFeatures=" + configured.fixedFeatures());
    AdversarialRollouts attacks = new AdversarialRollouts(config, sample.agent());
    Rollout rollout = sample.collect(attacks.at(0));
    ReferenceRollout experience =
        ReferenceRollout.of(
            rollout, rollout.gaeInput(config.rollout(), sample.agent().critic(), sample.scale()));
    int environments = experience.environments();
    int features = sample.observationSpace().size();
    float[] raw = rollout.rawObservations();
    int wrong = 0;
    double longest = 0;
    for (int at = 0; at < experience.size(); at++) {
      float[] here = Arrays.copyOfRange(raw, at * features, (at + 1) * features);
      double[] truth =
          ReferenceMath.doubles(ReferenceMath.floats(RolloutReplay.normalized(sample, here)));
      double length =
          ReferenceAttack.length(configured.norm(), experience.observations()[at], truth);
      int e = at % environments;
      if (Math.floor((e + 1) * fraction) > Math.floor(e * fraction)) {
        longest = Math.max(longest, length);
      } else {
        wrong += length > 1e-5 ? 1 : 0;
      }
    }
    boolean some = Math.floor(environments * fraction) > 0;
    boolean satisfied = longest <= epsilon * (1 + 1e-5) + 1e-6;
    return AuditOutcome.of(
        wrong == 0 && satisfied && (!some || longest > 0.5 * epsilon),
        String.format(Locale.ROOT, "%d wrongly perturbed", wrong),
        "0",
        "lengths up to %s, allowed %s"
            .formatted(AuditOutcome.number(longest), AuditOutcome.number(epsilon)));
  }

  private static Deviation ramp(AuditSubject subject) {
    Deviation deviation = new Deviation();
    for (RobustConfig.EpsilonRamp ramp : RobustConfig.EpsilonRamp.values()) {
      RunConfig config =
          SampleConfig.with(
              subject.config(),
              "robust.ramp=" + SettingNames.written(ramp),
              "robust.rampShare=0.5",
              "robust.warmupUpdates=3");
      AdversarySchedule adversary = new AdversarySchedule(config, subject.own().agent());
      long perUpdate = (long) config.rollout().steps() * config.environment().count();
      long updates = config.training().steps() / perUpdate;
      long rise = (long) (0.5 * updates);
      for (long update = 0; update < updates + 5; update += 1 + updates / 50) {
        double progress = rise == 0 ? 1 : Math.min(1, (update + 1.0) / rise);
        double height =
            ramp == RobustConfig.EpsilonRamp.LINEAR
                ? progress
                : (1 - Math.cos(Math.PI * progress)) / 2;
        double expected = update + 1 < 3 ? 0 : config.robust().epsilon() * height;
        deviation.add(adversary.epsilon(update), expected);
      }
    }
    return deviation;
  }
}
