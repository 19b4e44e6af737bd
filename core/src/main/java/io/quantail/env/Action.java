package io.quantail.env;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * An action as its environment sees it: indices of choices and values of bounded numbers.
 *
 * <p>It is a view: the action that {@link Environment#step} gets is valid during that call, and
 * {@link #toArray()} copies it. {@code ActionTest} pins it.
 */
public final class Action {
  private final List<ActionSpace> parts;
  private final int[] offsets; // of the first number of each part
  private final float[] numbers;

  private Action(ActionSpace space, float[] numbers) {
    if (numbers.length != space.size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "an action of %s has %d numbers, was given %d",
              space,
              space.size(),
              numbers.length));
    }
    this.parts = space.parts();
    this.offsets = new int[parts.size()];
    for (int part = 1; part < offsets.length; part++) {
      offsets[part] = offsets[part - 1] + parts.get(part - 1).size();
    }
    this.numbers = numbers;
  }

  /**
   * Makes an action.
   *
   * @param space the space it belongs to
   * @param numbers {@link ActionSpace#size()} numbers: indices of choices and values of boxes, in
   *     the order of the parts; copied
   * @return the action
   */
  public static Action of(ActionSpace space, float... numbers) {
    Action action = new Action(space, numbers.clone());
    if (!space.accepts(numbers, 0)) {
      throw new IllegalArgumentException(
          "%s is not an action of %s".formatted(Arrays.toString(numbers), space));
    }
    return action;
  }

  /**
   * Makes a view of an array, which shows whatever the array contains.
   *
   * @param space the space of the actions that the array will contain
   * @param numbers {@link ActionSpace#size()} numbers; kept and not checked
   * @return the view
   */
  public static Action view(ActionSpace space, float[] numbers) {
    return new Action(space, numbers);
  }

  /** {@return the index of the choice; for a {@link ActionSpace.Discrete} space} */
  public int index() {
    requireOnePart("index(part)");
    return index(0);
  }

  /**
   * Reads the choice of one part of a product.
   *
   * @param part index of a {@link ActionSpace.Discrete} part
   * @return the index of its choice
   */
  public int index(int part) {
    if (!(partAt(part) instanceof ActionSpace.Discrete)) {
      throw new IllegalStateException(
          "%s is %s and has no index; call value".formatted(name(part), parts.get(part)));
    }
    return (int) numbers[offsets[part]];
  }

  /** {@return the number; for a {@link ActionSpace.Box} of one number} */
  public double value() {
    requireOnePart("value(part)");
    return valueOf(0);
  }

  /**
   * Reads one of several numbers.
   *
   * @param i index of the number in a {@link ActionSpace.Box}; of a product, the index of a part
   *     that is a box of one number
   * @return the number
   */
  public double value(int i) {
    return parts.size() == 1 ? value(0, i) : valueOf(i);
  }

  /**
   * Reads one of several numbers of one part of a product.
   *
   * @param part index of a {@link ActionSpace.Box} part
   * @param i index of the number in that part
   * @return the number
   */
  public double value(int part, int i) {
    ActionSpace space = box(part);
    if (i < 0 || i >= space.size()) {
      throw new IndexOutOfBoundsException(
          String.format(
              Locale.ROOT,
              "%s has the values 0 to %d, was asked for %d",
              name(part),
              space.size() - 1,
              i));
    }
    return numbers[offsets[part] + i];
  }

  /** {@return a copy of all numbers, in the order of the parts} */
  public float[] toArray() {
    return numbers.clone();
  }

  /** The numbers, in the order of the parts. */
  @Override
  public String toString() {
    return Arrays.toString(numbers);
  }

  private double valueOf(int part) {
    if (box(part).size() != 1) {
      throw new IllegalStateException(
          "%s is %s and has several values; say which one".formatted(name(part), parts.get(part)));
    }
    return numbers[offsets[part]];
  }

  private ActionSpace box(int part) {
    ActionSpace space = partAt(part);
    if (!(space instanceof ActionSpace.Box)) {
      throw new IllegalStateException(
          "%s is %s and has no value; call index".formatted(name(part), space));
    }
    return space;
  }

  private ActionSpace partAt(int part) {
    if (part < 0 || part >= parts.size()) {
      throw new IndexOutOfBoundsException(
          String.format(
              Locale.ROOT,
              "the action has the parts 0 to %d, was asked for %d",
              parts.size() - 1,
              part));
    }
    return parts.get(part);
  }

  private void requireOnePart(String instead) {
    if (parts.size() > 1) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "the action has %d parts; call %s", parts.size(), instead));
    }
  }

  private String name(int part) {
    return parts.size() == 1 ? "the action" : "part " + part + " of the action";
  }
}
