package io.quantail.env;

import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The set of actions of an environment: one of several choices, bounded numbers, or several of
 * these at once.
 *
 * <p>{@code ActionSpaceTest} pins validation, masks and equality.
 */
public sealed interface ActionSpace {
  /**
   * Makes the space of one choice.
   *
   * @param count number of choices, 2 to 2^24
   * @return one of {@code count} choices
   */
  static Discrete discrete(int count) {
    return new Discrete(count);
  }

  /**
   * Makes the space of one number.
   *
   * @param low its lowest value
   * @param high its highest value, above {@code low}
   * @return a number between the bounds
   */
  static Box box(double low, double high) {
    return new Box(new float[] {(float) low}, new float[] {(float) high});
  }

  /**
   * Makes the space of several numbers.
   *
   * @param low the lowest value of each number
   * @param high the highest value of each number, above {@code low}
   * @return as many numbers, each between its bounds
   */
  static Box box(float[] low, float[] high) {
    return new Box(low, high);
  }

  /**
   * Makes the space of several actions at once.
   *
   * @param parts choices and boxes in the order of the action's floats; no product again
   * @return an action of each part
   */
  static Product product(ActionSpace... parts) {
    return new Product(List.of(parts));
  }

  /**
   * Makes the space of several choices at once.
   *
   * @param counts number of choices of each part, 2 to 2^24
   * @return a choice of each part
   */
  static Product multiDiscrete(int... counts) {
    return new Product(Arrays.stream(counts).<ActionSpace>mapToObj(ActionSpace::discrete).toList());
  }

  /** {@return the number of floats in an action} */
  int size();

  /**
   * Counts the choices that can be masked: the count of a {@link Discrete}, none of a {@link Box},
   * and of a {@link Product} those of its parts, one part after the other.
   *
   * @return the length of a mask
   */
  int maskSize();

  /** {@return the parts of a product, and of any other space the space itself} */
  default List<ActionSpace> parts() {
    return List.of(this);
  }

  /**
   * Tests whether a mask allows an action of this space.
   *
   * @param masks contains a mask of {@link #maskSize()} values, true for an allowed choice; empty
   *     if everything is allowed
   * @param maskOffset index of its first value
   * @param actions array that contains the action, which the space {@link #accepts}
   * @param offset index of the action's first float
   * @return whether all choices of the action are allowed
   */
  boolean allows(boolean[] masks, int maskOffset, float[] actions, int offset);

  /**
   * Finds what makes a mask unusable.
   *
   * @param masks contains a mask of {@link #maskSize()} values
   * @param maskOffset index of its first value
   * @return index of the first part none of whose choices is allowed, or -1
   */
  int partWithoutChoice(boolean[] masks, int maskOffset);

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
  default float[] sample(RandomStream random) {
    return sample(random, new boolean[0]);
  }

  /**
   * Draws a uniformly distributed action among those that a mask allows.
   *
   * @param random source of the draw
   * @param mask {@link #maskSize()} values, true for an allowed choice, at least one in each part;
   *     empty if everything is allowed
   * @return the action
   */
  float[] sample(RandomStream random, boolean[] mask);

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
    public int maskSize() {
      return count;
    }

    @Override
    public boolean allows(boolean[] masks, int maskOffset, float[] actions, int offset) {
      return masks.length == 0 || masks[maskOffset + (int) actions[offset]];
    }

    @Override
    public int partWithoutChoice(boolean[] masks, int maskOffset) {
      for (int k = 0; k < count; k++) {
        if (masks[maskOffset + k]) {
          return -1;
        }
      }
      return 0;
    }

    @Override
    public float[] sample(RandomStream random, boolean[] mask) {
      if (mask.length == 0) {
        return new float[] {random.nextInt(count)};
      }
      int[] allowed = IntStream.range(0, count).filter(k -> mask[k]).toArray();
      return new float[] {allowed[random.nextInt(allowed.length)]};
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
            String.format(
                Locale.ROOT,
                "a box needs as many lower as upper bounds, at least one; was given %d and %d",
                low.length,
                high.length));
      }
      for (int i = 0; i < low.length; i++) {
        if (!Float.isFinite(low[i]) || !Float.isFinite(high[i]) || low[i] >= high[i]) {
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "a box needs finite bounds with low < high; dimension %d was given [%s, %s]",
                  i,
                  low[i],
                  high[i]));
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
    public int maskSize() {
      return 0;
    }

    @Override
    public boolean allows(boolean[] masks, int maskOffset, float[] actions, int offset) {
      return true;
    }

    @Override
    public int partWithoutChoice(boolean[] masks, int maskOffset) {
      return -1;
    }

    @Override
    public float[] sample(RandomStream random, boolean[] mask) {
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

  /**
   * Several actions at once. The floats of an action are those of its parts, one part after the
   * other, and so are the values of a mask.
   *
   * @param parts choices and boxes, at least one
   */
  record Product(List<ActionSpace> parts) implements ActionSpace {
    /**
     * Checks and copies the parts.
     *
     * @param parts choices and boxes, at least one
     */
    public Product {
      parts = List.copyOf(parts);
      if (parts.isEmpty()) {
        throw new IllegalArgumentException(
            "a product of action spaces needs at least one part; give a discrete or a box part");
      }
      for (int i = 0; i < parts.size(); i++) {
        if (parts.get(i) instanceof Product) {
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "part %d of a product of action spaces is a product itself; list its parts instead",
                  i));
        }
      }
    }

    @Override
    public int size() {
      return parts.stream().mapToInt(ActionSpace::size).sum();
    }

    @Override
    public int maskSize() {
      return parts.stream().mapToInt(ActionSpace::maskSize).sum();
    }

    @Override
    public boolean accepts(float[] actions, int offset) {
      int first = offset;
      for (ActionSpace part : parts) {
        if (!part.accepts(actions, first)) {
          return false;
        }
        first += part.size();
      }
      return true;
    }

    @Override
    public boolean allows(boolean[] masks, int maskOffset, float[] actions, int offset) {
      int first = offset;
      int firstMask = maskOffset;
      for (ActionSpace part : parts) {
        if (!part.allows(masks, firstMask, actions, first)) {
          return false;
        }
        first += part.size();
        firstMask += part.maskSize();
      }
      return true;
    }

    @Override
    public int partWithoutChoice(boolean[] masks, int maskOffset) {
      int firstMask = maskOffset;
      for (int i = 0; i < parts.size(); i++) {
        if (parts.get(i).partWithoutChoice(masks, firstMask) == 0) {
          return i;
        }
        firstMask += parts.get(i).maskSize();
      }
      return -1;
    }

    @Override
    public float[] sample(RandomStream random, boolean[] mask) {
      float[] action = new float[size()];
      int first = 0;
      int firstMask = 0;
      for (ActionSpace part : parts) {
        int end = mask.length == 0 ? 0 : firstMask + part.maskSize();
        boolean[] own = Arrays.copyOfRange(mask, Math.min(firstMask, end), end);
        System.arraycopy(part.sample(random, own), 0, action, first, part.size());
        first += part.size();
        firstMask += part.maskSize();
      }
      return action;
    }
  }
}
