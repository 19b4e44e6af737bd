package io.quantail.app;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quantail.audit.Finding;
import io.quantail.audit.Verdict;
import java.util.List;

/**
 * Result of an audit; {@code audit --json} prints {@code checks} and {@code failed}.
 *
 * @param name of the configuration or run
 * @param checks findings in the order of the checks
 */
record AuditResult(@JsonIgnore String name, List<Finding> checks) {

  /** Number of failed checks. */
  @JsonProperty
  long failed() {
    return count(Verdict.FAIL);
  }

  private long count(Verdict verdict) {
    return checks.stream().filter(finding -> finding.verdict() == verdict).count();
  }

  /** One sentence with the number of checks by outcome. */
  String summary() {
    return "%d passed, %d failed, %d skipped because the settings do not use them"
        .formatted(count(Verdict.PASS), failed(), count(Verdict.SKIPPED));
  }
}
