package io.quantail.optim.plasticity;

import io.quantail.random.NormalSampler;
import io.quantail.random.RandomStream;

/**
 * A stream of labelled inputs whose meaning changes from phase to phase.
 *
 * <p>The base is a mixture of normal distributions: every class has {@value #CLUSTERS} clusters
 * around random centres. What changes is either the order of the inputs' components or which label
 * a class goes by, as in the input- and the label-permuted tasks of Elsayed and Mahmood (2024),
 * whose images are replaced by generated data.
 */
final class ChangingTask {
  static final int INPUTS = 32;
  static final int CLASSES = 10;
  private static final int CLUSTERS = 4;
  private static final float NOISE = 0.7f;

  /** What a new phase changes. */
  enum Change {
    INPUTS_PERMUTED,
    LABELS_PERMUTED
  }

  /** Inputs row by row, and their labels. */
  record Batch(float[] inputs, long[] labels) {}

  private final long seed;
  private final Change change;
  private final double[][] centres = new double[CLASSES * CLUSTERS][INPUTS];

  ChangingTask(long seed, Change change) {
    this.seed = seed;
    this.change = change;
    RandomStream random = RandomStream.of(seed, "task/centres", 0);
    for (double[] centre : centres) {
      for (int i = 0; i < INPUTS; i++) {
        centre[i] = random.nextGaussian();
      }
    }
  }

  /** The samples of one phase, drawn anew for every step. */
  Phase phase(int number) {
    int[] inputOrder = order(number, Change.INPUTS_PERMUTED, INPUTS);
    int[] labelOrder = order(number, Change.LABELS_PERMUTED, CLASSES);
    return new Phase(number, inputOrder, labelOrder);
  }

  private int[] order(int phase, Change what, int size) {
    long place = change == what ? phase : 0;
    return RandomStream.of(seed, "task/order/" + what, place).permutation(size);
  }

  /** The task as it is until the next change. */
  final class Phase {
    private final int number;
    private final int[] inputOrder;
    private final int[] labelOrder;

    private Phase(int number, int[] inputOrder, int[] labelOrder) {
      this.number = number;
      this.inputOrder = inputOrder;
      this.labelOrder = labelOrder;
    }

    Batch batch(int step, int size) {
      RandomStream random = RandomStream.of(seed, "task/samples/" + number, step);
      float[] inputs = new float[size * INPUTS];
      NormalSampler.fill(random, NOISE, inputs, 0, inputs.length);
      long[] labels = new long[size];
      for (int row = 0; row < size; row++) {
        int cluster = random.nextInt(centres.length);
        labels[row] = labelOrder[cluster / CLUSTERS];
        for (int i = 0; i < INPUTS; i++) {
          inputs[row * INPUTS + inputOrder[i]] += (float) centres[cluster][i];
        }
      }
      return new Batch(inputs, labels);
    }
  }
}
