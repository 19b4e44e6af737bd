package io.quantail.study.population;

import java.io.Serializable;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Assignment of a member in one generation.
 *
 * @param member its number, from 0
 * @param generation from 0
 * @param source member whose snapshot of the generation before it continues from: its own number
 *     unless it copies; -1 in the first generation
 * @param seed of its random numbers, from the generation in which it started or last copied
 * @param hyperparameters values as texts of a configuration, by path
 */
public record MemberAssignment(
    int member, int generation, int source, long seed, Map<String, String> hyperparameters)
    implements Serializable {
  /** Source of a member of the first generation. */
  public static final int NONE = -1;

  public MemberAssignment {
    hyperparameters = Collections.unmodifiableMap(new TreeMap<>(hyperparameters));
  }

  /** Whether it copies another member. */
  public boolean exploits() {
    return source != NONE && source != member;
  }
}
