package io.quantail.state;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The saved state of components: an ordered map from names to typed arrays.
 *
 * <p>Each name is written once. Reading is strict: a missing name, another type or another shape is
 * a {@link StateException}, and {@link #requireAllRead()} refuses names that no component has read,
 * so that a state is restored as a whole or not at all. Names are printable ASCII. {@code
 * child("optimizer")} is a view in which {@code step} stands for {@code optimizer/step}. Not safe
 * for use by several threads. {@code StateMapTest} pins all of this.
 */
public final class StateMap {
  private static final String SEPARATOR = "/";

  private final String prefix;
  private final Map<String, StateArray> arrays;
  private final Set<String> read;

  /** Creates an empty state. */
  public StateMap() {
    this("", new LinkedHashMap<>(), new HashSet<>());
  }

  private StateMap(String prefix, Map<String, StateArray> arrays, Set<String> read) {
    this.prefix = prefix;
    this.arrays = arrays;
    this.read = read;
  }

  /** Returns a view of the names below {@code name}; it shares its entries with this map. */
  public StateMap child(String name) {
    return new StateMap(path(name) + SEPARATOR, arrays, read);
  }

  /** Adds an array under a new name. */
  public StateMap put(String name, StateArray array) {
    String path = path(name);
    if (arrays.putIfAbsent(path, array) != null) {
      throw new StateException(
          "state entry '%s' is written twice: %s, then %s; give each its own name"
              .formatted(path, arrays.get(path), array));
    }
    return this;
  }

  /** Adds an array; without a shape it is a vector. */
  public StateMap putFloats(String name, float[] values, long... shape) {
    long[] checked = shapeFor(name, StateArray.Type.FLOAT32, values.length, shape);
    return put(name, StateArray.ofFloats(values, checked));
  }

  /** Adds an array; without a shape it is a vector. */
  public StateMap putDoubles(String name, double[] values, long... shape) {
    long[] checked = shapeFor(name, StateArray.Type.FLOAT64, values.length, shape);
    return put(name, StateArray.ofDoubles(values, checked));
  }

  /** Adds an array; without a shape it is a vector. */
  public StateMap putLongs(String name, long[] values, long... shape) {
    long[] checked = shapeFor(name, StateArray.Type.INT64, values.length, shape);
    return put(name, StateArray.ofLongs(values, checked));
  }

  /** Adds a float64 scalar. */
  public StateMap putDouble(String name, double value) {
    return put(name, StateArray.ofDoubles(new double[] {value}));
  }

  /** Adds an int64 scalar. */
  public StateMap putLong(String name, long value) {
    return put(name, StateArray.ofLongs(new long[] {value}));
  }

  /** Adds a uint8 scalar that is 0 or 1. */
  public StateMap putBoolean(String name, boolean value) {
    return put(name, StateArray.ofBytes(new byte[] {(byte) (value ? 1 : 0)}));
  }

  /** Reads an array; without an expected shape it must be a vector, of any length. */
  public float[] floats(String name, long... expectedShape) {
    return vectorOrShape(name, StateArray.Type.FLOAT32, expectedShape).toFloats();
  }

  /** Reads an array; without an expected shape it must be a vector, of any length. */
  public double[] doubles(String name, long... expectedShape) {
    return vectorOrShape(name, StateArray.Type.FLOAT64, expectedShape).toDoubles();
  }

  /** Reads an array; without an expected shape it must be a vector, of any length. */
  public long[] longs(String name, long... expectedShape) {
    return vectorOrShape(name, StateArray.Type.INT64, expectedShape).toLongs();
  }

  /** Reads a float64 scalar. */
  public double doubleValue(String name) {
    return exact(name, StateArray.Type.FLOAT64).toDoubles()[0];
  }

  /** Reads an int64 scalar. */
  public long longValue(String name) {
    return exact(name, StateArray.Type.INT64).toLongs()[0];
  }

  /** Reads a uint8 scalar that is 0 or 1. */
  public boolean booleanValue(String name) {
    byte value = exact(name, StateArray.Type.UINT8).toBytes()[0];
    if (value != 0 && value != 1) {
      throw new StateException(
          String.format(
              Locale.ROOT, "state entry '%s' must be 0 or 1, was %d", path(name), value & 0xFF));
    }
    return value == 1;
  }

  /** Returns whether the map has the name; this does not count as reading it. */
  public boolean contains(String name) {
    return arrays.containsKey(path(name));
  }

  /** Returns the names relative to this view, in the order in which they were written. */
  public List<String> names() {
    return List.copyOf(entries().keySet());
  }

  /** Returns the arrays of this view in the order of writing; this does not count as reading. */
  public Map<String, StateArray> entries() {
    Map<String, StateArray> view = new LinkedHashMap<>();
    arrays.forEach(
        (path, array) -> {
          if (path.startsWith(prefix)) {
            view.put(path.substring(prefix.length()), array);
          }
        });
    return Collections.unmodifiableMap(view);
  }

  /** Throws a {@link StateException} if there are entries that no component has read. */
  public void requireAllRead() {
    List<String> leftovers =
        arrays.keySet().stream()
            .filter(path -> path.startsWith(prefix) && !read.contains(path))
            .toList();
    if (!leftovers.isEmpty()) {
      throw new StateException(
          String.format(
              Locale.ROOT,
              "%d state entries are unknown in this configuration: %s; load the state with the configuration that wrote it",
              leftovers.size(),
              leftovers));
    }
  }

  private StateArray vectorOrShape(String name, StateArray.Type type, long[] expectedShape) {
    if (expectedShape.length > 0) {
      return exact(name, type, expectedShape);
    }
    StateArray array = require(name);
    if (array.type() != type || array.shape().length != 1) {
      throw mismatch(name, array, StateArray.describe(type, new long[0]).replace("[]", "[any]"));
    }
    return markRead(name, array);
  }

  private StateArray exact(String name, StateArray.Type type, long... expectedShape) {
    StateArray array = require(name);
    if (array.type() != type || !Arrays.equals(array.shape(), expectedShape)) {
      throw mismatch(name, array, StateArray.describe(type, expectedShape));
    }
    return markRead(name, array);
  }

  private StateArray require(String name) {
    StateArray array = arrays.get(path(name));
    if (array == null) {
      throw new StateException(
          "state entry '%s' is missing; under '%s' there are %s"
              .formatted(path(name), prefix, names()));
    }
    return array;
  }

  private StateArray markRead(String name, StateArray array) {
    read.add(path(name));
    return array;
  }

  private StateException mismatch(String name, StateArray found, String expected) {
    return new StateException(
        "state entry '%s' is %s, expected %s".formatted(path(name), found, expected));
  }

  private long[] shapeFor(String name, StateArray.Type type, int length, long[] shape) {
    long[] wanted = shape.length == 0 ? new long[] {length} : shape;
    if (StateArray.elementCount(wanted) != length) {
      throw new StateException(
          String.format(
              Locale.ROOT,
              "state entry '%s': %s takes %d values, found %d",
              path(name),
              StateArray.describe(type, wanted),
              StateArray.elementCount(wanted),
              length));
    }
    return wanted;
  }

  private String path(String name) {
    boolean printable = name.chars().allMatch(c -> c >= ' ' && c <= '~');
    boolean hasEmptyPart = Arrays.asList(name.split(SEPARATOR, -1)).contains("");
    if (!printable || hasEmptyPart) {
      throw new StateException(
          "state name '%s' must be printable ASCII in non-empty parts joined by '%s'"
              .formatted(prefix + name, SEPARATOR));
    }
    return prefix + name;
  }
}
