package io.quantail.calibration;

import io.quantail.state.Restorable;
import io.quantail.state.StateException;
import io.quantail.state.StateMap;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import java.util.Locale;

/** Predictions whose returns are not known yet, in the order in which they were made. */
final class WaitingPredictions implements Restorable {
  private static final int ENVIRONMENT = 0;
  private static final int KNOWN = 1; // rewards so far
  private static final int UPDATE = 2; // in which the prediction was made
  private static final int SUM = 3; // discounted, of the rewards so far
  private static final int MEAN = 4; // of the scale of the prediction
  private static final int STD = 5;
  private static final int COLUMNS = 6;

  private final int environments;
  private final int width;
  private int size;
  private double[] numbers = {}; // [prediction, column]; whole numbers are below 2^53
  private float[] outputs = {}; // [prediction, output] of the critic that predicted

  /**
   * @param environments environments side by side
   * @param width outputs of a critic
   */
  WaitingPredictions(int environments, int width) {
    this.environments = environments;
    this.width = width;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  /** Adds a prediction whose outputs begin at an offset. */
  void add(
      int environment,
      float[] predicted,
      int offset,
      ReturnScale scale,
      double sum,
      long known,
      long update) {
    if (size * COLUMNS == numbers.length) {
      int capacity = Math.max(64, 2 * size);
      numbers = Arrays.copyOf(numbers, capacity * COLUMNS);
      outputs = Arrays.copyOf(outputs, capacity * width);
    }
    System.arraycopy(predicted, offset, outputs, size * width, width);
    int row = size++ * COLUMNS;
    numbers[row + ENVIRONMENT] = environment;
    numbers[row + KNOWN] = known;
    numbers[row + UPDATE] = update;
    numbers[row + SUM] = sum;
    numbers[row + MEAN] = scale.mean();
    numbers[row + STD] = scale.std();
  }

  int environment(int index) {
    return (int) numbers[index * COLUMNS + ENVIRONMENT];
  }

  long known(int index) {
    return (long) numbers[index * COLUMNS + KNOWN];
  }

  long update(int index) {
    return (long) numbers[index * COLUMNS + UPDATE];
  }

  double sum(int index) {
    return numbers[index * COLUMNS + SUM];
  }

  ReturnScale scale(int index) {
    return new ReturnScale(numbers[index * COLUMNS + MEAN], numbers[index * COLUMNS + STD]);
  }

  /** The array that has the outputs of all predictions. */
  float[] outputs() {
    return outputs;
  }

  int offset(int index) {
    return index * width;
  }

  /** Replaces the rewards so far. */
  void extend(int index, double sum, long known) {
    numbers[index * COLUMNS + SUM] = sum;
    numbers[index * COLUMNS + KNOWN] = known;
  }

  /** Chooses predictions. */
  interface Choice {
    boolean keeps(int index);
  }

  /** Removes the predictions that are not chosen; each is asked about once, in order. */
  void retain(Choice choice) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (choice.keeps(i)) {
        System.arraycopy(numbers, i * COLUMNS, numbers, kept * COLUMNS, COLUMNS);
        System.arraycopy(outputs, i * width, outputs, kept * width, width);
        kept++;
      }
    }
    size = kept;
  }

  @Override
  public void save(StateMap state) {
    state.putDoubles("numbers", Arrays.copyOf(numbers, size * COLUMNS), size, COLUMNS);
    state.putFloats("outputs", Arrays.copyOf(outputs, size * width), size, width);
    state.putLong("size", size);
  }

  @Override
  public Runnable restoring(StateMap state) {
    long savedSize = state.longValue("size");
    double[] savedNumbers = state.doubles("numbers", savedSize, COLUMNS);
    float[] savedOutputs = state.floats("outputs", savedSize, width);
    for (int row = 0; row < savedNumbers.length; row += COLUMNS) {
      double environment = savedNumbers[row + ENVIRONMENT];
      if (!(environment >= 0 && environment < environments)
          || !(savedNumbers[row + KNOWN] >= 1)
          || !(savedNumbers[row + STD] > 0)) {
        throw new StateException(
            String.format(
                Locale.ROOT,
                "a waiting prediction of calibration is damaged: environment %s of %d, %s rewards",
                environment,
                environments,
                savedNumbers[row + KNOWN]));
      }
    }
    return () -> {
      size = (int) savedSize;
      numbers = savedNumbers;
      outputs = savedOutputs;
    };
  }
}
