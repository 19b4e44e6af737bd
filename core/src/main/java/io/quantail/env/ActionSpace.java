package io.quantail.env;

import io.quantail.random.RandomStream;
import java.util.Arrays;

/**
 * The set of actions of an environment: one of several choices, or bounded numbers.
 *
 * <p>{@code ActionSpaceTest} pins validation and equality.
 */
public sealed interface ActionSpace {
  /** {@return the number of floats in an action} */
  int size();

  /**
   * Tests whether {@link #size()} floats are an action of this space.
   *
   * @param actions array that contains the action
   * @param offset index of its first float
   * @return whether the action is valid
   */
  boolean accepts(float[] actions, int offset);

  /**
   * Draws a uniformly distributed action.
   *
   * @param random source of the draw
   * @return the action
   */
  float[] sample(RandomStream random);

  /**
   * One of {@code count} actions, given as an index.
   *
   * @param count 2 to 2^24, the whole numbers a float holds exactly
   */
  record Discrete(int count) implements ActionSpace {
    private static final int LARGEST = 1 << 24;

    /**
     * Checks the number of actions.
     *
     * @param count 2 to 2^24
     */
    public Discrete {
      if (count < 2 || count > LARGEST) {
        throw new IllegalArgumentException(
            "a discrete action space has 2 to " + LARGEST + " actions, was given " + count);
      }
    }

    @Override
    public int size() {
      return 1;
    }

    @Override
    public boolean accepts(float[] actions, int offset) {
      float value = actions[offset];
      return value >= 0 && value < count && value == (int) value;
    }

    @Override
    public float[] sample(RandomStream random) {
      return new float[] {random.nextInt(count)};
    }

    /**
     * Reads the index from an action.
     *
     * @param action one float
     * @return the index, from 0 to {@code count - 1}
     */
    public int index(float[] action) {
      if (action.length != 1 || !accepts(action, 0)) {
        throw new IllegalArgumentException(
            "action must be one whole number from 0 to %d, was %s"
                .formatted(count - 1, Arrays.toString(action)));
      }
      return (int) action[0];
    }
  }

  /**
   * Numbers between two finite bounds.
   *
   * @param low the lowest value of each number
   * @param high the highest value of each number, above {@code low}
   */
  record Box(float[] low, float[] high) implements ActionSpace {
    /**
     * Checks and copies the bounds.
     *
     * @param low the lowest value of each number
     * @param high the highest value of each number
     */
    public Box {
      if (low.length == 0 || low.length != high.length) {
        throw new IllegalArgumentException(
            "a box needs as many lower as upper bounds, at least one; was given %d and %d"
                .formatted(low.length, high.length));
      }
      for (int i = 0; i < low.length; i++) {
        if (!Float.isFinite(low[i]) || !Float.isFinite(high[i]) || low[i] >= high[i]) {
          throw new IllegalArgumentException(
              "a box needs finite bounds with low < high; dimension %d was given [%s, %s]"
                  .formatted(i, low[i], high[i]));
        }
      }
      low = low.clone();
      high = high.clone();
    }

    /** {@return a copy of the lowest values} */
    @Override
    public float[] low() {
      return low.clone();
    }

    /** {@return a copy of the highest values} */
    @Override
    public float[] high() {
      return high.clone();
    }

    @Override
    public int size() {
      return low.length;
    }

    @Override
    public boolean accepts(float[] actions, int offset) {
      for (int i = 0; i < low.length; i++) {
        float value = actions[offset + i];
        if (!(value >= low[i] && value <= high[i])) {
          return false;
        }
      }
      return true;
    }

    @Override
    public float[] sample(RandomStream random) {
      float[] action = new float[low.length];
      for (int i = 0; i < action.length; i++) {
        action[i] = (float) random.nextDouble(low[i], high[i]);
      }
      return action;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Box box
          && Arrays.equals(low, box.low)
          && Arrays.equals(high, box.high);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(low) + Arrays.hashCode(high);
    }

    @Override
    public String toString() {
      return "Box[low=" + Arrays.toString(low) + ", high=" + Arrays.toString(high) + "]";
    }
  }
}
