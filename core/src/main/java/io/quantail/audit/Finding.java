package io.quantail.audit;

import java.util.List;

/**
 * A check and what it found.
 *
 * @param topic what the check belongs to
 * @param check its name
 * @param requirements IDs of {@code docs/requirements.md}
 * @param compares what was held against what
 * @param exercises production classes whose results were judged
 * @param measured what was measured
 * @param bound what would have been allowed
 * @param detail what it means, or why it was skipped
 */
public record Finding(
    String topic,
    String check,
    List<String> requirements,
    String compares,
    List<String> exercises,
    Verdict verdict,
    String measured,
    String bound,
    String detail) {

  static Finding of(AuditCheck check, Outcome outcome) {
    return new Finding(
        check.topic(),
        check.name(),
        check.requirements(),
        check.compares(),
        check.exercises(),
        outcome.verdict(),
        outcome.measured(),
        outcome.bound(),
        outcome.detail());
  }

  public boolean failed() {
    return verdict == Verdict.FAIL;
  }
}
