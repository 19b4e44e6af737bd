package io.quantail.env.vector;

import io.quantail.env.FaultKind;
import java.util.ArrayList;
import java.util.List;

/** The failures in one place of a vector: counts since the run began, and those not yet told. */
final class FaultLog {
  private final long[] counts = new long[FaultKind.values().length];
  private final List<EnvironmentFault> untold = new ArrayList<>();

  void add(EnvironmentFault fault) {
    counts[fault.kind().ordinal()]++;
    untold.add(fault);
  }

  /** All failures, each followed by a restart: the number of the restart that is due. */
  long total() {
    long total = 0;
    for (long count : counts) {
      total += count;
    }
    return total;
  }

  long count(FaultKind kind) {
    return counts[kind.ordinal()];
  }

  void restore(FaultKind kind, long count) {
    counts[kind.ordinal()] = count;
  }

  void drainInto(List<EnvironmentFault> faults) {
    faults.addAll(untold);
    untold.clear();
  }
}
