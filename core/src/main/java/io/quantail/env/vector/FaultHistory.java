package io.quantail.env.vector;

import io.quantail.env.EnvironmentException;
import java.util.ArrayList;
import java.util.List;

/** Faults of one slot of a vector: counts since the run began, and those not yet reported. */
final class FaultHistory {
  private final long[] counts = new long[EnvironmentException.Kind.values().length];
  private final List<EnvironmentFault> unreported = new ArrayList<>();

  void add(EnvironmentFault fault) {
    counts[fault.kind().ordinal()]++;
    unreported.add(fault);
  }

  /** Number of faults, each of which is followed by a restart. */
  long total() {
    long total = 0;
    for (long count : counts) {
      total += count;
    }
    return total;
  }

  long count(EnvironmentException.Kind kind) {
    return counts[kind.ordinal()];
  }

  void restore(EnvironmentException.Kind kind, long count) {
    counts[kind.ordinal()] = count;
  }

  void drainInto(List<EnvironmentFault> faults) {
    faults.addAll(unreported);
    unreported.clear();
  }
}
