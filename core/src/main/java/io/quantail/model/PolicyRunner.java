package io.quantail.model;

import io.quantail.kernel.Workspace;
import io.quantail.network.ActorCritic;
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
 * that of {@link #peek} until the next call. After the first two steps none allocates anything. One
 * thread at a time.
 */
public final class PolicyRunner implements Restorable {
  private final ActingModel agent;
  private final Critic critic;
  private final int environments;
  private final boolean[] starts;
  private final ExplorationMatrices exploration;
  private final RecurrentState initial;
  private final float[] atStart; // a row of the recurrent state at the start of an episode
  private final float[] raw;
  private Step held; // has the rows of the recurrent state
  private Step free;
  private RecurrentState state;
  private @Nullable PolicyDistribution policy; // of the present parameters; null before the first
  private long policyVersion;

  /** The arrays of one step, which are used again by every second step. */
  private static final class Step {
    private final float[][] observations; // as the network sees them
    private final boolean[] masks;
    private final RecurrentState before;
    private final NetworkPass pass;
    private final RecurrentState next;

    Step(ActingModel agent, int environments) {
      ActorCritic network = agent.network();
      observations = new float[environments][agent.observationSize()];
      masks = new boolean[environments * network.maskSize()];
      before = network.initialState(environments);
      pass =
          network.prepare(
              new Workspace(),
              agent.inference(),
              SequenceInput.step(observations, before, SequenceInput.NO_MASKS));
      next = pass.next();
    }
  }

  /** Every environment is at the start of an episode. */
  public PolicyRunner(ActingModel agent, int environments) {
    this.agent = agent;
    this.critic = agent.critic();
    this.environments = environments;
    starts = new boolean[environments];
    exploration = new ExplorationMatrices(environments, agent.network().explorationSize());
    initial = agent.network().initialState(environments);
    atStart = new float[agent.network().width()];
    raw = new float[environments * agent.network().actionSize()];
    held = new Step(agent, environments);
    free = new Step(agent, environments);
    startAll();
  }

  /** Puts every environment at the start of an episode. */
  public void startAll() {
    Arrays.fill(starts, true);
    exploration.renewAll();
    state = initial;
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
    state = free.next;
    Step left = held;
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
    agent.normalize(raw, first, free.observations);
    putState(state.hidden(), free.before.hidden());
    putState(state.cell(), free.before.cell());
    boolean[] own = own(masks, first);
    if (disturbance != ObservationPerturbation.NONE) {
      perturb(disturbance, own);
    }
    free.pass.run(own);
    return free.pass;
  }

  /** The rows of the recurrent state before the next observation. */
  private void putState(float[][][] from, float[][][] to) {
    for (int slot = 0; slot < to.length; slot++) {
      for (int row = 0; row < environments; row++) {
        to[slot][row] = starts[row] ? atStart : from[slot][row];
      }
    }
  }

  private void perturb(ObservationPerturbation disturbance, boolean[] own) {
    float[][] clean = new float[environments][];
    Arrays.setAll(clean, row -> free.observations[row].clone());
    float[][] perturbed = disturbance.apply(SequenceInput.step(clean, free.before, own.clone()));
    for (int row = 0; row < environments; row++) {
      System.arraycopy(perturbed[row], 0, free.observations[row], 0, clean[row].length);
    }
  }

  /** The masks of this runner's environments, kept as long as the pass that uses them. */
  private boolean[] own(boolean[] all, int first) {
    if (all.length == 0) {
      return SequenceInput.NO_MASKS;
    }
    int size = agent.network().maskSize();
    System.arraycopy(all, first * size, free.masks, 0, free.masks.length);
    return free.masks;
  }

  /**
   * Raw actions of all environments, one behind the other: the most likely ones, or draws. Outside
   * of rollouts exploration matrices are drawn from the same streams.
   *
   * @param streams of which environment i uses number {@code first + i}; null for the most likely
   */
  public float[] rawActions(NetworkPass pass, RandomStream @Nullable [] streams, int first) {
    float[] drawn = new float[raw.length];
    rawActions(pass, streams, first, drawn);
    return drawn;
  }

  private void rawActions(
      NetworkPass pass, RandomStream @Nullable [] streams, int first, float[] drawn) {
    PolicyDistribution present = policy(pass);
    int size = agent.network().actionSize();
    for (int row = 0; row < environments; row++) {
      pass.set(present, row);
      if (streams == null) {
        present.mode(drawn, row * size);
      } else {
        sample(present, row, streams[first + row], drawn);
      }
    }
  }

  /** The policy of a step, to be set to one of its environments; valid until parameters change. */
  public PolicyDistribution policy(NetworkPass pass) {
    long version = agent.inference().version();
    PolicyDistribution present = policy;
    if (present == null || version != policyVersion) {
      present = pass.policy();
      policy = present;
      policyVersion = version;
    }
    return present;
  }

  /**
   * Takes an action in every environment.
   *
   * @param streams of which environment i uses number {@code first + i}; null for the most likely
   * @param actions receives the actions of the environments, one behind the other
   */
  public void act(NetworkPass pass, RandomStream @Nullable [] streams, int first, float[] actions) {
    rawActions(pass, streams, first, raw);
    agent.network().environmentActions(raw, actions);
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
