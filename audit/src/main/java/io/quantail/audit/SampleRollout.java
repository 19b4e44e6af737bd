package io.quantail.audit;

import io.quantail.audit.reference.ReferenceCritic;
import io.quantail.audit.reference.ReferenceMath;
import io.quantail.audit.reference.ReferenceNetwork;
import io.quantail.audit.reference.ReferencePolicy;
import io.quantail.audit.reference.ReferenceRollout;
import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.ObservationSpace;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.model.ObservationPerturbation;
import io.quantail.network.Parameters;
import io.quantail.parallel.WorkerPool;
import io.quantail.rollout.Gae;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.RolloutCollector;
import io.quantail.state.StateMap;
import io.quantail.train.Trainer;
import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;
import io.quantail.value.ReturnScaleTracker;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A rollout collected by production code, with all inputs of the reference implementation.
 *
 * <p>Episodes are truncated after at most two windows, so that the rollout contains truncations.
 *
 * @param factory creates environments whose episodes are truncated as in this sample
 * @param before state of a trainer before the rollout
 * @param running reward sum of each environment's episode before the rollout
 * @param witnesses recordings of the values that each environment returned
 * @param collected input of GAE, with discounts read from the settings
 */
record SampleRollout(
    RunConfig config,
    EnvironmentFactory factory,
    StateMap before,
    double[] running,
    List<RecordingEnvironment> witnesses,
    VectorEnvironment environments,
    WorkerPool workers,
    AgentModel model,
    ReturnScale scale,
    Rollout rollout,
    Gae.Input collected,
    ReferenceRollout experience)
    implements AutoCloseable {
  private static final int WARM_UPDATES = 2;

  /** A sample with the configured network, and the agent of a run if there is one. */
  static SampleRollout own(
      RunConfig config, EnvironmentFactory factory, Optional<StateMap> snapshot) {
    RunConfig small = SampleConfig.own(config);
    EnvironmentFactory shortened = truncated(small, factory);
    StateMap state = warm(small, shortened, snapshot.isEmpty() ? WARM_UPDATES : 0);
    StateMap before = snapshot.map(saved -> withAgentOf(state, saved)).orElse(state);
    return collect(small, shortened, before);
  }

  /** A sample with a network small enough for finite differences. */
  static SampleRollout tiny(RunConfig config, EnvironmentFactory factory) {
    RunConfig small = SampleConfig.tiny(config);
    EnvironmentFactory shortened = truncated(small, factory);
    StateMap before = warm(small, shortened, WARM_UPDATES);
    return collect(withReachedLimit(small, before), shortened, before);
  }

  private static EnvironmentFactory truncated(RunConfig config, EnvironmentFactory factory) {
    int most = 2 * config.ppo().sequenceLength() - 1;
    return index -> new TimeLimitWrapper(factory.create(index), Math.max(1, most - index % 2));
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

  /**
   * The environments of a short run with the trained state of a long one. What observers of the
   * long run learnt beside the agent is left out: the shortened environments have none.
   */
  private static StateMap withAgentOf(StateMap fresh, StateMap saved) {
    StateMap state = new StateMap();
    copy(fresh, state, SampleRollout::ofEpisodes);
    Set<String> parts = fresh.names().stream().map(SampleRollout::part).collect(Collectors.toSet());
    copy(saved, state, name -> !ofEpisodes(name) && parts.contains(part(name)));
    return state;
  }

  /** The component of the trainer that an entry belongs to. */
  private static String part(String name) {
    return name.split("/", 2)[0];
  }

  /** Whether an entry belongs to running episodes. */
  private static boolean ofEpisodes(String name) {
    return name.startsWith("collector/") || name.startsWith("calibration/");
  }

  private static void copy(StateMap from, StateMap to, Predicate<String> chosen) {
    from.entries().keySet().stream()
        .filter(chosen)
        .forEach(name -> to.put(name, Objects.requireNonNull(from.entries().get(name))));
  }

  /** Settings with a CVaR limit that is violated, so that its terms act. */
  private static RunConfig withReachedLimit(RunConfig config, StateMap state) {
    if (config.risk().mode() == RiskConfig.Mode.OFF) {
      return config;
    }
    double[] scale = state.child("returns").doubles("scale", 2);
    return SampleConfig.with(config, "risk.limit=" + (scale[0] + 5 * scale[1]));
  }

  private static SampleRollout collect(
      RunConfig config, EnvironmentFactory factory, StateMap before) {
    List<RecordingEnvironment> witnesses = new ArrayList<>();
    VectorEnvironment environments =
        new VectorEnvironment(
            RecordingEnvironment.recording(factory, witnesses),
            config.environment().count(),
            config.seed(),
            config.environment().faults());
    WorkerPool workers = new WorkerPool(config.training().threads());
    AgentModel model =
        new AgentModel(config, environments.observationSpace(), environments.actionSpace());
    model.load(before.child("agent"));
    ReturnScaleTracker statistics = new ReturnScaleTracker(config.returns());
    statistics.load(before.child("returns"));
    RolloutCollector collector = collector(config, before, environments, workers, model);
    double[] running = environments.runningRewards();
    Rollout rollout = collector.collect(updates(before), ObservationPerturbation.Source.NONE);
    ReturnScale scale =
        statistics.begin(
            rollout.rewards(),
            rollout.terminated(),
            rollout.truncated(),
            environments.count(),
            config.rollout().gamma());
    Gae.Input input = rollout.gaeInput(config.rollout(), model.agent().critic(), scale);
    Gae.Input collected =
        new Gae.Input(
            input.environments(),
            input.rewards(),
            input.values(),
            input.terminated(),
            input.truncated(),
            input.bootstrap(),
            input.lastValues(),
            config.rollout().gamma(),
            config.rollout().gaeLambda());
    return new SampleRollout(
        config,
        factory,
        before,
        running,
        witnesses,
        environments,
        workers,
        model,
        scale,
        rollout,
        collected,
        ReferenceRollout.of(rollout, collected));
  }

  private static RolloutCollector collector(
      RunConfig config,
      StateMap before,
      VectorEnvironment environments,
      WorkerPool workers,
      AgentModel model) {
    RolloutCollector collector =
        new RolloutCollector(
            model.agent(), environments, workers, RolloutCollector.Options.of(config));
    collector.load(before.child("collector"));
    return collector;
  }

  /** Collects a second rollout from the same state with perturbed observations. */
  Rollout collect(ObservationPerturbation.Source interference) {
    return collector(config, before, environments, workers, model).collect(updates(), interference);
  }

  /** Number of updates before the rollout. */
  long updates() {
    return updates(before);
  }

  private static long updates(StateMap state) {
    return state.child("update").child("control").longValue("update");
  }

  ActingModel agent() {
    return model.agent();
  }

  /** Names and offsets of the parameters. */
  List<Parameters.Slot> slots() {
    return model.parameters().slots();
  }

  /** A new model with the same parameters. */
  AgentModel anotherModel(RunConfig other) {
    AgentModel another = new AgentModel(other, environments.observationSpace(), actionSpace());
    another.load(before.child("agent"));
    return another;
  }

  ActionSpace actionSpace() {
    return environments.actionSpace();
  }

  ObservationSpace observationSpace() {
    return environments.observationSpace();
  }

  double[] parameters() {
    return ReferenceMath.doubles(model.parameters().values());
  }

  int critics() {
    return config.critic().twin() ? 2 : 1;
  }

  ReferenceNetwork referenceNetwork() {
    Critic critic = agent().critic();
    return new ReferenceNetwork(
        slots(),
        config.network(),
        actionSpace(),
        critics(),
        critic.points(),
        referenceCritic().meanHead());
  }

  ReferencePolicy referencePolicy() {
    return new ReferencePolicy(actionSpace(), config.network().squash());
  }

  ReferenceCritic referenceCritic() {
    return new ReferenceCritic(config.critic());
  }

  int[] allWindows() {
    return IntStream.range(0, rollout.shape().windows()).toArray();
  }

  @Override
  public void close() {
    environments.close();
    workers.close();
  }
}
