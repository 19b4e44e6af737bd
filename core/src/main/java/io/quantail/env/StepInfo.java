package io.quantail.env;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Unmodifiable named numbers of a step for fast environments: the names are shared by all steps,
 * only the values are allocated.
 */
public final class StepInfo extends AbstractMap<String, Double> {
  private final List<String> names;
  private final double[] values;

  /**
   * @param names unique and unmodifiable; shared
   * @param values one for each name; not copied
   */
  public StepInfo(List<String> names, double... values) {
    if (names.size() != values.length) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d names need as many values, there are %d",
              names.size(),
              values.length));
    }
    this.names = names;
    this.values = values;
  }

  @Override
  public @Nullable Double get(Object name) {
    int index = names.indexOf(name);
    return index < 0 ? null : Double.valueOf(values[index]);
  }

  @Override
  public boolean containsKey(Object name) {
    return names.contains(name);
  }

  @Override
  public int size() {
    return values.length;
  }

  @Override
  public Set<Map.Entry<String, Double>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<String, Double>> iterator() {
        return new Entries();
      }

      @Override
      public int size() {
        return values.length;
      }
    };
  }

  private final class Entries implements Iterator<Map.Entry<String, Double>> {
    private int next;

    @Override
    public boolean hasNext() {
      return next < values.length;
    }

    @Override
    public Map.Entry<String, Double> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return Map.entry(names.get(next), values[next++]);
    }
  }
}
