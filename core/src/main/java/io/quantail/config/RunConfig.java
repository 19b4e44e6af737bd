package io.quantail.config;

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
    ReturnConfig returns,
    RiskConfig risk,
    RobustConfig robust,
    RolloutConfig rollout,
    PpoConfig ppo,
    OptimizerConfig optimizer,
    TrainingConfig training,
    EvaluationConfig evaluation,
    Sections modules) {
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
          "rollout.lanes must be at most environment.count (%d), was %d; %d would work"
              .formatted(environment.count(), rollout.lanes(), environment.count()));
    }
    BatchShape.check(rollout.steps(), environment.count(), ppo);
  }

  public static RunConfig defaults() {
    return new RunConfig(
        1,
        EnvironmentConfig.defaults(),
        NetworkConfig.defaults(),
        CriticConfig.defaults(),
        ReturnConfig.defaults(),
        RiskConfig.defaults(),
        RobustConfig.defaults(),
        RolloutConfig.defaults(),
        PpoConfig.defaults(),
        OptimizerConfig.defaults(),
        TrainingConfig.defaults(),
        EvaluationConfig.defaults(),
        Sections.none());
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
  public RunConfig withModules(Sections newModules) {
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
}
