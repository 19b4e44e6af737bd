package io.quantail;

import io.quantail.env.Action;
import io.quantail.model.PolicyRunner;
import io.quantail.network.NetworkPass;
import io.quantail.network.PolicyDistribution;
import io.quantail.network.RecurrentState;
import io.quantail.network.SequenceInput;
import io.quantail.random.RandomStream;
import io.quantail.state.StateMap;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Acts for an {@link Agent} in one episode at a time and holds its memory, which every call of
 * {@link #act} or {@link #decide} advances by one observation. {@link #reset} starts an episode.
 *
 * <p>It takes the most likely action, or draws one after {@link #sampling}. One thread at a time
 * may use it; a second one is refused. Making one is cheap.
 */
public final class ActingAgent {
  private static final int FORMAT = 0x514d3031; // "QM01"

  private final Agent agent;
  private final PolicyRunner runner;
  private final RandomStream @Nullable [] streams; // null to take the most likely action
  private final float[] values;
  private final Action action;
  private final Decision decision;
  private final AtomicBoolean busy = new AtomicBoolean();

  ActingAgent(Agent agent) {
    this(agent, null);
  }

  private ActingAgent(Agent agent, RandomStream @Nullable [] streams) {
    this.agent = agent;
    this.streams = streams;
    runner = new PolicyRunner(agent.model(), 1);
    values = new float[agent.actionSpace().size()];
    action = Action.view(agent.actionSpace(), values);
    decision = new Decision(agent.actionSpace(), action, agent.forecast());
  }

  /**
   * Makes one that draws its actions from the policy instead of taking the most likely one.
   *
   * @param seed of the draws
   * @return another one, at the start of an episode
   */
  public ActingAgent sampling(long seed) {
    return new ActingAgent(agent, RandomStream.array(seed, "acting", 1));
  }

  /** Starts an episode: forgets what was observed. */
  public void reset() {
    enter();
    try {
      runner.startAll();
    } finally {
      busy.set(false);
    }
  }

  /**
   * Acts.
   *
   * @param observation the next observation of the episode
   * @return the action, valid until the next call
   */
  public Action act(float... observation) {
    enter();
    try {
      step(observation, SequenceInput.NO_MASKS);
      return action;
    } finally {
      busy.set(false);
    }
  }

  /**
   * Acts where some choices are forbidden.
   *
   * @param observation the next observation of the episode
   * @param allowed whether each choice is allowed, in the order of the action space
   * @return an allowed action, valid until the next call
   */
  public Action act(float[] observation, boolean[] allowed) {
    enter();
    try {
      agent.requireMasks(allowed, 1);
      step(observation, allowed);
      return action;
    } finally {
      busy.set(false);
    }
  }

  /**
   * Acts and tells how likely each action was and what the critics expect.
   *
   * @param observation the next observation of the episode
   * @return the decision, valid until the next call
   */
  public Decision decide(float... observation) {
    enter();
    try {
      return decided(observation, SequenceInput.NO_MASKS);
    } finally {
      busy.set(false);
    }
  }

  /**
   * Acts where some choices are forbidden, and tells how likely each action was and what the
   * critics expect.
   *
   * @param observation the next observation of the episode
   * @param allowed whether each choice is allowed, in the order of the action space
   * @return the decision, valid until the next call
   */
  public Decision decide(float[] observation, boolean[] allowed) {
    enter();
    try {
      agent.requireMasks(allowed, 1);
      return decided(observation, allowed);
    } finally {
      busy.set(false);
    }
  }

  private Decision decided(float[] observation, boolean[] allowed) {
    NetworkPass pass = step(observation, allowed);
    PolicyDistribution policy = runner.policy(pass);
    pass.set(policy, 0);
    decision.of(policy, runner.raw(), allowed);
    decision.forecast().of(pass.values()[0]);
    return decision;
  }

  private NetworkPass step(float[] observation, boolean[] allowed) {
    agent.requireObservations(observation, 1);
    NetworkPass pass = runner.step(observation, allowed);
    runner.act(pass, streams, 0, values);
    return pass;
  }

  private void enter() {
    if (!busy.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "two threads use this acting agent at once; give each its own with agent.acting()");
    }
  }

  /**
   * Saves the memory, to continue the episode later or in another process.
   *
   * @return the memory and the position of the draws
   */
  public byte[] memory() {
    enter();
    try {
      RecurrentState recurrent = runner.state();
      float[] hidden = RecurrentState.flat(recurrent.hidden());
      float[] cell = RecurrentState.flat(recurrent.cell());
      ByteBuffer bytes =
          ByteBuffer.allocate(2 * Integer.BYTES + 1 + Long.BYTES + 2 * hidden.length * Float.BYTES);
      bytes.putInt(FORMAT).putInt(hidden.length).put((byte) (runner.starts(0) ? 1 : 0));
      bytes.putLong(streams == null ? 0 : streams[0].position());
      for (float value : hidden) {
        bytes.putFloat(value);
      }
      for (float value : cell) {
        bytes.putFloat(value);
      }
      return bytes.array();
    } finally {
      busy.set(false);
    }
  }

  /**
   * Continues an episode.
   *
   * @param memory that {@link #memory} of the same agent returned
   */
  public void restore(byte[] memory) {
    enter();
    try {
      ByteBuffer bytes = ByteBuffer.wrap(memory);
      int slots = agent.model().network().stateSlots();
      int width = agent.model().network().width();
      int count = slots * width;
      if (memory.length != 2 * Integer.BYTES + 1 + Long.BYTES + 2 * count * Float.BYTES
          || bytes.getInt() != FORMAT
          || bytes.getInt() != count) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%d bytes are no memory of this agent; restore what memory() of the same agent returned",
                memory.length));
      }
      StateMap state = new StateMap();
      state.putLongs("episodeStarts", new long[] {bytes.get()}, 1);
      long position = bytes.getLong();
      state.putFloats("hidden", floats(bytes, count), slots, 1, width);
      state.putFloats("cell", floats(bytes, count), slots, 1, width);
      runner.load(state);
      if (streams != null) {
        streams[0] = RandomStream.restore(streams[0].key(), streams[0].substream(), position);
      }
    } finally {
      busy.set(false);
    }
  }

  private static float[] floats(ByteBuffer bytes, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = bytes.getFloat();
    }
    return values;
  }
}
