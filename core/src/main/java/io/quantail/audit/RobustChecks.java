package io.quantail.audit;

import io.quantail.audit.slow.Experience;
import io.quantail.audit.slow.Numbers;
import io.quantail.audit.slow.SlowAttack;
import io.quantail.audit.slow.SlowNetwork;
import io.quantail.audit.slow.SlowPolicy;
import io.quantail.config.AttackMethod;
import io.quantail.config.AttackNorm;
import io.quantail.config.EpsilonRamp;
import io.quantail.config.RobustConfig;
import io.quantail.config.RobustMode;
import io.quantail.config.RunConfig;
import io.quantail.nn.Parameters;
import io.quantail.nn.RecurrentState;
import io.quantail.random.RandomStream;
import io.quantail.robust.Attack;
import io.quantail.robust.AttackKind;
import io.quantail.robust.AttackedRollouts;
import io.quantail.robust.Limits;
import io.quantail.robust.Opponent;
import io.quantail.robust.StateAdversary;
import io.quantail.rollout.AgentModel;
import io.quantail.rollout.Rollout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Training and judging against disturbed observations. */
final class RobustChecks {
  private static final String TOPIC = "robust";
  private static final double COEFFICIENT = 20; // large, so that the term stands out of the rest

  /** Slopes below this drown in rounding, and with them the direction of a step. */
  private static final double FLAT = 1e-4;

  private RobustChecks() {}

  static List<AuditCheck> all() {
    return List.of(
        AuditCheck.of(
                TOPIC,
                "disturbances",
                "ROB-1",
                "disturbed observations of both searches in both norms, with fixed features and"
                    + " bounds that are reached, with their definitions",
                subject -> unlessOff(subject, RobustChecks::disturbances))
            .exercising("Attack Ball Limits"),
        AuditCheck.of(
                TOPIC,
                "robust-term",
                "ROB-1",
                "divergence of the policy on disturbed windows, and what the term adds to the"
                    + " gradient of an update, with the reference network and its differences",
                subject -> unlessOff(subject, RobustChecks::term))
            .exercising(
                "RobustLossTerm PolicyShift Attack Ball StateAdversary NetworkPass Trunk"
                    + " LstmLayer SkipLayers SingleLayer Affine"),
        AuditCheck.of(
                TOPIC,
                "single-step-attack",
                "ROB-1 ROB-2",
                "observations that an opponent shows a playing agent with a step along the"
                    + " differences of the reference policy's divergence",
                subject -> unlessOff(subject, RobustChecks::opponent))
            .exercising("Opponent PolicyShift Attack Ball"),
        AuditCheck.of(
                TOPIC,
                "attacked-rollouts",
                "ROB-1",
                "which environments see disturbed observations, and how far these are from the"
                    + " true ones",
                subject -> unlessOff(subject, RobustChecks::attacked))
            .exercising("AttackedRollouts StateAdversary PolicyShift Collector Lane"),
        AuditCheck.of(
                TOPIC,
                "epsilon-ramp",
                "ROB-1",
                "largest disturbance over the updates of a run with the formula of its ramp",
                subject -> unlessOff(subject, RobustChecks::ramp))
            .exercising("StateAdversary EpsilonSchedule"));
  }

  private static Outcome unlessOff(AuditSubject subject, AuditCheck.Procedure procedure)
      throws Exception {
    return subject.config().robust().mode() == RobustMode.OFF
        ? Outcome.skipped("robust.mode is off")
        : procedure.run(subject);
  }

  private static float[][] observations(Sample sample, int rows) {
    float[][] observations = new float[rows][];
    for (int row = 0; row < rows; row++) {
      observations[row] = Numbers.floats(sample.experience().observations()[row]);
    }
    return observations;
  }

  private static Outcome disturbances(AuditSubject subject) {
    Sample sample = subject.own();
    float[][] observations = observations(sample, 24);
    int features = sample.observationSize();
    double epsilon = Math.max(0.05, subject.config().robust().epsilon());
    Limits limits = new Limits(-0.7, 0.9, features > 1 ? List.of(features - 1) : List.of());
    for (float[] row : observations) {
      for (int i = 0; i < row.length; i++) {
        row[i] = (float) Numbers.clip(row[i], -0.7, 0.9);
      }
    }
    double worst = 0;
    List<String> notes = new ArrayList<>();
    for (AttackMethod method : AttackMethod.values()) {
      for (AttackNorm norm : AttackNorm.values()) {
        Attack attack = new Attack(method, norm, epsilon, 3, 0.6 * epsilon, limits);
        SlowAttack slow = new SlowAttack(method, norm, epsilon, 3, 0.6 * epsilon, limits);
        long seed = sample.config().seed();
        float[][] actual =
            attack.apply(
                observations, RobustChecks::slopes, RandomStream.of(seed, "audit/attack", 0));
        double[][] expected =
            slow.apply(
                wide(observations),
                now -> wide(slopes(narrow(now))),
                RandomStream.of(seed, "audit/attack", 0));
        double error = 0;
        for (int row = 0; row < actual.length; row++) {
          error = Math.max(error, Deviation.absolute(Numbers.doubles(actual[row]), expected[row]));
        }
        error =
            Math.max(
                error,
                Math.abs(
                    attack.meanSize(observations, actual)
                        - slow.meanSize(wide(observations), wide(actual))));
        worst = Math.max(worst, error / epsilon);
        notes.add("%s %s %s".formatted(method, norm, Outcome.number(error / epsilon)));
      }
    }
    return Outcome.noted(worst, 1e-5, String.join(", ", notes).toLowerCase(Locale.ROOT));
  }

  /** The slopes of something that bends: they depend on where one stands. */
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

  private static double[][] wide(float[][] rows) {
    double[][] wide = new double[rows.length][];
    for (int row = 0; row < rows.length; row++) {
      wide[row] = Numbers.doubles(rows[row]);
    }
    return wide;
  }

  private static float[][] narrow(double[][] rows) {
    float[][] narrow = new float[rows.length][];
    for (int row = 0; row < rows.length; row++) {
      narrow[row] = Numbers.floats(rows[row]);
    }
    return narrow;
  }

  /** Settings with which the disturbance follows the gradient itself and not its sign. */
  private static RunConfig plain(Sample sample, AuditSubject subject, boolean robust) {
    RobustConfig configured = subject.config().robust();
    return Probe.plainStep(
        sample,
        "ppo.microbatches=1",
        "robust.mode=" + (robust ? written(configured.mode()) : "off"),
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

  private static String written(RobustMode mode) {
    return mode.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static Outcome term(AuditSubject subject) {
    Sample sample = subject.tiny();
    ReferenceTargets lesson = ReferenceTargets.of(sample);
    float[] start = decided(sample, GradientChecks.moved(sample));
    RunConfig config = plain(sample, subject, true);
    Probe.Result with = new Probe(sample, config, start, lesson).update();
    double[] without =
        new Probe(sample, plain(sample, subject, false), start, lesson).update().gradient();
    double[] parameters = Numbers.doubles(start);
    Shift shift = Shift.of(sample, parameters);
    RobustConfig robust = config.robust();
    SlowAttack attack =
        new SlowAttack(
            robust.attack(),
            robust.norm(),
            robust.epsilon(),
            robust.steps(),
            robust.epsilon() * robust.stepSize(),
            limits(config));
    RandomStream random = RandomStream.of(config.seed(), "robust/0", 0);
    int windows = sample.experience().windowStates().length;
    random.permutation(windows); // draws which windows are disturbed: all
    int[] order = RandomStream.of(config.seed(), "shuffle", 0).permutation(windows);
    double[][] rows = shift.rows(order);
    double[][] worst = attack.apply(rows, now -> shift.slopes(order, now), random);
    double expected = Numbers.mean(shift.divergences(parameters, order, worst));
    double value = Math.abs(with.metrics().get("sa_ppo/kl_divergence") / expected - 1);
    double size = attack.meanSize(rows, worst);
    double sizeError = Math.abs(with.metrics().get("sa_ppo/avg_perturbation_norm") / size - 1);
    double[] actual = new double[without.length];
    for (int i = 0; i < actual.length; i++) {
      actual[i] = with.gradient()[i] - without[i];
    }
    double slope = 0;
    RandomStream directions = RandomStream.of(config.seed(), "audit/robust", 0);
    for (int i = 0; i < 8; i++) {
      double[] direction = new double[actual.length];
      for (int k = 0; k < direction.length; k++) {
        direction[k] = directions.nextGaussian();
      }
      double wanted = COEFFICIENT * shift.along(order, worst, direction);
      double error = Math.abs(Numbers.product(actual, direction) - wanted);
      slope = Math.max(slope, error / Numbers.norm(actual));
    }
    return Outcome.noted(
        Math.max(Math.max(value, sizeError), slope),
        5e-5,
        "divergence %s, length %s, gradient %s; the mean divergence is %s"
            .formatted(
                Outcome.number(value),
                Outcome.number(sizeError),
                Outcome.number(slope),
                Outcome.number(expected)));
  }

  /** Parameters of a policy that has made up its mind: disturbances move it far. */
  private static float[] decided(Sample sample, float[] parameters) {
    float[] decided = parameters.clone();
    for (Parameters.Slot slot : sample.slots()) {
      if (slot.name().equals("actor.head.weight")) {
        for (int i = (int) slot.offset(); i < slot.offset() + slot.count(); i++) {
          decided[i] *= 10;
        }
      }
    }
    return decided;
  }

  private static Limits limits(RunConfig config) {
    double bound =
        config.environment().normalizeObservations()
            ? config.environment().observationClip()
            : Double.POSITIVE_INFINITY;
    return new Limits(-bound, bound, config.robust().fixedFeatures());
  }

  /**
   * The divergence of the policy on disturbed windows from that on true ones, in plain doubles.
   *
   * @param parameters of the undisturbed side, which is a constant
   */
  private record Shift(Sample sample, SlowNetwork network, SlowPolicy policy, double[] parameters) {
    static Shift of(Sample sample, double[] parameters) {
      return new Shift(sample, sample.slowNetwork(), sample.slowPolicy(), parameters);
    }

    /** Observations of windows, in their order. */
    double[][] rows(int[] windows) {
      Experience experience = sample.experience();
      double[][] rows = new double[windows.length * experience.window()][];
      for (int row = 0; row < rows.length; row++) {
        int window = windows[row / experience.window()];
        rows[row] =
            experience.observations()[experience.transition(window, row % experience.window())];
      }
      return rows;
    }

    private double[][] policies(double[] numbers, int window, double[][] rows, int from) {
      Experience experience = sample.experience();
      double[][] policies = new double[experience.window()][];
      SlowNetwork.State state = experience.windowStates()[window].copy();
      for (int row = 0; row < policies.length; row++) {
        if (row > 0 && experience.ends()[experience.transition(window, row - 1)]) {
          state = network.start();
        }
        policies[row] = network.policyStep(numbers, rows[from + row], state);
      }
      return policies;
    }

    /** Of each row. */
    double[] divergences(double[] numbers, int[] windows, double[][] disturbed) {
      int length = sample.experience().window();
      double[][] clean = rows(windows);
      double[] divergences = new double[disturbed.length];
      for (int i = 0; i < windows.length; i++) {
        double[][] before = policies(parameters, windows[i], clean, i * length);
        double[][] now = policies(numbers, windows[i], disturbed, i * length);
        for (int row = 0; row < length; row++) {
          divergences[i * length + row] = policy.divergence(before[row], now[row]);
        }
      }
      return divergences;
    }

    /** Derivatives of the summed divergence by every number of the disturbed observations. */
    double[][] slopes(int[] windows, double[][] disturbed) {
      int length = sample.experience().window();
      double step = 1e-6;
      double[][] clean = rows(windows);
      double[][] slopes = new double[disturbed.length][];
      for (int i = 0; i < windows.length; i++) {
        double[][] before = policies(parameters, windows[i], clean, i * length);
        for (int row = i * length; row < (i + 1) * length; row++) {
          slopes[row] = new double[disturbed[row].length];
          for (int k = 0; k < slopes[row].length; k++) {
            double here = disturbed[row][k];
            disturbed[row][k] = here + step;
            double above = sum(before, policies(parameters, windows[i], disturbed, i * length));
            disturbed[row][k] = here - step;
            double below = sum(before, policies(parameters, windows[i], disturbed, i * length));
            disturbed[row][k] = here;
            slopes[row][k] = (above - below) / (2 * step);
          }
        }
      }
      return slopes;
    }

    private double sum(double[][] before, double[][] now) {
      double sum = 0;
      for (int row = 0; row < now.length; row++) {
        sum += policy.divergence(before[row], now[row]);
      }
      return sum;
    }

    /** The derivative of the mean divergence by the parameters of the disturbed side. */
    double along(int[] windows, double[][] disturbed, double[] direction) {
      double step = 1e-5 / Numbers.norm(direction);
      double[] above = new double[parameters.length];
      double[] below = new double[parameters.length];
      for (int i = 0; i < above.length; i++) {
        above[i] = parameters[i] + step * direction[i];
        below[i] = parameters[i] - step * direction[i];
      }
      double high = Numbers.mean(divergences(above, windows, disturbed));
      return (high - Numbers.mean(divergences(below, windows, disturbed))) / (2 * step);
    }
  }

  /** One step of an attack along the gradient itself, from a random beginning. */
  private static Outcome opponent(AuditSubject subject) {
    Sample sample = subject.own();
    int rows = Math.min(24, sample.experience().size());
    float[][] observations = observations(sample, rows);
    Limits limits = limits(sample.config());
    long seed = sample.config().seed();
    float[] numbers = decided(sample, Numbers.floats(sample.parameters()));
    AgentModel model = sample.anotherModel(sample.config());
    model.parameters().set(numbers);
    RecurrentState state = model.network().initialState(rows);
    AttackKind kind = AttackKind.parse("fgsm");
    float[][] actual =
        new Opponent(model.agent(), kind, AttackNorm.L2, 1, limits, seed)
            .apply(observations, state);
    SlowNetwork network = sample.slowNetwork();
    SlowPolicy policy = sample.slowPolicy();
    double[] parameters = Numbers.doubles(numbers);
    double[] steepness = new double[rows];
    SlowAttack slow = new SlowAttack(AttackMethod.FGSM, AttackNorm.L2, 1, 1, 0, limits);
    double[][] expected =
        slow.apply(
            wide(observations),
            now -> {
              double[][] slopes = new double[rows][];
              for (int row = 0; row < rows; row++) {
                double[] clean =
                    network.policyStep(
                        parameters, Numbers.doubles(observations[row]), network.start());
                slopes[row] =
                    Numbers.differences(
                        1e-6,
                        now[row],
                        x ->
                            policy.divergence(
                                clean, network.policyStep(parameters, x, network.start())));
                steepness[row] = Numbers.norm(slopes[row]);
              }
              return slopes;
            },
            RandomStream.of(seed, "attack", 0));
    double worst = 0;
    int compared = 0;
    for (int row = 0; row < rows; row++) {
      if (steepness[row] > FLAT) {
        double error = Deviation.absolute(Numbers.doubles(actual[row]), expected[row]);
        worst = Math.max(worst, error);
        compared++;
      }
    }
    return Outcome.of(
        worst <= 1e-3 && compared > 0,
        Outcome.number(worst),
        "<= 1e-3",
        "%d of %d observations at which single precision knows a direction"
            .formatted(compared, rows));
  }

  private static Outcome attacked(AuditSubject subject) {
    Sample sample = subject.own();
    RobustConfig configured = subject.config().robust();
    double share = configured.attackedShare() == 0 ? 0.5 : configured.attackedShare();
    double epsilon = Math.max(0.05, configured.epsilon());
    RunConfig config =
        SampleSettings.with(
            sample.config(),
            "robust.mode=" + written(configured.mode()),
            "robust.epsilon=" + epsilon,
            "robust.rampShare=0",
            "robust.warmupUpdates=0",
            "robust.attackedShare=" + share,
            "robust.attack=" + configured.attack().name().toLowerCase(Locale.ROOT),
            "robust.norm=" + configured.norm().name().toLowerCase(Locale.ROOT),
            "robust.fixedFeatures=" + configured.fixedFeatures());
    AttackedRollouts attacks = new AttackedRollouts(config, sample.agent());
    Rollout rollout = sample.collect(attacks.at(0));
    Experience seen = Experience.of(rollout, rollout.gaeInput(config.rollout()));
    int environments = seen.environments();
    int features = sample.observationSize();
    float[] raw = rollout.rawObservations();
    int wrong = 0;
    double longest = 0;
    for (int at = 0; at < seen.size(); at++) {
      float[] here = Arrays.copyOfRange(raw, at * features, (at + 1) * features);
      double[] truth = Numbers.doubles(Numbers.floats(Observations.normalized(sample, here)));
      double length = SlowAttack.length(configured.norm(), seen.observations()[at], truth);
      int e = at % environments;
      boolean chosen = Math.floor((e + 1) * share) > Math.floor(e * share);
      wrong += chosen ? 0 : length > 1e-5 ? 1 : 0;
      longest = chosen ? Math.max(longest, length) : longest;
    }
    boolean some = Math.floor(environments * share) > 0;
    boolean kept = longest <= epsilon * (1 + 1e-5) + 1e-6;
    return Outcome.of(
        wrong == 0 && kept && (!some || longest > 0.5 * epsilon),
        "%d disturbed".formatted(wrong),
        "0 of those left alone",
        "lengths up to %s, allowed %s".formatted(Outcome.number(longest), Outcome.number(epsilon)));
  }

  private static Outcome ramp(AuditSubject subject) {
    Sample sample = subject.own();
    double worst = 0;
    for (EpsilonRamp ramp : EpsilonRamp.values()) {
      RunConfig config =
          SampleSettings.with(
              subject.config(),
              "robust.ramp=" + ramp.name().toLowerCase(Locale.ROOT),
              "robust.rampShare=0.5",
              "robust.warmupUpdates=3");
      StateAdversary adversary = new StateAdversary(config, sample.agent());
      long perUpdate = (long) config.rollout().steps() * config.environment().count();
      long updates = config.training().steps() / perUpdate;
      long rise = (long) (0.5 * updates);
      for (long update = 0; update < updates + 5; update += 1 + updates / 50) {
        double share = rise == 0 ? 1 : Math.min(1, (update + 1.0) / rise);
        double course = ramp == EpsilonRamp.LINEAR ? share : (1 - Math.cos(Math.PI * share)) / 2;
        double expected = update + 1 < 3 ? 0 : config.robust().epsilon() * course;
        worst = Math.max(worst, Math.abs(adversary.epsilon(update) - expected));
      }
    }
    return Outcome.error(worst, 1e-9, "the disturbance does not rise as configured");
  }
}
