package io.quantail.rollout;

import io.quantail.config.RunConfig;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.model.ActingModel;
import io.quantail.model.ExplorationStreams;
import io.quantail.model.ObservationPerturbation;
import io.quantail.network.ActorCritic;
import io.quantail.network.RecurrentState;
import io.quantail.parallel.WorkerPool;
import io.quantail.random.RandomStream;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Runs the policy in all environments and records a {@link Rollout}.
 *
 * <p>The environments are split into a fixed number of groups that never wait for each other, since
 * the policy does not change during a rollout. The results do not depend on which thread runs a
 * group.
 */
public final class RolloutCollector implements Restorable {

  private final long seed;
  private final Rollout.Shape shape;
  private final VectorEnvironment environments;
  private final WorkerPool workers;
  private final List<String> info;
  private final List<EnvironmentGroup> lanes = new ArrayList<>();
  private final RandomStream[] actionStreams;

  /**
   * @param seed seed of the run
   * @param steps steps of each environment per rollout
   * @param window steps between two stored recurrent states
   * @param lanes number of independent groups of environments; results depend on it; simulators are
   *     groups of their own
   * @param info names of the {@link io.quantail.env.Step#info} to record
   */
  public record Options(long seed, int steps, int window, int lanes, List<String> info) {

    /** The options in the settings of a run, without information of steps. */
    public static Options of(RunConfig config) {
      return of(config, List.of());
    }

    /** The options in the settings of a run. */
    public static Options of(RunConfig config, List<String> info) {
      return new Options(
          config.seed(),
          config.rollout().steps(),
          config.ppo().sequenceLength(),
          config.rollout().lanes(),
          info);
    }
  }

  /** Resets the environments, so that each is at the start of an episode. */
  public RolloutCollector(
      ActingModel agent, VectorEnvironment environments, WorkerPool workers, Options options) {
    this.seed = options.seed();
    this.info = List.copyOf(options.info());
    this.environments = environments;
    this.shape = shape(agent, environments, options);
    this.workers = workers;
    int count = environments.count();
    actionStreams = RandomStream.array(options.seed(), "action", count);
    int[] bounds = environments.groupBounds(options.lanes());
    for (int lane = 0; lane + 1 < bounds.length; lane++) {
      lanes.add(
          new EnvironmentGroup(agent, environments, actionStreams, bounds[lane], bounds[lane + 1]));
    }
    environments.reset();
  }

  private static Rollout.Shape shape(
      ActingModel agent, VectorEnvironment environments, Options options) {
    ActorCritic network = agent.network();
    return new Rollout.Shape(
        options.steps(),
        environments.count(),
        options.window(),
        environments.observationSize(),
        environments.actionSpace().size(),
        environments.maskSize(),
        network.distributionParameters(),
        network.width(),
        network.stateSlots(),
        network.valueHeads().size(),
        agent.critic().outputs());
  }

  /** Collects one rollout. */
  public Rollout collect() {
    return collect(0, ObservationPerturbation.Source.NONE);
  }

  /**
   * Collects one rollout with perturbed observations. The rollout holds the observations as the
   * policy got them, so that learning from it stays on-policy.
   *
   * @param update number of updates so far, from which exploration matrices follow
   */
  public Rollout collect(long update, ObservationPerturbation.Source interference) {
    ExplorationStreams exploration = ExplorationStreams.of(seed, update);
    Rollout rollout = new Rollout(shape, info);
    List<Callable<Void>> tasks = new ArrayList<>();
    for (EnvironmentGroup lane : lanes) {
      tasks.add(
          () -> {
            lane.collect(rollout, interference, exploration);
            return null;
          });
    }
    workers.run(tasks);
    return rollout;
  }

  /** The recurrent states of all environment groups at the end of the last rollout. */
  public List<RecurrentState> states() {
    return lanes.stream().map(EnvironmentGroup::state).toList();
  }

  /** Writes all mutable state, with the running episodes where they can be saved. */
  @Override
  public void save(StateMap state) {
    for (int lane = 0; lane < lanes.size(); lane++) {
      lanes.get(lane).save(state.child("lane" + lane));
    }
    long[] positions = Arrays.stream(actionStreams).mapToLong(RandomStream::position).toArray();
    state.putLongs("actionStreams", positions, positions.length);
    environments.save(state.child("environments"));
    Optional<List<double[]>> running = environments.snapshot();
    state.putBoolean("episodesSaved", running.isPresent());
    running.ifPresent(episodes -> save(episodes, state.child("episodes")));
  }

  private static void save(List<double[]> episodes, StateMap saved) {
    for (int e = 0; e < episodes.size(); e++) {
      saved.putDoubles(Integer.toString(e), episodes.get(e), episodes.get(e).length);
    }
  }

  /** Whether a state of {@link #save} holds the running episodes. */
  public static boolean holdsEpisodes(StateMap state) {
    return state.booleanValue("episodesSaved");
  }

  /**
   * {@inheritDoc}
   *
   * <p>The action resumes the running episodes, or resets all environments where {@link
   * #holdsEpisodes} is false. It fails if an environment refuses its state; then the others resume
   * the episodes they had, and nothing else has changed.
   */
  @Override
  public Runnable restoring(StateMap state) {
    List<Runnable> groups = new ArrayList<>();
    for (int lane = 0; lane < lanes.size(); lane++) {
      groups.add(lanes.get(lane).restoring(state.child("lane" + lane)));
    }
    long[] positions = state.longs("actionStreams", actionStreams.length);
    RandomStream[] streams = new RandomStream[positions.length];
    Arrays.setAll(
        streams,
        e ->
            RandomStream.restore(
                actionStreams[e].key(), actionStreams[e].substream(), positions[e]));
    Runnable counts = environments.restoring(state.child("environments"));
    List<double[]> episodes = episodes(state);
    return () -> {
      if (holdsEpisodes(state)) {
        resume(counts, episodes);
      } else {
        counts.run();
        environments.reset();
      }
      groups.forEach(Runnable::run);
      if (!holdsEpisodes(state)) {
        lanes.forEach(EnvironmentGroup::startAll);
      }
      System.arraycopy(streams, 0, actionStreams, 0, streams.length);
    };
  }

  private List<double[]> episodes(StateMap state) {
    List<double[]> episodes = new ArrayList<>();
    StateMap saved = state.child("episodes");
    for (int e = 0; holdsEpisodes(state) && e < environments.count(); e++) {
      episodes.add(saved.doubles(Integer.toString(e)));
    }
    return episodes;
  }

  /** Resumes saved episodes; if an environment refuses, all resume those they had. */
  private void resume(Runnable counts, List<double[]> episodes) {
    StateMap before = new StateMap();
    environments.save(before);
    Optional<List<double[]>> running = running();
    try {
      counts.run();
      environments.restore(episodes);
    } catch (RuntimeException refused) {
      environments.load(before);
      running.ifPresent(environments::restore);
      throw refused;
    }
  }

  private Optional<List<double[]>> running() {
    try {
      return environments.snapshot();
    } catch (RuntimeException failedOrNotReported) {
      return Optional.empty(); // no episode that could be resumed
    }
  }
}
