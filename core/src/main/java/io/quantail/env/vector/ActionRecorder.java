package io.quantail.env.vector;

import java.util.Arrays;

/** Records the actions of an episode, up to a limit. */
final class ActionRecorder {
  private static final int LIMIT = 1 << 20;
  private static final int FIRST = 64;

  private final int actionSize;
  private float[] numbers = new float[FIRST];
  private int size;
  private boolean complete = true;

  ActionRecorder(int actionSize) {
    this.actionSize = actionSize;
  }

  void add(float[] actions, int offset) {
    if (size + actionSize > LIMIT) {
      complete = false;
      return;
    }
    if (size + actionSize > numbers.length) {
      numbers = Arrays.copyOf(numbers, Math.max(2 * numbers.length, size + actionSize));
    }
    System.arraycopy(actions, offset, numbers, size, actionSize);
    size += actionSize;
  }

  void clear() {
    size = 0;
    complete = true;
  }

  int actionSize() {
    return actionSize;
  }

  float[] numbers() {
    return Arrays.copyOf(numbers, size);
  }

  /** Whether all actions of the episode are recorded. */
  boolean complete() {
    return complete;
  }
}
