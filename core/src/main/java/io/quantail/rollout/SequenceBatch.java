package io.quantail.rollout;

import io.quantail.kernel.SequencePacking;
import io.quantail.network.RecurrentState;
import io.quantail.network.SequenceInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Windows of a rollout, split at episode starts into sequences.
 *
 * <p>A sequence that continues an episode starts from the state stored before its first
 * observation; one that begins an episode starts from zero. There is one row per sample, in the
 * order of {@link #transitions()}, and no padding.
 */
public final class SequenceBatch {
  private final Rollout rollout;
  private final int[] windows;
  private final int[] transitions; // [row]
  private final Split split;

  /** Takes whole windows; window {@code w} is block {@code w / environments} of time. */
  public SequenceBatch(Rollout rollout, int[] windows) {
    this.rollout = rollout;
    this.windows = windows.clone();
    int length = rollout.shape().window();
    int environments = rollout.shape().environments();
    transitions = new int[windows.length * length];
    boolean[] episodeStart = new boolean[transitions.length];
    boolean[] windowStart = new boolean[transitions.length];
    for (int row = 0; row < transitions.length; row++) {
      int window = windows[row / length];
      int time = window / environments * length + row % length;
      transitions[row] = time * environments + window % environments;
      episodeStart[row] = rollout.episodeStarts[transitions[row]];
      windowStart[row] = row % length == 0;
    }
    split = Split.of(episodeStart, windowStart);
  }

  /** Splits windows into a number of parts of nearly equal size, in their order. */
  public static List<int[]> split(int[] windows, int parts) {
    List<int[]> split = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      int from = windows.length * part / parts;
      int to = windows.length * (part + 1) / parts;
      split.add(Arrays.copyOfRange(windows, from, to));
    }
    return split;
  }

  /** Splits windows into chunks of a size, in their order; the last one may be shorter. */
  public static List<int[]> chunks(int[] windows, int size) {
    List<int[]> chunks = new ArrayList<>();
    for (int from = 0; from < windows.length; from += size) {
      chunks.add(Arrays.copyOfRange(windows, from, Math.min(windows.length, from + size)));
    }
    return chunks;
  }

  /** The rollout's transition of each row. */
  public int[] transitions() {
    return transitions;
  }

  /** The number of real samples. */
  public int size() {
    return transitions.length;
  }

  /** The number of windows. */
  public int windows() {
    return windows.length;
  }

  /** Some of these windows, given by their indices. */
  public SequenceBatch select(int[] places) {
    return new SequenceBatch(rollout, Arrays.stream(places).map(place -> windows[place]).toArray());
  }

  /** The network's input with its masks; its rows are those of the rollout. */
  public SequenceInput sequences() {
    float[][] observations = new float[size()][];
    for (int row = 0; row < observations.length; row++) {
      observations[row] = rollout.observations[transitions[row]];
    }
    return new SequenceInput(
        observations,
        initialState(),
        new SequencePacking(split.starts(), split.lengths()),
        masks());
  }

  /** The allowed choices of each sample, one row behind the other; empty without masks. */
  public boolean[] masks() {
    int width = rollout.shape().maskSize();
    boolean[] picked = new boolean[size() * width];
    for (int row = 0; row < size(); row++) {
      System.arraycopy(rollout.masks, transitions[row] * width, picked, row * width, width);
    }
    return picked;
  }

  private RecurrentState initialState() {
    int width = rollout.shape().width();
    int layers = rollout.shape().recurrentLayers();
    RecurrentState state = RecurrentState.zeros(layers, split.count(), width);
    for (int sequence = 0; sequence < split.count(); sequence++) {
      int transition = transitions[split.starts()[sequence]];
      if (rollout.episodeStarts[transition]) {
        continue;
      }
      for (int layer = 0; layer < layers; layer++) {
        int source = (windowOf(transition) * layers + layer) * width;
        System.arraycopy(rollout.windowHidden, source, state.hidden()[layer][sequence], 0, width);
        System.arraycopy(rollout.windowCell, source, state.cell()[layer][sequence], 0, width);
      }
    }
    return state;
  }

  private int windowOf(int transition) {
    int environments = rollout.shape().environments();
    int block = transition / environments / rollout.shape().window();
    return block * environments + transition % environments;
  }

  /** Numbers in a raw action. */
  public int actionSize() {
    return rollout.shape().actionSize();
  }

  /** Numbers that describe a distribution. */
  public int distributionSize() {
    return rollout.shape().distributionSize();
  }

  /** Raw actions, one row behind the other. */
  public float[] rawActions() {
    return gather(rollout.rawActions, actionSize());
  }

  /** Log-probabilities at collection time. */
  public float[] logProbabilities() {
    return gather(rollout.logProbabilities, 1);
  }

  /** Distribution parameters at collection time, one row behind the other. */
  public float[] distributions() {
    return gather(rollout.distributions, distributionSize());
  }

  /** Number of outputs of all critics for one sample. */
  public int criticOutputSize() {
    return rollout.shape().allOutputs();
  }

  /** The outputs of all critics at collection time, one row behind the other. */
  public float[] criticOutputs() {
    return gather(rollout.criticOutputs, criticOutputSize());
  }

  /** One number per transition of the rollout, picked for the rows and rounded to float32. */
  public float[] pick(double[] perTransition) {
    float[] picked = new float[size()];
    for (int row = 0; row < picked.length; row++) {
      picked[row] = (float) perTransition[transitions[row]];
    }
    return picked;
  }

  private float[] gather(float[] source, int width) {
    float[] picked = new float[size() * width];
    for (int row = 0; row < size(); row++) {
      System.arraycopy(source, transitions[row] * width, picked, row * width, width);
    }
    return picked;
  }

  /**
   * Consecutive rows, split into sequences that a recurrent network processes as a whole.
   *
   * <p>A sequence starts at the first row, at every episode start and wherever the environment
   * changes. There is no padding: every row belongs to exactly one sequence. {@code
   * SequenceBatchTest} pins it.
   *
   * @param starts first row of each sequence, ascending
   * @param lengths number of rows of each sequence, each at least 1
   */
  public record Split(int[] starts, int[] lengths) {
    /**
     * Splits the rows.
     *
     * @param episodeStart whether a row is the first of an episode
     * @param environmentChange whether a row belongs to another environment than the row before
     */
    public static Split of(boolean[] episodeStart, boolean[] environmentChange) {
      if (episodeStart.length == 0) {
        throw new IllegalArgumentException("there must be at least one row to split, got none");
      }
      if (episodeStart.length != environmentChange.length) {
        throw new IllegalArgumentException(
            "episodeStart and environmentChange must have one flag per row, but have "
                + episodeStart.length
                + " and "
                + environmentChange.length);
      }
      List<Integer> starts = new ArrayList<>();
      for (int row = 0; row < episodeStart.length; row++) {
        if (row == 0 || episodeStart[row] || environmentChange[row]) {
          starts.add(row);
        }
      }
      return fromStarts(starts.stream().mapToInt(Integer::intValue).toArray(), episodeStart.length);
    }

    /** Number of sequences. */
    public int count() {
      return starts.length;
    }

    private static Split fromStarts(int[] starts, int rows) {
      int[] lengths = new int[starts.length];
      for (int sequence = 0; sequence < starts.length; sequence++) {
        int end = sequence + 1 < starts.length ? starts[sequence + 1] : rows;
        lengths[sequence] = end - starts[sequence];
      }
      return new Split(starts, lengths);
    }
  }
}
