package io.quantail.audit.reference;

import io.quantail.network.RecurrentState;
import io.quantail.network.SequenceInput;
import io.quantail.rollout.Gae;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.SequenceBatch;
import java.util.Arrays;

/**
 * A rollout as plain arrays, transition (t, e) at {@code t * environments + e}.
 *
 * @param window steps between two stored recurrent states
 * @param observations as the network received them
 * @param masks allowed choices, each empty if nothing can be masked
 * @param rawActions as they were drawn
 * @param logProbabilities when the actions were taken
 * @param distributions of the policy when the actions were taken
 * @param criticOutputs [transition][critic][output] of the observation
 * @param followingOutputs the same of what follows a transition: the next observation, the terminal
 *     one if the episode was truncated, the last one at the end of the rollout
 * @param windowStates recurrent state before the first observation of each window
 * @param ends whether the transition ended its episode
 */
public record ReferenceRollout(
    int environments,
    int window,
    double[][] observations,
    boolean[][] masks,
    double[][] rawActions,
    double[] logProbabilities,
    double[][] distributions,
    double[][][] criticOutputs,
    double[][][] followingOutputs,
    ReferenceNetwork.State[] windowStates,
    boolean[] ends) {

  /** Reads a rollout window by window. */
  public static ReferenceRollout of(Rollout rollout, Gae.Input collected) {
    Rollout.Shape shape = rollout.shape();
    int size = shape.transitions();
    boolean[] ends = new boolean[size];
    for (int i = 0; i < size; i++) {
      ends[i] = collected.terminated()[i] || collected.truncated()[i];
    }
    ReferenceRollout experience =
        new ReferenceRollout(
            shape.environments(),
            shape.window(),
            new double[size][],
            new boolean[size][],
            new double[size][],
            new double[size],
            new double[size][],
            new double[size][][],
            new double[size][][],
            new ReferenceNetwork.State[shape.windows()],
            ends);
    for (int window = 0; window < shape.windows(); window++) {
      experience.read(rollout, window);
    }
    return experience;
  }

  private void read(Rollout rollout, int index) {
    SequenceBatch batch = new SequenceBatch(rollout, new int[] {index});
    SequenceInput sequences = batch.sequences();
    windowStates[index] = first(sequences.initial());
    float[] actions = batch.rawActions();
    float[] policies = batch.distributions();
    float[] logs = batch.logProbabilities();
    float[] critics = batch.criticOutputs();
    float[] following = new float[rollout.shape().allOutputs()];
    for (int row = 0; row < window; row++) {
      int transition = transition(index, row);
      observations[transition] = ReferenceMath.doubles(sequences.observations()[row]);
      int choices = sequences.masks().length / window;
      masks[transition] = Arrays.copyOfRange(sequences.masks(), row * choices, (row + 1) * choices);
      rawActions[transition] = ReferenceMath.row(actions, row, actions.length / window);
      distributions[transition] = ReferenceMath.row(policies, row, policies.length / window);
      logProbabilities[transition] = logs[row];
      criticOutputs[transition] = critics(rollout.shape(), critics, row);
      rollout.copyFollowingOutputs(transition, following);
      followingOutputs[transition] = critics(rollout.shape(), following, 0);
    }
  }

  /** The outputs of each critic in one row of an array. */
  private static double[][] critics(Rollout.Shape shape, float[] outputs, int row) {
    double[][] critics = new double[shape.critics()][];
    Arrays.setAll(
        critics,
        one -> ReferenceMath.row(outputs, row * shape.critics() + one, shape.criticOutputs()));
    return critics;
  }

  private static ReferenceNetwork.State first(RecurrentState state) {
    return new ReferenceNetwork.State(first(state.hidden()), first(state.cell()));
  }

  private static double[][] first(float[][][] planes) {
    return Arrays.stream(planes)
        .map(rows -> ReferenceMath.doubles(rows[0]))
        .toArray(double[][]::new);
  }

  /** The same rollout with other stored log-probabilities. */
  public ReferenceRollout withLogProbabilities(double[] others) {
    return new ReferenceRollout(
        environments,
        window,
        observations,
        masks,
        rawActions,
        others,
        distributions,
        criticOutputs,
        followingOutputs,
        windowStates,
        ends);
  }

  /** Callback for one step of a window. */
  @FunctionalInterface
  public interface StepVisitor {
    /** Advances the recurrent state in place. */
    void visit(int transition, ReferenceNetwork.State state);
  }

  /** Visits the steps of a window in order; episodes start with an empty recurrent state. */
  public void forEachStep(int index, ReferenceNetwork network, StepVisitor visitor) {
    ReferenceNetwork.State state = windowStates[index].copy();
    for (int row = 0; row < window; row++) {
      if (row > 0 && ends[transition(index, row - 1)]) {
        state = network.start();
      }
      visitor.visit(transition(index, row), state);
    }
  }

  /** The transition of a row of a window: window w is block {@code w / environments} of time. */
  public int transition(int index, int row) {
    int time = index / environments * window + row;
    return time * environments + index % environments;
  }

  public int size() {
    return ends.length;
  }
}
