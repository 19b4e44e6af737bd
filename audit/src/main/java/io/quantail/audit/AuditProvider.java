package io.quantail.audit;

import java.util.List;

/**
 * Provides checks for environments or settings of a module outside the learner.
 *
 * <p>List the implementing class in {@code META-INF/services/io.quantail.audit.AuditProvider}.
 */
public interface AuditProvider {
  /**
   * Lists the checks that apply to a subject.
   *
   * @param subject the audited configuration
   * @return the checks; empty if the subject does not use the module
   */
  List<AuditCheck> checks(AuditSubject subject);
}
