package io.quantail.study.population;

/**
 * Checks whether enough members have a score to be compared.
 *
 * <p>Pinned by {@code pbt_ready_check_sequence}.
 *
 * @param members size of the population
 * @param share fraction of members that must have a score
 * @param minimum number of members that must have a score in any case
 * @param patience consecutive failed checks after which the minimum is sufficient
 */
record ScoreQuorum(int members, double share, int minimum, int patience) {

  /** Outcome of a check. */
  enum Verdict {
    /** Enough members have a score. */
    GO,
    /** Too few, but repeating failed members does not help. */
    FALLBACK,
    /** Too few yet. */
    WAIT
  }

  /**
   * Result of a check.
   *
   * @param verdict status of the quorum
   * @param failed consecutive failed checks, this one included
   */
  record Check(Verdict verdict, int failed) {}

  /** Checks the number of members with a score, after a number of consecutive failed checks. */
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
