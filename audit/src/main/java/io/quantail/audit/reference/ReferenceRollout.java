package io.quantail.audit.reference;

import io.quantail.network.RecurrentState;
import io.quantail.network.SequenceInput;
import io.quantail.rollout.Gae;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.SequenceBatch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A rollout as plain arrays, transition (t, e) at {@code t * environments + e}.
 *
 * @param window steps between two stored recurrent states
 * @param observations as the network received them
 * @param rawActions as they were drawn
 * @param logProbabilities when the actions were taken
 * @param distributions of the policy when the actions were taken
 * @param criticOutputs [transition][critic][output]; null where they are not stored
 * @param windowStates recurrent state before the first observation of each window
 * @param ends whether the transition ended its episode
 */
public record ReferenceRollout(
    int environments,
    int window,
    double[][] observations,
    double[][] rawActions,
    double[] logProbabilities,
    double[][] distributions,
    double @Nullable [][][] criticOutputs,
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
            new double[size][],
            new double[size],
            new double[size][],
            shape.keptCritics() > 0 ? new double[size][shape.keptCritics()][] : null,
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
    float[] critics = criticOutputs == null ? new float[0] : batch.criticOutputs();
    for (int row = 0; row < window; row++) {
      int transition = transition(index, row);
      observations[transition] = ReferenceMath.doubles(sequences.observations()[row]);
      rawActions[transition] = ReferenceMath.row(actions, row, actions.length / window);
      distributions[transition] = ReferenceMath.row(policies, row, policies.length / window);
      logProbabilities[transition] = logs[row];
      if (criticOutputs != null) {
        int count = criticOutputs[transition].length;
        int width = critics.length / window / count;
        for (int critic = 0; critic < count; critic++) {
          criticOutputs[transition][critic] =
              ReferenceMath.row(critics, row * count + critic, width);
        }
      }
    }
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
        rawActions,
        others,
        distributions,
        criticOutputs,
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
