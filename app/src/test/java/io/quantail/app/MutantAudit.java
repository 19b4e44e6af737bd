package io.quantail.app;

import io.quantail.audit.Audit;
import io.quantail.audit.AuditSubject;
import io.quantail.audit.Finding;
import io.quantail.config.ConfigLoader;
import io.quantail.config.RunConfig;
import io.quantail.env.Environments;
import java.util.List;
import java.util.Optional;

/** An audit that speaks in texts, so that it can be asked from another class loader. */
public final class MutantAudit {
  private MutantAudit() {}

  /** One line a check: verdict, name, what was measured. */
  public static String[] run(String[] settings, String[] checks) {
    RunConfig config = ConfigLoader.parse("", "mutant", List.of(settings));
    List<String> chosen = List.of(checks);
    try (AuditSubject subject =
        new AuditSubject(config, Environments.of(config), Optional.empty())) {
      return Audit.run(
              subject, check -> chosen.isEmpty() || chosen.contains(check.name()), check -> {})
          .stream()
          .map(MutantAudit::line)
          .toArray(String[]::new);
    }
  }

  private static String line(Finding finding) {
    return "%s %s: %s %s"
        .formatted(finding.verdict(), finding.check(), finding.measured(), finding.detail());
  }
}
