package io.quantail.population;

/**
 * Whether enough members have a score to be compared.
 *
 * <p>Pinned by {@code pbt_ready_check_sequence}.
 *
 * @param members size of the population
 * @param share of members that must be ready
 * @param minimum members without whom nothing is ever compared
 * @param patience failed checks in a row after which the minimum is enough
 */
record Quorum(int members, double share, int minimum, int patience) {

  /** What a check says. */
  enum Verdict {
    /** Enough are ready. */
    GO,
    /** Not enough, but waiting longer does not help. */
    FALLBACK,
    /** Not enough yet. */
    WAIT
  }

  /**
   * @param verdict what it says
   * @param failed failed checks in a row, this one included
   */
  record Check(Verdict verdict, int failed) {}

  /** Checks, given how many checks in a row have failed before. */
  Check check(int ready, int failedBefore) {
    if (ready >= Math.ceil(members * share)) {
      return new Check(Verdict.GO, 0);
    }
    int failed = failedBefore + 1;
    return failed >= patience && ready >= minimum
        ? new Check(Verdict.FALLBACK, 0)
        : new Check(Verdict.WAIT, failed);
  }
}
