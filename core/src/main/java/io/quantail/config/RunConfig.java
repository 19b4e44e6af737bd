package io.quantail.config;

import java.util.Locale;

/**
 * All settings of a run; the root of the settings tree.
 *
 * @param seed the number every random stream of the run starts from; any whole number; default 1
 * @param environment section {@code environment}
 * @param network section {@code network}
 * @param critic section {@code critic}
 * @param returns section {@code returns}
 * @param risk section {@code risk}
 * @param robust section {@code robust}
 * @param rollout section {@code rollout}
 * @param ppo section {@code ppo}
 * @param optimizer section {@code optimizer}
 * @param training section {@code training}
 * @param evaluation section {@code evaluation}
 * @param modules sections that other modules provide
 */
public record RunConfig(
    long seed,
    EnvironmentConfig environment,
    NetworkConfig network,
    CriticConfig critic,
    ReturnScaleConfig returns,
    RiskConfig risk,
    RobustConfig robust,
    RolloutConfig rollout,
    PpoConfig ppo,
    OptimizerConfig optimizer,
    TrainingConfig training,
    EvaluationConfig evaluation,
    ConfigExtensions modules) {
  public RunConfig {
    Check.present("environment", environment);
    Check.present("network", network);
    Check.present("critic", critic);
    Check.present("returns", returns);
    Check.present("risk", risk);
    Check.present("robust", robust);
    Check.present("rollout", rollout);
    Check.present("ppo", ppo);
    Check.present("optimizer", optimizer);
    Check.present("training", training);
    Check.present("evaluation", evaluation);
    Check.present("modules", modules);
    if (rollout.lanes() > environment.count()) {
      throw new ConfigException(
          String.format(
              Locale.ROOT,
              "rollout.lanes must be at most environment.count (%d), was %d; %d would work",
              environment.count(),
              rollout.lanes(),
              environment.count()));
    }
    BatchShape.check(rollout.steps(), environment.count(), ppo);
  }

  /**
   * Refuses settings that stored runs may have but that no training starts or continues with. A
   * limit that acts on the critics' predictions reaches the policy only through shared layers.
   */
  public void requireTrainable() {
    if (risk.mode().actsOnCritics() && !network.sharedMemory()) {
      throw new ConfigException(
          ("risk.mode %s acts on the critics alone while network.sharedMemory is false, so the policy"
                  + " would not learn the limit; set network.sharedMemory to true, or risk.mode to"
                  + " policy")
              .formatted(SettingNames.written(risk.mode())));
    }
  }

  public static RunConfig defaults() {
    return new RunConfig(
        1,
        EnvironmentConfig.defaults(),
        NetworkConfig.defaults(),
        CriticConfig.defaults(),
        ReturnScaleConfig.defaults(),
        RiskConfig.defaults(),
        RobustConfig.defaults(),
        RolloutConfig.defaults(),
        PpoConfig.defaults(),
        OptimizerConfig.defaults(),
        TrainingConfig.defaults(),
        EvaluationConfig.defaults(),
        ConfigExtensions.none());
  }

  /** The trace decay of what the critics regress on. */
  public double targetLambda() {
    Double lambda = critic.targetLambda();
    return lambda == null ? rollout.gaeLambda() : lambda;
  }

  /** The same run from another seed. */
  public RunConfig withSeed(long newSeed) {
    return new RunConfig(
        newSeed,
        environment,
        network,
        critic,
        returns,
        risk,
        robust,
        rollout,
        ppo,
        optimizer,
        training,
        evaluation,
        modules);
  }

  /** The same run with other sections of modules. */
  public RunConfig withModules(ConfigExtensions newModules) {
    return new RunConfig(
        seed,
        environment,
        network,
        critic,
        returns,
        risk,
        robust,
        rollout,
        ppo,
        optimizer,
        training,
        evaluation,
        newModules);
  }

  /**
   * Checks that a rollout divides evenly into windows, minibatches and microbatches.
   *
   * <p>Uneven cuts would weight some transitions more than others, so they are refused instead of
   * padded. Each message proposes the largest value that is not above the given one and works, or
   * the smallest that works. {@code BatchShapeTest} checks that following the proposals always ends
   * in an accepted configuration.
   */
  static final class BatchShape {
    private BatchShape() {}

    static void check(int steps, int environments, PpoConfig ppo) {
      int window = ppo.sequenceLength();
      if (steps % window != 0) {
        throw new ConfigException(
            String.format(
                Locale.ROOT,
                "ppo.sequenceLength must divide rollout.steps (%d), was %d; %d would work",
                steps,
                window,
                divisorUpTo(steps, window)));
      }
      checkBatch(steps, environments, ppo);
      int sequences = ppo.batchSize() / window;
      if (ppo.microbatches() > sequences) {
        throw new ConfigException(
            String.format(
                Locale.ROOT,
                "ppo.microbatches must be at most ppo.batchSize / ppo.sequenceLength (%d / %d), was %d;"
                    + " %d would work",
                ppo.batchSize(),
                window,
                ppo.microbatches(),
                sequences));
      }
    }

    private static void checkBatch(int steps, int environments, PpoConfig ppo) {
      long transitions = (long) steps * environments;
      int batch = ppo.batchSize();
      int window = ppo.sequenceLength();
      if (batch % window != 0) {
        throw new ConfigException(
            String.format(
                Locale.ROOT,
                "ppo.batchSize must be a multiple of ppo.sequenceLength (%d), was %d; %d would work",
                window,
                batch,
                workingBatch(transitions, batch, window)));
      }
      if (transitions % batch != 0) {
        throw new ConfigException(
            String.format(
                Locale.ROOT,
                "ppo.batchSize must divide rollout.steps * environment.count (%d * %d), was %d;"
                    + " %d would work",
                steps,
                environments,
                batch,
                workingBatch(transitions, batch, window)));
      }
    }

    private static int divisorUpTo(int number, int limit) {
      int divisor = Math.min(number, limit);
      while (number % divisor != 0) {
        divisor--;
      }
      return divisor;
    }

    /** One window always works, because the window divides the steps of each environment. */
    private static long workingBatch(long transitions, int batch, int window) {
      long candidate = Math.max(window, Math.min(transitions, batch) / window * window);
      while (transitions % candidate != 0) {
        candidate -= window;
      }
      return candidate;
    }
  }
}
