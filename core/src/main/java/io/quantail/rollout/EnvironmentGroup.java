package io.quantail.rollout;

import io.quantail.env.vector.VectorEnvironment;
import io.quantail.math.NonFiniteException;
import io.quantail.model.ActingModel;
import io.quantail.model.ExplorationStreams;
import io.quantail.model.ObservationPerturbation;
import io.quantail.model.PolicyRunner;
import io.quantail.network.NetworkPass;
import io.quantail.network.PolicyDistribution;
import io.quantail.network.RecurrentState;
import io.quantail.network.SequenceInput;
import io.quantail.random.RandomStream;
import io.quantail.state.StateMap;
import java.util.Locale;
import java.util.Map;

/**
 * A group of environments that is stepped through a rollout independently of the others.
 *
 * <p>Its {@link PolicyRunner} owns the recurrent state of its environments; the state stored in the
 * rollout is the one <em>before</em> an observation.
 */
final class EnvironmentGroup {
  private final ActingModel agent;
  private final PolicyRunner runner;
  private final VectorEnvironment environments;
  private final RandomStream[] actionStreams;
  private final int from;
  private final int rows;
  private final int observationSize;
  private final int actionSize;
  private final float[] actions;

  EnvironmentGroup(
      ActingModel agent,
      VectorEnvironment environments,
      RandomStream[] actionStreams,
      int from,
      int to) {
    this.agent = agent;
    this.environments = environments;
    this.actionStreams = actionStreams;
    this.from = from;
    this.rows = to - from;
    this.observationSize = environments.observationSize();
    this.actionSize = environments.actionSpace().size();
    this.actions = new float[environments.count() * actionSize];
    runner = new PolicyRunner(agent, rows);
  }

  void collect(
      Rollout rollout,
      ObservationPerturbation.Source interference,
      ExplorationStreams exploration) {
    runner.startRollout(exploration, from);
    ObservationPerturbation disturbance = interference.in(from, rows);
    int steps = rollout.shape().steps();
    for (int time = 0; time < steps; time++) {
      step(rollout, time, disturbance);
    }
    NetworkPass last =
        runner.peek(environments.observations(), environments.masks(), from, disturbance);
    for (int row = 0; row < rows; row++) {
      rollout.lastOutputs[from + row] = outputs(last, row, "the last observation", steps);
    }
  }

  private void step(Rollout rollout, int time, ObservationPerturbation disturbance) {
    int first = time * rollout.shape().environments() + from; // transition of the group's first row
    if (time % rollout.shape().window() == 0) {
      storeState(rollout, time, runner.before());
    }
    for (int row = 0; row < rows; row++) {
      rollout.episodeStarts[first + row] = runner.starts(row);
    }
    System.arraycopy(
        environments.observations(),
        from * observationSize,
        rollout.rawObservations,
        first * observationSize,
        rows * observationSize);
    int maskSize = rollout.shape().maskSize();
    System.arraycopy(
        environments.masks(), from * maskSize, rollout.masks, first * maskSize, rows * maskSize);
    NetworkPass pass =
        runner.step(environments.observations(), environments.masks(), from, disturbance);
    float[] raw = act(pass, rollout, first);
    for (int row = 0; row < rows; row++) {
      rollout.observations[first + row] = pass.observations()[row].clone();
    }
    System.arraycopy(raw, 0, rollout.rawActions, first * actionSize, raw.length);
    int size = rollout.shape().allOutputs();
    for (int row = 0; row < rows; row++) {
      rollout.values[first + row] = (float) runner.value(pass, row);
      System.arraycopy(pass.values()[row], 0, rollout.criticOutputs, (first + row) * size, size);
    }
    requireFinite(rollout, first, time);

    float[] outside = agent.network().environmentActions(raw);
    System.arraycopy(outside, 0, actions, from * actionSize, outside.length);
    environments.step(from, from + rows, actions);
    System.arraycopy(environments.rewards(), from, rollout.rewards, first, rows);
    System.arraycopy(environments.terminated(), from, rollout.terminated, first, rows);
    System.arraycopy(environments.truncated(), from, rollout.truncated, first, rows);
    recordInfo(rollout, first);
    bootstrapTruncated(rollout, first, disturbance);
    for (int row = 0; row < rows; row++) {
      if (rollout.terminated[first + row] || rollout.truncated[first + row]) {
        runner.start(row);
      }
    }
  }

  private void recordInfo(Rollout rollout, int first) {
    for (Map.Entry<String, double[]> recorded : rollout.info.entrySet()) {
      for (int row = 0; row < rows; row++) {
        Double given = environments.info(from + row).get(recorded.getKey());
        if (given != null) {
          recorded.getValue()[first + row] = given;
        }
      }
    }
  }

  /** Draws raw actions and records their log-probabilities. */
  private float[] act(NetworkPass pass, Rollout rollout, int first) {
    float[] raw = new float[rows * actionSize];
    int stored = rollout.shape().distributionSize();
    PolicyDistribution policy = runner.policy(pass);
    for (int row = 0; row < rows; row++) {
      pass.set(policy, row);
      runner.sample(policy, row, actionStreams[from + row], raw);
      rollout.logProbabilities[first + row] = (float) policy.logProbability(raw, row * actionSize);
      policy.store(rollout.distributions, (first + row) * stored);
    }
    return raw;
  }

  /**
   * Stores what the critics give for the ends of truncated episodes: after a time limit for the
   * terminal observation, and after the failure of an environment for its last observation, which
   * the recurrent state already includes. No action follows, so nothing is masked there.
   */
  private void bootstrapTruncated(Rollout rollout, int first, ObservationPerturbation disturbance) {
    boolean any = false;
    for (int row = 0; row < rows; row++) {
      if (environments.faulted()[from + row]) {
        rollout.terminalOutputs[first + row] = rollout.criticOutputs(first + row);
      } else {
        any |= rollout.truncated[first + row];
      }
    }
    if (!any) {
      return;
    }
    int time = first / rollout.shape().environments();
    NetworkPass last =
        runner.peek(environments.terminalObservations(), SequenceInput.NO_MASKS, from, disturbance);
    for (int row = 0; row < rows; row++) {
      if (rollout.truncated[first + row] && !environments.faulted()[from + row]) {
        rollout.terminalOutputs[first + row] = outputs(last, row, "a terminal observation", time);
      }
    }
  }

  /** A copy of what the critics give for an observation; refused if a number is not finite. */
  private float[] outputs(NetworkPass pass, int row, String what, int time) {
    float[] outputs = pass.values()[row].clone();
    for (float output : outputs) {
      if (!Float.isFinite(output)) {
        throw new NonFiniteException(
            String.format(
                    Locale.ROOT,
                    "the critic gave %s for %s of environment %d at rollout step %d; lower",
                    output,
                    what,
                    from + row,
                    time)
                + " optimizer.learningRate or look at the observations");
      }
    }
    return outputs;
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

  /** The recurrent state after the last step. */
  RecurrentState state() {
    return runner.state();
  }

  void save(StateMap saved) {
    runner.save(saved);
  }

  Runnable restoring(StateMap saved) {
    return runner.restoring(saved);
  }

  /** Puts all environments of this group at the start of an episode. */
  void startAll() {
    runner.startAll();
  }
}
