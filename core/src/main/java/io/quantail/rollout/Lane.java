package io.quantail.rollout;

import io.quantail.critic.CriticRow;
import io.quantail.critic.ReturnScale;
import io.quantail.env.VectorEnvironment;
import io.quantail.kernel.Rows;
import io.quantail.kernel.Workspace;
import io.quantail.nn.Forward;
import io.quantail.nn.PolicyRow;
import io.quantail.nn.RecurrentState;
import io.quantail.random.RandomStream;
import io.quantail.state.StateMap;
import java.util.Arrays;

/**
 * A group of environments that moves through a rollout on its own.
 *
 * <p>It owns the recurrent state of its environments. Each observation is consumed exactly once:
 * one forward pass gives the action, the value and the next state; the state stored is the one
 * <em>before</em> the observation.
 */
final class Lane {
  private static final String COSTS = "reward_costs_fraction"; // as environments name it

  private final Agent agent;
  private final VectorEnvironment environments;
  private final RandomStream[] actionStreams;
  private final int from;
  private final int rows;
  private final int observationSize;
  private final int actionSize;
  private final float[] actions;
  private final boolean[] starts;
  private final CriticRow criticRow;
  private Workspace held = new Workspace(); // has the state
  private Workspace free = new Workspace();
  private RecurrentState state;

  Lane(
      Agent agent, VectorEnvironment environments, RandomStream[] actionStreams, int from, int to) {
    this.agent = agent;
    this.environments = environments;
    this.actionStreams = actionStreams;
    this.from = from;
    this.rows = to - from;
    this.observationSize = environments.observationSize();
    this.actionSize = environments.actionSpace().size();
    this.actions = new float[environments.count() * actionSize];
    this.starts = new boolean[rows];
    this.criticRow = agent.critic().row();
    Arrays.fill(starts, true);
    state = agent.network().initialState(rows);
  }

  void collect(Rollout rollout, ReturnScale scale, Interference interference) {
    Disturbance disturbance = interference.in(from, rows);
    int steps = rollout.shape().steps();
    for (int time = 0; time < steps; time++) {
      step(rollout, time, scale, disturbance);
    }
    RecurrentState before = state.startEpisodes(starts);
    Forward last = forward(free, seen(environments.observations(), before, disturbance), before);
    value(last, scale, rollout.lastValues, from);
    requireFinite(rollout.lastValues, from, "the last observation", steps);
  }

  private void step(Rollout rollout, int time, ReturnScale scale, Disturbance disturbance) {
    int first = time * rollout.shape().environments() + from; // transition of the lane's first row
    RecurrentState before = state.startEpisodes(starts);
    if (time % rollout.shape().window() == 0) {
      storeState(rollout, time, before);
    }
    float[][] seen = seen(environments.observations(), before, disturbance);
    Forward forward = forward(free, seen, before);
    float[] raw = act(forward, rollout, first);

    System.arraycopy(
        environments.observations(),
        from * observationSize,
        rollout.rawObservations,
        first * observationSize,
        rows * observationSize);
    System.arraycopy(seen, 0, rollout.observations, first, rows);
    System.arraycopy(raw, 0, rollout.rawActions, first * actionSize, raw.length);
    System.arraycopy(starts, 0, rollout.episodeStarts, first, rows);
    value(forward, scale, rollout.values, first);
    int kept = rollout.shape().keptOutputs();
    for (int row = 0; row < rows && kept > 0; row++) {
      System.arraycopy(forward.values()[row], 0, rollout.criticOutputs, (first + row) * kept, kept);
    }
    requireFinite(rollout, first, time);

    float[] outside = agent.network().environmentActions(raw);
    System.arraycopy(outside, 0, actions, from * actionSize, outside.length);
    environments.step(from, from + rows, actions);
    System.arraycopy(environments.rewards(), from, rollout.rewards, first, rows);
    System.arraycopy(environments.terminated(), from, rollout.terminated, first, rows);
    System.arraycopy(environments.truncated(), from, rollout.truncated, first, rows);
    for (int row = 0; row < rows; row++) {
      Double costs = environments.info(from + row).get(COSTS);
      if (costs != null) {
        rollout.rewardCosts[first + row] = costs;
      }
    }
    bootstrapTruncated(rollout, first, forward.next(), scale, disturbance);
    advance(forward.next(), rollout, first);
  }

  /** Draws raw actions and records how likely they were. */
  private float[] act(Forward forward, Rollout rollout, int first) {
    float[] raw = new float[rows * actionSize];
    int stored = rollout.shape().distributionSize();
    PolicyRow policy = forward.row();
    for (int row = 0; row < rows; row++) {
      policy.set(forward.actions()[row]);
      policy.sample(actionStreams[from + row], raw, row * actionSize);
      rollout.logProbabilities[first + row] = (float) policy.logProbability(raw, row * actionSize);
      policy.store(rollout.distributions, (first + row) * stored);
    }
    return raw;
  }

  /**
   * A time limit is not an end: the value of the terminal observation, one step further on. Nor is
   * the failure of an environment: the value of the last observation it gave, which the memory has
   * taken in already.
   */
  private void bootstrapTruncated(
      Rollout rollout,
      int first,
      RecurrentState after,
      ReturnScale scale,
      Disturbance disturbance) {
    boolean any = false;
    for (int row = 0; row < rows; row++) {
      if (environments.faulted()[from + row]) {
        rollout.bootstraps[first + row] = rollout.values[first + row];
      } else {
        any |= rollout.truncated[first + row];
      }
    }
    if (!any) {
      return;
    }
    double[] terminalValues = new double[rows];
    float[][] last = seen(environments.terminalObservations(), after, disturbance);
    value(forward(held, last, after), scale, terminalValues, 0); // the state has been left behind
    requireFinite(
        terminalValues, 0, "a terminal observation", first / rollout.shape().environments());
    for (int row = 0; row < rows; row++) {
      if (rollout.truncated[first + row] && !environments.faulted()[from + row]) {
        rollout.bootstraps[first + row] = terminalValues[row];
      }
    }
  }

  private void advance(RecurrentState next, Rollout rollout, int first) {
    state = next;
    Workspace left = held;
    held = free;
    free = left;
    for (int row = 0; row < rows; row++) {
      starts[row] = rollout.terminated[first + row] || rollout.truncated[first + row];
    }
  }

  private Forward forward(Workspace workspace, float[][] observations, RecurrentState before) {
    workspace.reset();
    return agent.network().step(workspace, agent.inference(), observations, before);
  }

  private void value(Forward forward, ReturnScale scale, double[] target, int offset) {
    int width = agent.critic().outputs();
    for (int row = 0; row < rows; row++) {
      float[] outputs = forward.values()[row];
      double lowest = Double.POSITIVE_INFINITY;
      for (int critic = 0; critic < outputs.length; critic += width) {
        lowest = Math.min(lowest, criticRow.mean(outputs, critic));
      }
      target[offset + row] = scale.denormalize((float) lowest);
    }
  }

  /** What the network gets of this lane's rows of raw observations. */
  private float[][] seen(float[] all, RecurrentState before, Disturbance disturbance) {
    return disturbance.apply(Rows.split(agent.normalize(all, from, rows), observationSize), before);
  }

  private void storeState(Rollout rollout, int time, RecurrentState before) {
    int stateSize = rollout.shape().stateSize();
    if (stateSize == 0) {
      return;
    }
    int window = time / rollout.shape().window() * rollout.shape().environments() + from;
    copyByEnvironment(before.hidden(), rollout.windowHidden, window * stateSize, stateSize);
    copyByEnvironment(before.cell(), rollout.windowCell, window * stateSize, stateSize);
  }

  /** [slot, environment, width] → [environment, slot, width], so that a window is contiguous. */
  private void copyByEnvironment(float[][][] source, float[] target, int offset, int stateSize) {
    int width = agent.network().width();
    for (int slot = 0; slot < source.length; slot++) {
      for (int row = 0; row < rows; row++) {
        int place = offset + row * stateSize + slot * width;
        System.arraycopy(source[slot][row], 0, target, place, width);
      }
    }
  }

  private void requireFinite(Rollout rollout, int first, int time) {
    for (int row = 0; row < rows; row++) {
      boolean finite =
          Float.isFinite(rollout.logProbabilities[first + row])
              && Double.isFinite(rollout.values[first + row]);
      if (!finite) {
        throw new NonFiniteException(
            "the policy gave log-probability "
                + rollout.logProbabilities[first + row]
                + " and value "
                + rollout.values[first + row]
                + " for environment "
                + (from + row)
                + " at rollout step "
                + time
                + "; lower optimizer.learningRate or look at the observations");
      }
    }
  }

  private void requireFinite(double[] values, int offset, String what, int time) {
    for (int row = 0; row < rows; row++) {
      if (!Double.isFinite(values[offset + row])) {
        throw new NonFiniteException(
            "the critic gave value %s for %s of environment %d at rollout step %d; lower"
                    .formatted(values[offset + row], what, from + row, time)
                + " optimizer.learningRate or look at the observations");
      }
    }
  }

  /** What the memories hold now. */
  RecurrentState state() {
    return state;
  }

  private long[] stateShape() {
    return new long[] {agent.network().stateSlots(), rows, agent.network().width()};
  }

  void save(StateMap saved) {
    saved.putFloats("hidden", RecurrentState.flat(state.hidden()), stateShape());
    saved.putFloats("cell", RecurrentState.flat(state.cell()), stateShape());
    long[] flags = new long[rows];
    Arrays.setAll(flags, row -> starts[row] ? 1 : 0);
    saved.putLongs("episodeStarts", flags, rows);
  }

  void load(StateMap saved) {
    float[] hidden = saved.floats("hidden", stateShape());
    float[] cell = saved.floats("cell", stateShape());
    long[] flags = saved.longs("episodeStarts", rows);
    state = RecurrentState.of(hidden, cell, agent.network().stateSlots(), agent.network().width());
    for (int row = 0; row < rows; row++) {
      starts[row] = flags[row] != 0;
    }
  }

  /** Forgets everything: all environments of this lane begin an episode. */
  void startAll() {
    Arrays.fill(starts, true);
  }
}
