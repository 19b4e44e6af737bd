package io.quantail.audit;

import io.quantail.audit.slow.Experience;
import io.quantail.audit.slow.Numbers;
import io.quantail.audit.slow.SlowCritic;
import io.quantail.audit.slow.SlowNetwork;
import io.quantail.audit.slow.SlowPolicy;
import io.quantail.config.RiskMode;
import io.quantail.config.RunConfig;
import io.quantail.critic.ReturnScale;
import io.quantail.critic.ReturnStatistics;
import io.quantail.env.ActionSpace;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.TimeLimit;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.nn.Parameters;
import io.quantail.parallel.WorkerPool;
import io.quantail.rollout.Agent;
import io.quantail.rollout.AgentModel;
import io.quantail.rollout.Collector;
import io.quantail.rollout.Gae;
import io.quantail.rollout.Interference;
import io.quantail.rollout.Rollout;
import io.quantail.state.StateMap;
import io.quantail.train.Trainer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A rollout that the parts of the learner collected, beside all that is needed to derive it again.
 *
 * <p>Episodes are cut after at most two windows, so that truncations are there to be looked at.
 */
final class Sample implements AutoCloseable {
  private static final int WARM_UPDATES = 2;

  private final RunConfig config;
  private final EnvironmentFactory factory;
  private final StateMap before;
  private final List<Witness> witnesses = new ArrayList<>();
  private final VectorEnvironment environments;
  private final WorkerPool workers;
  private final AgentModel model;
  private final ReturnScale scale;
  private final Rollout rollout;
  private final Gae.Input collected;
  private final Experience experience;

  /** With the network of the settings, and the agent of a run if there is one. */
  static Sample own(RunConfig config, EnvironmentFactory factory, Optional<StateMap> snapshot) {
    RunConfig small = SampleSettings.own(config);
    EnvironmentFactory cut = cut(small, factory);
    StateMap state = warm(small, cut, snapshot.isEmpty() ? WARM_UPDATES : 0);
    StateMap before = snapshot.map(saved -> withAgentOf(state, saved)).orElse(state);
    return new Sample(small, cut, before);
  }

  /** With a network small enough for finite differences. */
  static Sample tiny(RunConfig config, EnvironmentFactory factory) {
    RunConfig small = SampleSettings.tiny(config);
    EnvironmentFactory cut = cut(small, factory);
    StateMap before = warm(small, cut, WARM_UPDATES);
    return new Sample(withReachedLimit(small, before), cut, before);
  }

  private static EnvironmentFactory cut(RunConfig config, EnvironmentFactory factory) {
    int most = 2 * config.ppo().sequenceLength() - 1;
    return index -> new TimeLimit(factory.create(index), Math.max(1, most - index % 2));
  }

  private static StateMap warm(RunConfig config, EnvironmentFactory factory, int updates) {
    StateMap state = new StateMap();
    try (Trainer trainer = new Trainer(config, factory)) {
      for (int i = 0; i < updates; i++) {
        trainer.iterate();
      }
      trainer.save(state);
    }
    return state;
  }

  /** The short run's environments with all that the long run has learnt. */
  private static StateMap withAgentOf(StateMap fresh, StateMap saved) {
    StateMap state = new StateMap();
    fresh
        .entries()
        .forEach(
            (name, array) -> {
              if (name.startsWith("collector/")) {
                state.put(name, array);
              }
            });
    saved
        .entries()
        .forEach(
            (name, array) -> {
              if (!name.startsWith("collector/")) {
                state.put(name, array);
              }
            });
    return state;
  }

  /** A limit that is never broken would leave its terms untested. */
  private static RunConfig withReachedLimit(RunConfig config, StateMap state) {
    if (config.risk().mode() == RiskMode.OFF) {
      return config;
    }
    double[] scale = state.child("returns").doubles("scale", 2);
    return SampleSettings.with(config, "risk.limit=" + (scale[0] + 5 * scale[1]));
  }

  private Sample(RunConfig config, EnvironmentFactory factory, StateMap before) {
    this.config = config;
    this.factory = factory;
    this.before = before;
    EnvironmentFactory watched =
        index -> {
          Witness witness = new Witness(factory.create(index));
          witnesses.add(witness);
          return witness;
        };
    environments =
        new VectorEnvironment(
            watched, config.environment().count(), config.seed(), config.environment().faults());
    workers = new WorkerPool(config.training().threads());
    model = new AgentModel(config, environments.observationSize(), environments.actionSpace());
    model.load(before.child("agent"));
    Collector collector =
        new Collector(model.agent(), environments, workers, Collector.Options.of(config));
    collector.load(before.child("collector"));
    ReturnStatistics statistics = new ReturnStatistics(config.returns());
    statistics.load(before.child("returns"));
    scale = statistics.scale();
    rollout = collector.collect(scale);
    collected = withConfiguredDiscounts(rollout.gaeInput(config.rollout()));
    experience = Experience.of(rollout, collected);
  }

  /** What was collected, with discounts that are read from the settings here. */
  private Gae.Input withConfiguredDiscounts(Gae.Input input) {
    return new Gae.Input(
        input.environments(),
        input.rewards(),
        input.values(),
        input.terminated(),
        input.truncated(),
        input.bootstrap(),
        input.lastValues(),
        config.rollout().gamma(),
        config.rollout().gaeLambda());
  }

  /** Collects once more from the same state, with something between environments and policy. */
  Rollout collect(Interference interference) {
    Collector collector =
        new Collector(model.agent(), environments, workers, Collector.Options.of(config));
    collector.load(before.child("collector"));
    return collector.collect(scale, interference);
  }

  RunConfig config() {
    return config;
  }

  /** Environments whose episodes are cut as in this sample. */
  EnvironmentFactory factory() {
    return factory;
  }

  /** The state of a trainer before the rollout. */
  StateMap before() {
    return before;
  }

  Agent agent() {
    return model.agent();
  }

  /** Names and places of the parameters. */
  List<Parameters.Slot> slots() {
    return model.parameters().slots();
  }

  /** A new model with the same parameters. */
  AgentModel anotherModel(RunConfig other) {
    AgentModel another = new AgentModel(other, environments.observationSize(), actionSpace());
    another.load(before.child("agent"));
    return another;
  }

  ActionSpace actionSpace() {
    return environments.actionSpace();
  }

  int observationSize() {
    return environments.observationSize();
  }

  WorkerPool workers() {
    return workers;
  }

  ReturnScale scale() {
    return scale;
  }

  Rollout rollout() {
    return rollout;
  }

  Gae.Input collected() {
    return collected;
  }

  Experience experience() {
    return experience;
  }

  /** What the environments themselves said, one for each. */
  List<Witness> witnesses() {
    return witnesses;
  }

  double[] parameters() {
    return Numbers.doubles(model.parameters().values());
  }

  int critics() {
    return config.critic().twin() ? 2 : 1;
  }

  SlowNetwork slowNetwork() {
    return new SlowNetwork(
        slots(),
        config.network(),
        observationSize(),
        actionSpace(),
        critics(),
        agent().critic().outputs());
  }

  SlowPolicy slowPolicy() {
    return new SlowPolicy(actionSpace(), config.network().squash());
  }

  SlowCritic slowCritic() {
    return new SlowCritic(config.critic());
  }

  int[] allWindows() {
    int[] windows = new int[rollout.shape().windows()];
    for (int i = 0; i < windows.length; i++) {
      windows[i] = i;
    }
    return windows;
  }

  @Override
  public void close() {
    environments.close();
    workers.close();
  }
}
