package io.quantail.run.health;

import static io.quantail.run.health.MadeUpEnvironment.ONE_LEVER;
import static io.quantail.run.health.MadeUpEnvironment.TWO_ARMS;

import io.quantail.env.Action;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.EnvironmentWrapper;
import io.quantail.env.Step;
import io.quantail.env.tasks.CartPole;
import io.quantail.random.RandomStream;
import io.quantail.train.Trainer;
import java.util.List;
import java.util.function.Consumer;

/** What can go wrong in training. */
final class Faults {
  private static final EnvironmentFactory CART_POLE = index -> new CartPole();
  private static final MadeUpEnvironment.Sight NOISE = (step, random) -> random.nextGaussian();
  private static final MadeUpEnvironment.Sight NOTHING = (step, random) -> 0;
  private static final Consumer<Trainer> UNTOUCHED = trainer -> {};

  private Faults() {}

  static List<Fault> all() {
    return List.of(
        new Fault(
            "entropy coefficient 1e308",
            List.of("loss-nonfinite", "steps-refused", "updates-refused"),
            1,
            CART_POLE,
            UNTOUCHED,
            "ppo.entropy.coefficient=1e308",
            "training.maxRefusedUpdates=100"),
        new Fault(
            "rewards × 1e6 in mid-run",
            List.of("loss-large", "value-loss-large"),
            6,
            pays((step, seen, action, random) -> (step < 64 ? 1 : 1e6) * random.nextGaussian()),
            UNTOUCHED),
        new Fault(
            "cloning coefficient 1e5",
            List.of("policy-loss-large", "cloning-dominates"),
            15,
            CART_POLE,
            UNTOUCHED,
            "ppo.cloning.coefficient=1e5"),
        new Fault(
            "critic coefficient 1e6",
            List.of("gradient-norm", "gradient-norm-max", "lstm-gradient"),
            10,
            pays((step, seen, action, random) -> seen * random.nextGaussian()),
            UNTOUCHED,
            "critic.coefficient=1e6"),
        new Fault(
            "critic coefficient 1e42",
            List.of("gradient-nonfinite"),
            2,
            pays((step, seen, action, random) -> 1e4 * seen),
            UNTOUCHED,
            "critic.coefficient=1e42",
            "training.maxRefusedUpdates=100"),
        new Fault(
            "critic coefficient 0: both heads frozen",
            List.of(
                "critic1-gradient-vanished",
                "critic2-gradient-vanished",
                "lstm-gradient-vanished",
                "value-bias"),
            25,
            pays((step, seen, action, random) -> (step < 64 ? 0 : 10) + 2 * random.nextGaussian()),
            UNTOUCHED,
            "critic.coefficient=0",
            "rollout.gamma=0.01"),
        new Fault(
            "one critic far off, the other not",
            List.of("twin-imbalance"),
            8,
            pays((step, seen, action, random) -> random.nextGaussian()),
            Tampering::misplaceFirstCritic,
            "critic.huberKappa=1e6",
            "optimizer.learningRate=1e-9"),
        new Fault(
            "both critics with the same weights",
            List.of("twin-collapsed"),
            15,
            pays((step, seen, action, random) -> random.nextGaussian()),
            Tampering::copyFirstCritic),
        new Fault(
            "one-cycle schedule with a floor above its end",
            List.of("learning-rate-floor"),
            10,
            CART_POLE,
            UNTOUCHED,
            "optimizer.schedule=one-cycle",
            "optimizer.learningRate=1e-3",
            "optimizer.minLearningRate=1e-3",
            "training.steps=640"),
        new Fault(
            "learning rate 1e30",
            List.of("log-ratio-nonfinite", "metrics-nonfinite"),
            1,
            CART_POLE,
            UNTOUCHED,
            "optimizer.learningRate=1e30",
            "optimizer.maxLearningRate=1e30"),
        new Fault(
            "learning rate 1",
            List.of(
                "log-ratio-clamped", "log-ratio-extreme", "log-ratio-outlier", "action-outliers"),
            20,
            lever((step, seen, action, random) -> seen * action),
            UNTOUCHED,
            "optimizer.learningRate=1",
            "network.sigmaMin=0.01"),
        new Fault(
            "learning rate 0.3 on noise",
            List.of("log-ratio-concerning"),
            20,
            lever((step, seen, action, random) -> random.nextGaussian()),
            UNTOUCHED,
            "network.memory=none",
            "optimizer.learningRate=0.3",
            "network.sigmaMin=0.05",
            "network.sigmaMax=0.1",
            "ppo.epochs=4"),
        new Fault(
            "KL target 1e-9", List.of("kl-stops"), 10, CART_POLE, UNTOUCHED, "ppo.kl.target=1e-9"),
        new Fault(
            "entropy coefficient 0 and a learning rate of 0.5",
            List.of("entropy-collapse", "entropy-low"),
            40,
            index -> new MadeUpEnvironment(TWO_ARMS, 1, NOTHING, (step, seen, arm, r) -> arm),
            UNTOUCHED,
            "ppo.entropy.coefficient=0",
            "network.memory=none",
            "optimizer.learningRate=0.5"),
        new Fault(
            "entropy coefficient decays below its minimum",
            List.of("entropy-floor"),
            6,
            CART_POLE,
            UNTOUCHED,
            "ppo.entropy.coefficient=0.01",
            "ppo.entropy.finalCoefficient=0",
            "ppo.entropy.minimum=0.005",
            "ppo.entropy.decayUpdates=4"),
        new Fault(
            "a task that rewards precision alone",
            List.of("sigma-floor"),
            60,
            index ->
                new MadeUpEnvironment(
                    ONE_LEVER, 1, NOTHING, (step, seen, action, random) -> -action * action),
            UNTOUCHED,
            "ppo.entropy.coefficient=0",
            "environment.count=16",
            "ppo.batchSize=256",
            "network.memory=none",
            "network.sigmaMax=0.3",
            "optimizer.learningRate=0.2"),
        new Fault(
            "best action at the bound, learning rate 0.2",
            List.of("policy-at-bounds", "clip-fraction", "kl-high"),
            40,
            index -> new MadeUpEnvironment(ONE_LEVER, 1, NOTHING, (step, seen, a, random) -> a),
            UNTOUCHED,
            "ppo.entropy.coefficient=0",
            "network.memory=none",
            "optimizer.learningRate=0.2"),
        new Fault(
            "one huge reward in each rollout of 2048",
            List.of("advantages-large"),
            5,
            index ->
                new MadeUpEnvironment(
                    TWO_ARMS,
                    16,
                    NOISE,
                    (step, seen, a, random) -> index == 0 && step % 512 == 100 ? 1e3 : 0),
            UNTOUCHED,
            "network.memory=none",
            "rollout.steps=512",
            "ppo.batchSize=2048",
            "ppo.epochs=1",
            "rollout.gamma=0.01",
            "rollout.gaeLambda=0"),
        new Fault(
            "one reward of 1e5 in a rollout of 16384",
            List.of("advantages-extreme"),
            1,
            pays((step, seen, action, random) -> step == 100 ? 1e5 : 0),
            UNTOUCHED,
            "environment.count=1",
            "rollout.lanes=1",
            "network.memory=none",
            "rollout.steps=16384",
            "ppo.batchSize=16384",
            "ppo.epochs=1",
            "rollout.gamma=0.01",
            "rollout.gaeLambda=0"),
        new Fault(
            "advantages normalised per environment, rollouts of one step",
            List.of("advantages-invalid"),
            1,
            pays((step, seen, action, random) -> random.nextGaussian()),
            UNTOUCHED,
            "rollout.normalizeAdvantagePerEnvironment=true",
            "rollout.steps=1",
            "ppo.sequenceLength=1",
            "ppo.batchSize=4"),
        new Fault(
            "constant rewards, nothing to see",
            List.of("advantages-flat", "lstm-dead"),
            8,
            index -> new MadeUpEnvironment(TWO_ARMS, 1, NOTHING, (step, seen, action, r) -> 1),
            UNTOUCHED),
        new Fault(
            "mean heads that predict noise, critic coefficient 0",
            List.of("explained-variance-negative"),
            60,
            pays((step, seen, action, random) -> random.nextGaussian()),
            Tampering::exaggerateMeans,
            "critic.coefficient=0",
            "rollout.gamma=0.01"),
        new Fault(
            "rewards × 1e-5 without bootstraps",
            List.of("targets-small", "return-scale"),
            30,
            index ->
                new MadeUpEnvironment(
                    TWO_ARMS, 1, NOISE, (step, seen, a, r) -> 1e-5 * r.nextGaussian()),
            UNTOUCHED),
        new Fault(
            "rewards × 1e4 in mid-run",
            List.of("return-scale-jump"),
            25,
            pays((step, seen, action, random) -> (step < 192 ? 1 : 1e4) * random.nextGaussian()),
            UNTOUCHED,
            "network.memory=none"),
        new Fault(
            "rewards × 1e4 in mid-run, categorical critics",
            List.of("return-scale-moves-atoms"),
            25,
            pays((step, seen, action, random) -> (step < 192 ? 1 : 1e4) * random.nextGaussian()),
            UNTOUCHED,
            "critic.type=categorical",
            "network.memory=none"),
        new Fault(
            "mean heads moved away from the quantiles",
            List.of("mean-gap"),
            18,
            pays((step, seen, action, random) -> random.nextGaussian()),
            Tampering::misplaceMeans,
            "optimizer.learningRate=1e-9"),
        new Fault(
            "the same reward whatever is done",
            List.of("returns-settled"),
            60,
            index -> new MadeUpEnvironment(TWO_ARMS, 1, NOISE, (step, seen, action, random) -> 5),
            UNTOUCHED),
        new Fault(
            "rewards are noise",
            List.of("explained-variance-low"),
            25,
            pays((step, seen, action, random) -> random.nextGaussian()),
            UNTOUCHED),
        new Fault(
            "rewards change their sign late in the run",
            List.of("explained-variance-dropped"),
            70,
            index ->
                new MadeUpEnvironment(
                    TWO_ARMS,
                    1,
                    NOISE,
                    (step, seen, action, random) -> step < 50 * 16 ? seen : -seen),
            UNTOUCHED,
            "network.memory=none",
            "optimizer.learningRate=0.01",
            "optimizer.schedule=linear",
            "training.steps=3456"),
        new Fault(
            "value clip range 1e-4",
            List.of("value-clip-active"),
            20,
            pays((step, seen, action, random) -> random.nextGaussian()),
            UNTOUCHED,
            "critic.clip.mode=per-quantile",
            "critic.clip.range=1e-4",
            "critic.clip.thresholdExplainedVariance=-1"),
        new Fault(
            "atoms on ±0.1 only",
            List.of("support-too-narrow", "support-too-narrow-below", "support-edge-mass"),
            8,
            pays((step, seen, action, random) -> random.nextGaussian()),
            UNTOUCHED,
            "critic.type=categorical",
            "critic.support=0.1"),
        new Fault(
            "critics that predict a tenth of the dispersion, frozen, under a limit",
            List.of("tail-understated", "miscalibrated", "limit-on-uncalibrated-tail"),
            12,
            pays((step, seen, action, random) -> random.nextGaussian()),
            trainer -> Tampering.predictQuantiles(trainer, 0.1f),
            "rollout.gamma=0.1",
            "critic.coefficient=0",
            "optimizer.learningRate=1e-9",
            "network.sharedMemory=true",
            "risk.mode=constraint",
            "risk.measure=returns",
            "risk.limit=-1"),
        new Fault(
            "critics that predict ten times the dispersion, frozen",
            List.of("tail-overstated"),
            12,
            pays((step, seen, action, random) -> random.nextGaussian()),
            trainer -> Tampering.predictQuantiles(trainer, 10),
            "rollout.gamma=0.1",
            "critic.coefficient=0",
            "optimizer.learningRate=1e-9"),
        new Fault(
            "episodes that are truncated early after the first",
            List.of("calibration-unmeasured"),
            16,
            index -> cutShort(),
            UNTOUCHED,
            "rollout.gamma=0.9"),
        new Fault(
            "LSTM biases of 20, episodes without an end",
            List.of("lstm-saturated", "lstm-exploding"),
            20,
            index ->
                new MadeUpEnvironment(
                    TWO_ARMS,
                    Integer.MAX_VALUE,
                    NOISE,
                    (step, seen, a, random) -> random.nextGaussian()),
            Tampering::openAllGates),
        new Fault(
            "observations × 1000 in mid-run, not normalised",
            List.of("lstm-shift"),
            40,
            index ->
                new MadeUpEnvironment(
                    TWO_ARMS,
                    16,
                    (step, random) -> (step < 25 * 16 ? 1e-2 : 1e3) * random.nextGaussian(),
                    (step, seen, action, random) -> random.nextGaussian()),
            UNTOUCHED,
            "environment.normalizeObservations=false",
            "optimizer.learningRate=1e-6"),
        new Fault(
            "observations move by 1000 in mid-run",
            List.of("normaliser-mean-drift", "normaliser-std-drift"),
            20,
            index ->
                new MadeUpEnvironment(
                    TWO_ARMS,
                    16,
                    (step, random) -> (step < 15 * 16 ? 0 : 1000) + random.nextGaussian(),
                    (step, seen, action, random) -> random.nextGaussian()),
            UNTOUCHED),
        new Fault(
            "a limit on the worst 0.5 % of 64 rewards",
            List.of("cvar-tail-thin", "cvar-alpha-small", "cvar-gradient"),
            20,
            pays((step, seen, action, random) -> random.nextGaussian()),
            UNTOUCHED,
            "network.sharedMemory=true",
            "risk.mode=constraint",
            "risk.measure=returns",
            "risk.alpha=0.005",
            "risk.limit=100",
            "risk.multiplier.max=1000",
            "risk.multiplier.rate=100"),
        new Fault(
            "a limit that cannot be met",
            List.of("limit-not-reached", "cvar-limit-broken"),
            55,
            pays((step, seen, action, random) -> random.nextGaussian()),
            UNTOUCHED,
            "risk.mode=policy",
            "risk.limit=-0.1"),
        new Fault(
            "a limit on episodes that do not end",
            List.of("limit-undecided"),
            10,
            index ->
                new MadeUpEnvironment(
                    TWO_ARMS,
                    Integer.MAX_VALUE,
                    NOISE,
                    (step, seen, a, random) -> random.nextGaussian()),
            UNTOUCHED,
            "risk.mode=policy",
            "risk.measure=episodes",
            "risk.limit=-1"),
        new Fault(
            "UPGD noise of 100",
            List.of("upgd-noise"),
            8,
            CART_POLE,
            UNTOUCHED,
            "optimizer.name=upgd",
            "optimizer.learningRate=1e-6",
            "optimizer.sigma=100"),
        new Fault(
            "variance gradient scaling with alpha 1e6 on nothing but noise",
            List.of("vgs-floor", "vgs-cap"),
            80,
            pays((step, seen, action, random) -> random.nextGaussian()),
            UNTOUCHED,
            "network.memory=none",
            "critic.coefficient=0",
            "ppo.entropy.coefficient=0",
            "optimizer.learningRate=1e-6",
            "optimizer.vgs.enabled=true",
            "optimizer.vgs.warmupSteps=0",
            "optimizer.vgs.beta=0.999",
            "optimizer.vgs.alpha=1e6"),
        new Fault(
            "environments that throw and answer NaN",
            List.of("environment-restarts"),
            3,
            index -> new MadeUpEnvironment(TWO_ARMS, 9, NOISE, Faults::failingPay),
            UNTOUCHED,
            "environment.faults.policy=restart"));
  }

  /** Throws, or answers NaN, in one of ten steps. */
  private static double failingPay(long step, double seen, double action, RandomStream random) {
    double draw = random.nextDouble();
    if (draw < 0.05) {
      throw new IllegalStateException("lost the feed");
    }
    return draw < 0.1 ? Double.NaN : 1;
  }

  /** A first episode of 40 steps, which is beyond the horizon of gamma 0.9; 4 steps after that. */
  private static Environment cutShort() {
    return new EnvironmentWrapper(
        new MadeUpEnvironment(
            TWO_ARMS, Integer.MAX_VALUE, NOISE, (step, seen, a, random) -> random.nextGaussian())) {
      private int episodes;
      private int steps;

      @Override
      public float[] reset(RandomStream random) {
        episodes++;
        steps = 0;
        return super.reset(random);
      }

      @Override
      public Step step(Action action) {
        steps++;
        Step step = super.step(action);
        return steps < (episodes == 1 ? 40 : 4) ? step : step.truncated();
      }
    };
  }

  /** Two arms, noise to see, episodes of 16 steps. */
  private static EnvironmentFactory pays(MadeUpEnvironment.Pay pay) {
    return index -> new MadeUpEnvironment(TWO_ARMS, 16, NOISE, pay);
  }

  /** A lever, noise to see, episodes of 16 steps. */
  private static EnvironmentFactory lever(MadeUpEnvironment.Pay pay) {
    return index -> new MadeUpEnvironment(ONE_LEVER, 16, NOISE, pay);
  }
}
