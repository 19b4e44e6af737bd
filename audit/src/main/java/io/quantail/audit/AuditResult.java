package io.quantail.audit;

import io.quantail.audit.AuditOutcome.Status;
import java.util.List;
import java.util.Locale;

/**
 * The result of an audit. Text, page and JSON are renderings of this record.
 *
 * @param checks all checks that ran, with their outcomes
 * @param failed number of failed checks
 */
public record AuditResult(List<AuditFinding> checks, long failed) {
  /**
   * Counts the failed checks.
   *
   * @param findings of all checks that ran
   * @return the result
   */
  public static AuditResult of(List<AuditFinding> findings) {
    return new AuditResult(
        List.copyOf(findings), findings.stream().filter(AuditFinding::failed).count());
  }

  /**
   * Selects findings.
   *
   * @param status of the checks
   * @return the findings with that status, in order
   */
  public List<AuditFinding> with(Status status) {
    return checks.stream().filter(finding -> finding.verdict() == status).toList();
  }

  /**
   * {@return the numbers of passed, failed and skipped checks as a sentence without a full stop}
   */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%d passed, %d failed, %d skipped because the settings do not use them",
        with(Status.PASS).size(),
        failed,
        with(Status.SKIPPED).size());
  }
}
