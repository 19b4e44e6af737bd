package io.quantail.env;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The numbers of an observation: one flat array, whose parts may have names.
 *
 * <p>Names appear in messages. The numbers of a raw part reach the network as they are, those of
 * the others are normalised if the settings say so: flags and one-hot codes are best left raw.
 * Immutable; {@code ObservationSpaceTest} pins it.
 */
public final class ObservationSpace {
  private static final String UNNAMED = "observation";

  private final List<Part> parts;
  private final int size;

  /**
   * A part of an observation.
   *
   * @param name its name; {@code "observation"} if it was given none
   * @param size how many numbers it has, at least 1
   * @param raw whether its numbers are never normalised
   */
  public record Part(String name, int size, boolean raw) {
    /**
     * Checks a part.
     *
     * @param name not blank
     * @param size at least 1
     * @param raw whether its numbers are never normalised
     */
    public Part {
      if (name.isBlank() || size < 1) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "a part of an observation needs a name and at least 1 number, was given '%s' and %d",
                name,
                size));
      }
    }
  }

  private ObservationSpace(List<Part> parts) {
    List<String> names = parts.stream().map(Part::name).distinct().toList();
    if (names.size() < parts.size()) {
      throw new IllegalArgumentException(
          "the parts of an observation need different names, were "
              + parts.stream().map(Part::name).toList());
    }
    this.parts = List.copyOf(parts);
    this.size = parts.stream().mapToInt(Part::size).sum();
  }

  /**
   * Makes a space of numbers without names.
   *
   * @param size how many, at least 1
   * @return the space
   */
  public static ObservationSpace of(int size) {
    if (size < 1) {
      throw new IllegalArgumentException("an observation has at least 1 number, was given " + size);
    }
    return new ObservationSpace(List.of(new Part(UNNAMED, size, false)));
  }

  /**
   * Makes a space of single numbers with names.
   *
   * @param names one for each number; none, to add parts only
   * @return the space
   */
  public static ObservationSpace named(String... names) {
    ObservationSpace space = new ObservationSpace(List.of());
    for (String name : names) {
      space = space.part(name, 1);
    }
    return space;
  }

  /**
   * Adds numbers that are normalised if the settings say so.
   *
   * @param name name of the part
   * @param size how many numbers it has, at least 1
   * @return this space with one more part at its end
   */
  public ObservationSpace part(String name, int size) {
    return with(new Part(name, size, false));
  }

  /**
   * Adds numbers that are never normalised, such as flags and one-hot codes.
   *
   * @param name name of the part
   * @param size how many numbers it has, at least 1
   * @return this space with one more part at its end
   */
  public ObservationSpace rawPart(String name, int size) {
    return with(new Part(name, size, true));
  }

  private ObservationSpace with(Part part) {
    List<Part> more = new ArrayList<>(parts);
    more.add(part);
    return new ObservationSpace(more);
  }

  /** {@return how many numbers an observation has} */
  public int size() {
    return size;
  }

  /** {@return the parts in their order} */
  public List<Part> parts() {
    return parts;
  }

  /**
   * Names a number for messages.
   *
   * @param index index of the number in the observation
   * @return for example {@code speed}, or {@code wheels[2]} in a part of several numbers
   */
  public String name(int index) {
    int first = index;
    for (Part part : parts) {
      if (first < part.size()) {
        return part.size() == 1 && !part.name().equals(UNNAMED)
            ? part.name()
            : part.name() + "[" + first + "]";
      }
      first -= part.size();
    }
    throw new IndexOutOfBoundsException(
        String.format(
            Locale.ROOT,
            "an observation has the numbers 0 to %d, was asked for %d",
            size - 1,
            index));
  }

  /**
   * Keeps some of the numbers, for an environment that hides the others.
   *
   * @param indices indices of the numbers that remain, in their new order
   * @return the space of these numbers, each with its name
   */
  public ObservationSpace select(int... indices) {
    boolean named = parts.size() > 1 || !parts.get(0).name().equals(UNNAMED);
    boolean[] raw = raw();
    return named
        ? new ObservationSpace(
            IntStream.of(indices).mapToObj(i -> new Part(name(i), 1, raw[i])).toList())
        : of(indices.length);
  }

  /** {@return for each number whether it is never normalised} */
  public boolean[] raw() {
    boolean[] raw = new boolean[size];
    int first = 0;
    for (Part part : parts) {
      for (int i = 0; i < part.size(); i++) {
        raw[first + i] = part.raw();
      }
      first += part.size();
    }
    return raw;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ObservationSpace space && parts.equals(space.parts);
  }

  @Override
  public int hashCode() {
    return parts.hashCode();
  }

  /** The parts, for example {@code speed, wheels[4], door[3] raw}. */
  @Override
  public String toString() {
    return parts.isEmpty()
        ? "nothing"
        : parts.stream().map(ObservationSpace::text).collect(Collectors.joining(", "));
  }

  private static String text(Part part) {
    if (part.name().equals(UNNAMED)) {
      return part.size() == 1 ? "1 number" : part.size() + " numbers";
    }
    return part.name()
        + (part.size() == 1 ? "" : "[" + part.size() + "]")
        + (part.raw() ? " raw" : "");
  }
}
