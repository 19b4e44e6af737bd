package io.quantail.audit;

import io.quantail.audit.reference.ReferenceReturns;
import io.quantail.config.CriticConfig;
import io.quantail.config.ReturnScaleConfig;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingNames;
import io.quantail.random.RandomStream;
import io.quantail.rollout.Gae;
import io.quantail.rollout.ReturnTargets;
import io.quantail.rollout.TrainingTargets;
import io.quantail.value.ReturnScale;
import io.quantail.value.ReturnScaleTracker;
import java.util.Arrays;

/** The particles that critics regress on, and the first scale of returns. */
final class ParticleChecks {
  private ParticleChecks() {}

  static Deviation ownRollout(AuditSubject subject) {
    SampleRollout sample = subject.own();
    Gae.Result gae = Gae.compute(sample.collected());
    Deviation deviation = new Deviation();
    for (CriticConfig.Targets mode : CriticConfig.Targets.values()) {
      RunConfig config =
          SampleConfig.with(sample.config(), "critic.targets=" + SettingNames.written(mode));
      for (long update : new long[] {sample.updates(), sample.updates() + 1}) {
        ReturnTargets actual =
            TrainingTargets.distribution(
                config,
                update,
                sample.rollout(),
                sample.collected(),
                gae,
                sample.agent().critic(),
                sample.scale());
        compare(
            deviation,
            actual,
            ReferenceReturns.of(
                config,
                update,
                sample.collected(),
                gae.returns(),
                sample.experience().followingOutputs(),
                sample.scale()));
        deviation.note(
            "%s: %s of the particles are drawn at their own step",
            SettingNames.written(mode), actual.drawnFraction());
      }
    }
    return deviation;
  }

  private static void compare(
      Deviation deviation, ReturnTargets actual, ReferenceReturns.Particles expected) {
    deviation
        .add(Deviation.relative(actual.particles(), expected.flat()))
        .add(actual.drawnFraction(), expected.drawnFraction())
        .add(actual.endWeight(), expected.endWeight());
  }

  /** Ends of all kinds; a step that is both terminated and truncated is terminated. */
  private static Gae.Input withEnds(Gae.Input input, double[] rewards, RandomStream random) {
    int size = rewards.length;
    boolean[] terminated = new boolean[size];
    boolean[] truncated = new boolean[size];
    for (int i = 0; i < size; i++) {
      terminated[i] = random.nextInt(7) == 0;
      truncated[i] = random.nextInt(6) == 0;
    }
    return withEnds(input, rewards, terminated, truncated);
  }

  private static Gae.Input withEnds(
      Gae.Input input, double[] rewards, boolean[] terminated, boolean[] truncated) {
    return new Gae.Input(
        input.environments(),
        rewards,
        input.values(),
        terminated,
        truncated,
        input.bootstrap(),
        input.lastValues(),
        input.gamma(),
        input.lambda());
  }

  static Deviation movedEnds(AuditSubject subject) {
    SampleRollout sample = subject.own();
    RandomStream random = RandomStream.of(subject.config().seed(), "audit/particles", 0);
    int size = sample.collected().rewards().length;
    double[] rewards = new double[size];
    double[] places = new double[size];
    Arrays.setAll(rewards, i -> random.nextGaussian());
    Arrays.setAll(places, i -> 3 * random.nextGaussian());
    Gae.Input input = withEnds(sample.collected(), rewards, random);
    Places following = new Places(places);
    Deviation deviation = new Deviation();
    for (int count : new int[] {1, 3, sample.config().critic().particles()}) {
      for (double lambda : new double[] {0, 0.7, sample.config().rollout().gaeLambda(), 1}) {
        double[] uniforms = new double[size];
        Arrays.setAll(uniforms, i -> random.nextDouble());
        compare(
            deviation,
            ReturnTargets.of(input, following, uniforms, count, lambda),
            ReferenceReturns.particles(input, uniforms, count, lambda, following::at));
      }
    }
    return deviation;
  }

  /** A distribution at another place after each transition. */
  private static final class Places implements ReturnTargets.Following {
    private final double[] places;
    private int selected;

    Places(double[] places) {
      this.places = places;
    }

    @Override
    public void select(int transition) {
      selected = transition;
    }

    @Override
    public double draw(double level) {
      return at(selected, level);
    }

    double at(int transition, double level) {
      return places[transition] + 2 * level * level;
    }
  }

  static Deviation firstScale(AuditSubject subject) {
    Gae.Input own = subject.own().collected();
    RandomStream random = RandomStream.of(subject.config().seed(), "audit/first-scale", 0);
    int size = own.rewards().length;
    double[] constant = new double[size];
    Arrays.fill(constant, 1);
    double[] varied = new double[size];
    Arrays.setAll(varied, i -> 0.3 + random.nextGaussian());
    boolean[] never = new boolean[size];
    Deviation deviation = new Deviation();
    for (ReturnScaleConfig.Mode mode : ReturnScaleConfig.Mode.values()) {
      ReturnScaleConfig config =
          SampleConfig.with(subject.own().config(), "returns.mode=" + SettingNames.written(mode))
              .returns();
      compare(deviation, own, config);
      for (double[] rewards : new double[][] {constant, varied}) {
        compare(deviation, withEnds(own, rewards, never, never), config);
        compare(deviation, withEnds(own, rewards, never, own.truncated()), config);
        compare(deviation, withEnds(own, rewards, random), config);
      }
    }
    return deviation;
  }

  private static void compare(Deviation deviation, Gae.Input input, ReturnScaleConfig config) {
    ReturnScale actual =
        new ReturnScaleTracker(config)
            .begin(
                input.rewards(),
                input.terminated(),
                input.truncated(),
                input.environments(),
                input.gamma());
    deviation.add(
        Deviation.relative(
            new double[] {actual.mean(), actual.std()},
            ReferenceReturns.firstScale(input, config)));
  }
}
