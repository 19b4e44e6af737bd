package io.quantail.audit;

import java.util.List;

/**
 * A check with its outcome; {@code quantail audit --json} prints these fields.
 *
 * @param topic group of the checklist
 * @param check name of the check
 * @param requirements IDs of {@code docs/internals/requirements.md}
 * @param compares what was compared with what
 * @param exercises production classes whose results were compared
 * @param verdict status of the check
 * @param measured what was measured
 * @param bound what is allowed
 * @param detail what a failure means, why the check was skipped, or further measurements
 */
public record AuditFinding(
    String topic,
    String check,
    List<String> requirements,
    String compares,
    List<String> exercises,
    AuditOutcome.Status verdict,
    String measured,
    String bound,
    String detail) {

  static AuditFinding of(AuditCheck check, AuditOutcome outcome) {
    return new AuditFinding(
        check.topic(),
        check.name(),
        check.requirements(),
        check.compares(),
        check.exercises(),
        outcome.status(),
        outcome.measured(),
        outcome.bound(),
        outcome.detail());
  }

  /** {@return whether the check failed} */
  public boolean failed() {
    return verdict == AuditOutcome.Status.FAIL;
  }
}
