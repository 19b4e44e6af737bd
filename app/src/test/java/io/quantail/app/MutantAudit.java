package io.quantail.app;

import io.quantail.audit.Audit;
import io.quantail.audit.AuditFinding;
import io.quantail.audit.AuditSubject;
import io.quantail.config.RunConfig;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.run.health.AlertSummary;
import io.quantail.run.health.HealthMonitor;
import io.quantail.run.health.HealthRules;
import io.quantail.run.settings.YamlConfig;
import io.quantail.train.Trainer;
import java.util.List;
import java.util.Optional;

/** Runs audits and trainings; results are texts, so that other class loaders can read them. */
public final class MutantAudit {
  private MutantAudit() {}

  /** One line for each check: status, name, measurement. */
  public static String[] run(String[] settings, String[] checks) {
    RunConfig config = YamlConfig.parse("", "mutant", List.of(settings));
    List<String> chosen = List.of(checks);
    try (AuditSubject subject =
        new AuditSubject(config, EnvironmentRegistry.of(config), Optional.empty())) {
      return Audit.run(
              subject, check -> chosen.isEmpty() || chosen.contains(check.name()), check -> {})
          .checks()
          .stream()
          .map(MutantAudit::line)
          .toArray(String[]::new);
    }
  }

  /** One line for each check: its name, then the production classes that it exercises. */
  public static String[] exercised(String[] settings) {
    RunConfig config = YamlConfig.parse("", "mutant", List.of(settings));
    try (AuditSubject subject =
        new AuditSubject(config, EnvironmentRegistry.of(config), Optional.empty())) {
      return Audit.checks(subject).stream()
          .map(check -> check.name() + " " + String.join(" ", check.exercises()))
          .toArray(String[]::new);
    }
  }

  /** Exit code, standard output and standard error of the command. */
  public static String[] command(String[] arguments) {
    Invocation ended = Invocation.of(arguments);
    return new String[] {String.valueOf(ended.code()), ended.out(), ended.err()};
  }

  /** Names of the built-in rules that raise an alert while so many updates are trained. */
  public static String[] alerts(String[] settings, int updates) {
    RunConfig config = YamlConfig.parse("", "mutant", List.of(settings));
    HealthMonitor health = new HealthMonitor(HealthRules.builtIn());
    try (Trainer trainer = new Trainer(config, EnvironmentRegistry.of(config))) {
      for (int update = 0; update < updates; update++) {
        health.inspect(trainer.iterate());
      }
    }
    return health.alerts().stream().map(AlertSummary::rule).toArray(String[]::new);
  }

  private static String line(AuditFinding finding) {
    return "%s %s: %s %s"
        .formatted(finding.verdict(), finding.check(), finding.measured(), finding.detail());
  }
}
