package io.quantail.model;

import io.quantail.kernel.FloatVectors;
import io.quantail.kernel.Workspace;
import io.quantail.network.NetworkPass;
import io.quantail.network.PolicyDistribution;
import io.quantail.network.RecurrentState;
import io.quantail.network.SequenceInput;
import io.quantail.random.RandomStream;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;
import io.quantail.value.Critic;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Steps an agent with its recurrent state through one or more environments: used for collection,
 * evaluation, signals, forecasts and robustness alike.
 *
 * <p>Each observation is consumed exactly once: {@link #step} gives action and value distributions
 * and advances the recurrent state. The pass of a step is valid until the call after the next step,
 * that of {@link #peek} until the next call. One thread at a time.
 */
public final class PolicyRunner implements Restorable {
  private final ActingModel agent;
  private final Critic critic;
  private final int environments;
  private final boolean[] starts;
  private final ExplorationMatrices exploration;
  private Workspace held = new Workspace(); // has the rows of the recurrent state
  private Workspace free = new Workspace();
  private RecurrentState state;
  private float[] raw = {};

  /** Every environment is at the start of an episode. */
  public PolicyRunner(ActingModel agent, int environments) {
    this.agent = agent;
    this.critic = agent.critic();
    this.environments = environments;
    starts = new boolean[environments];
    exploration = new ExplorationMatrices(environments, agent.network().explorationSize());
    startAll();
  }

  /** Puts every environment at the start of an episode. */
  public void startAll() {
    Arrays.fill(starts, true);
    exploration.renewAll();
    state = agent.network().initialState(environments);
  }

  /** Marks the next observation of an environment as the start of an episode. */
  public void start(int environment) {
    starts[environment] = true;
    exploration.renew(environment);
  }

  /**
   * Starts a rollout: exploration matrices are drawn anew, now and at the starts of episodes.
   *
   * @param streams from which they are drawn
   * @param first index of this runner's first environment
   */
  public void startRollout(ExplorationStreams streams, int first) {
    exploration.startRollout(streams, first);
  }

  /** Whether the next observation of an environment starts an episode. */
  public boolean starts(int environment) {
    return starts[environment];
  }

  /** The recurrent state before the next observation. */
  public RecurrentState before() {
    return state.startEpisodes(starts);
  }

  /** The recurrent state after the last observation, also where an episode has ended since. */
  public RecurrentState state() {
    return state;
  }

  /** Advances by one observation of each environment, where everything is allowed. */
  public NetworkPass step(float[] raw) {
    return step(raw, SequenceInput.NO_MASKS);
  }

  /**
   * Advances by one observation of each environment.
   *
   * @param raw observations, one row behind the other
   * @param masks their allowed choices, one row behind the other; empty if everything is allowed
   */
  public NetworkPass step(float[] raw, boolean[] masks) {
    return step(raw, masks, 0, ObservationPerturbation.NONE);
  }

  /**
   * Advances by one observation of each environment.
   *
   * @param raw observations of which those of this runner begin at row {@code first}
   * @param masks allowed choices of the same rows; empty if everything is allowed
   * @param disturbance perturbation of the observations before the network gets them
   */
  public NetworkPass step(
      float[] raw, boolean[] masks, int first, ObservationPerturbation disturbance) {
    NetworkPass pass = peek(raw, masks, first, disturbance);
    state = pass.next();
    Workspace left = held;
    held = free;
    free = left;
    Arrays.fill(starts, false);
    return pass;
  }

  /**
   * As {@link #step}, but the recurrent state does not change: the result is valid until the next
   * call.
   */
  public NetworkPass peek(
      float[] raw, boolean[] masks, int first, ObservationPerturbation disturbance) {
    float[][] rows =
        FloatVectors.split(agent.normalize(raw, first, environments), agent.observationSize());
    SequenceInput seen = SequenceInput.step(rows, before(), own(masks, first));
    free.reset();
    return agent
        .network()
        .evaluate(free, agent.inference(), seen.withObservations(disturbance.apply(seen)));
  }

  /** The masks of this runner's environments. */
  private boolean[] own(boolean[] masks, int first) {
    if (masks.length == 0) {
      return masks;
    }
    int size = agent.network().maskSize();
    return Arrays.copyOfRange(masks, first * size, (first + environments) * size);
  }

  /**
   * Raw actions of all environments, one behind the other: the most likely ones, or draws. Outside
   * of rollouts exploration matrices are drawn from the same streams.
   *
   * @param streams of which environment i uses number {@code first + i}; null for the most likely
   */
  public float[] rawActions(NetworkPass pass, RandomStream @Nullable [] streams, int first) {
    PolicyDistribution policy = pass.policy();
    int size = agent.network().actionSize();
    float[] raw = new float[environments * size];
    for (int row = 0; row < environments; row++) {
      pass.set(policy, row);
      if (streams == null) {
        policy.mode(raw, row * size);
      } else {
        sample(policy, row, streams[first + row], raw);
      }
    }
    return raw;
  }

  /** The policy of a step, to be set to one of its environments. */
  public PolicyDistribution policy(NetworkPass pass) {
    return pass.policy();
  }

  /**
   * Takes an action in every environment.
   *
   * @param streams of which environment i uses number {@code first + i}; null for the most likely
   * @param actions receives the actions of the environments, one behind the other
   */
  public void act(NetworkPass pass, RandomStream @Nullable [] streams, int first, float[] actions) {
    raw = rawActions(pass, streams, first);
    float[] outside = agent.network().environmentActions(raw);
    System.arraycopy(outside, 0, actions, 0, outside.length);
  }

  /** The raw actions of the last {@link #act}. */
  public float[] raw() {
    return raw;
  }

  /**
   * Draws the raw action of an environment.
   *
   * @param policy set to the environment's sample
   * @param raw actions of all environments, one behind the other
   */
  public void sample(PolicyDistribution policy, int environment, RandomStream stream, float[] raw) {
    float[] matrix = exploration.current(policy, environment, stream);
    policy.sample(stream, matrix, raw, environment * agent.network().actionSize());
  }

  /** The value of each environment's observation in normalised units: the lowest critic's mean. */
  public double value(NetworkPass pass, int environment) {
    return critic.value(pass.values()[environment]);
  }

  private long[] stateShape() {
    return new long[] {agent.network().stateSlots(), environments, agent.network().width()};
  }

  @Override
  public void save(StateMap saved) {
    saved.putFloats("hidden", RecurrentState.flat(state.hidden()), stateShape());
    saved.putFloats("cell", RecurrentState.flat(state.cell()), stateShape());
    long[] flags = new long[environments];
    Arrays.setAll(flags, row -> starts[row] ? 1 : 0);
    saved.putLongs("episodeStarts", flags, environments);
  }

  @Override
  public Runnable restoring(StateMap saved) {
    float[] hidden = saved.floats("hidden", stateShape());
    float[] cell = saved.floats("cell", stateShape());
    long[] flags = saved.longs("episodeStarts", environments);
    RecurrentState savedState =
        RecurrentState.of(hidden, cell, agent.network().stateSlots(), agent.network().width());
    return () -> {
      state = savedState;
      exploration.renewAll();
      for (int row = 0; row < environments; row++) {
        starts[row] = flags[row] != 0;
      }
    };
  }
}
