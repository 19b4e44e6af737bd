package io.quantail.population;

import java.io.Serializable;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * One member in one generation.
 *
 * @param member its number, from 0
 * @param generation from 0
 * @param source whose snapshot of the generation before it goes on from; its own number unless it
 *     copies; -1 when it begins
 * @param seed of its random numbers, from the generation in which its line began or last copied
 * @param hyperparameters values as they are written in a configuration, by path
 */
public record Unit(
    int member, int generation, int source, long seed, Map<String, String> hyperparameters)
    implements Serializable {
  /** Stands for the source of a member that begins. */
  public static final int NONE = -1;

  public Unit {
    hyperparameters = Collections.unmodifiableMap(new TreeMap<>(hyperparameters));
  }

  /** Whether it goes on from another member. */
  public boolean exploits() {
    return source != NONE && source != member;
  }
}
