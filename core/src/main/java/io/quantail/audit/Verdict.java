package io.quantail.audit;

/** What a check came to. */
public enum Verdict {
  /** What was measured is within its bound. */
  PASS,
  /** It is not, or the check could not be carried through. */
  FAIL,
  /** The configuration does not use what the check is about. */
  SKIPPED,
  /** Nothing to judge, but worth knowing. */
  INFO
}
