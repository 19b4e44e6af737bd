package io.quantail.rollout;

import io.quantail.nn.RecurrentState;
import io.quantail.nn.Sequences;
import io.quantail.tensor.Tensor;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Some windows of a rollout, cut at episode starts into sequences and padded to the longest.
 *
 * <p>A sequence that continues an episode starts from the state stored before its first
 * observation; one that begins an episode starts from zero. Padding is dropped right after the
 * recurrent layers: everything later sees real samples only, one row each, in the order of {@link
 * #transitions()}.
 */
public final class SequenceBatch {
  private final Rollout rollout;
  private final int[] transitions; // [row]
  private final SequenceSplit split;

  /** Takes whole windows; window {@code w} is block {@code w / environments} of time. */
  public SequenceBatch(Rollout rollout, int[] windows) {
    this.rollout = rollout;
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
    split = SequenceSplit.of(episodeStart, windowStart);
  }

  /** The rollout's transition behind each row. */
  public int[] transitions() {
    return transitions;
  }

  /** The number of real samples. */
  public int size() {
    return transitions.length;
  }

  /** The network's input; to be called in the scope that uses it. */
  public Sequences sequences() {
    int count = split.count();
    int features = rollout.shape().observationSize();
    float[] observations = new float[split.longest() * count * features];
    long[] rows = new long[size()];
    for (int sequence = 0; sequence < count; sequence++) {
      for (int step = 0; step < split.lengths()[sequence]; step++) {
        int row = split.starts()[sequence] + step;
        int place = step * count + sequence;
        int source = transitions[row] * features;
        System.arraycopy(rollout.observations, source, observations, place * features, features);
        rows[row] = place;
      }
    }
    return new Sequences(
        Tensor.of(observations, split.longest(), count, features),
        initialState(),
        Tensor.of(rows, rows.length));
  }

  private RecurrentState initialState() {
    int width = rollout.shape().width();
    int layers = rollout.shape().recurrentLayers();
    int count = split.count();
    float[] hidden = new float[layers * count * width];
    float[] cell = new float[hidden.length];
    for (int sequence = 0; sequence < count; sequence++) {
      int transition = transitions[split.starts()[sequence]];
      if (rollout.episodeStarts[transition]) {
        continue;
      }
      for (int layer = 0; layer < layers; layer++) {
        int source = (windowOf(transition) * layers + layer) * width;
        int target = (layer * count + sequence) * width;
        System.arraycopy(rollout.windowHidden, source, hidden, target, width);
        System.arraycopy(rollout.windowCell, source, cell, target, width);
      }
    }
    return RecurrentState.of(hidden, cell, layers, count, width);
  }

  private int windowOf(int transition) {
    int environments = rollout.shape().environments();
    int block = transition / environments / rollout.shape().window();
    return block * environments + transition % environments;
  }

  /** Raw actions of the rows, [row, size]. */
  public Tensor rawActions() {
    return gather(rollout.rawActions, rollout.shape().actionSize());
  }

  /** Log-probabilities at collection time, [row]. */
  public Tensor logProbabilities() {
    return gather(rollout.logProbabilities, 1).reshape(size());
  }

  /** Distribution parameters at collection time, [row, parameter]. */
  public Tensor distributions() {
    return gather(rollout.distributions, rollout.shape().distributionSize());
  }

  /** What each critic said at collection time, each [row, output]. */
  public List<Tensor> criticOutputs() {
    int critics = rollout.shape().keptCritics();
    int outputs = rollout.shape().criticOutputs();
    if (critics == 0) {
      throw new IllegalStateException(
          "the rollout holds no critic outputs; collect it with keepCriticOutputs");
    }
    Tensor all = gather(rollout.criticOutputs, rollout.shape().keptOutputs());
    return IntStream.range(0, critics)
        .mapToObj(critic -> all.narrow(1, (long) critic * outputs, outputs))
        .toList();
  }

  /**
   * One number per transition of the rollout, picked for the rows and rounded to float32; [row].
   */
  public Tensor pick(double[] perTransition) {
    float[] picked = new float[size()];
    for (int row = 0; row < picked.length; row++) {
      picked[row] = (float) perTransition[transitions[row]];
    }
    return Tensor.of(picked, picked.length);
  }

  private Tensor gather(float[] source, int width) {
    float[] picked = new float[size() * width];
    for (int row = 0; row < size(); row++) {
      System.arraycopy(source, transitions[row] * width, picked, row * width, width);
    }
    return Tensor.of(picked, size(), width);
  }
}
