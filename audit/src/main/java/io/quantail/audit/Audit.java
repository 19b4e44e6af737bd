package io.quantail.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Runs the checklist on a configuration or a trained agent.
 *
 * <p>A {@link io.quantail.audit.reference reference implementation} computes every formula on data
 * from the configuration's own environments, network and settings. A check that throws an exception
 * has failed; the other checks still run.
 */
public final class Audit {
  private Audit() {}

  /**
   * Lists all checks that apply to a subject.
   *
   * @param subject the audited configuration
   * @return the checks in the order in which they run
   */
  public static List<AuditCheck> checks(AuditSubject subject) {
    List<AuditCheck> checks = new ArrayList<>();
    checks.addAll(RolloutChecks.all());
    checks.addAll(ActingChecks.all());
    checks.addAll(AdvantageChecks.all());
    checks.addAll(PolicyChecks.all());
    checks.addAll(ScheduleChecks.all());
    checks.addAll(CriticChecks.all());
    checks.addAll(RiskChecks.all());
    checks.addAll(GradientChecks.all());
    checks.addAll(RobustChecks.all());
    checks.addAll(OptimizerChecks.all());
    checks.addAll(IterationChecks.all());
    checks.addAll(ReproducibilityChecks.all());
    for (AuditProvider provider : ServiceLoader.load(AuditProvider.class)) {
      checks.addAll(provider.checks(subject));
    }
    checks.addAll(SettingsChecks.all());
    return List.copyOf(checks);
  }

  /**
   * Runs checks one after the other.
   *
   * @param subject the audited configuration
   * @param chosen selects the checks
   * @param before called with each check before it runs
   * @return the findings of the chosen checks
   */
  public static AuditResult run(
      AuditSubject subject, Predicate<AuditCheck> chosen, Consumer<AuditCheck> before) {
    List<AuditFinding> findings = new ArrayList<>();
    for (AuditCheck check : checks(subject)) {
      if (chosen.test(check)) {
        before.accept(check);
        findings.add(AuditFinding.of(check, outcome(check, subject)));
      }
    }
    return AuditResult.of(findings);
  }

  private static AuditOutcome outcome(AuditCheck check, AuditSubject subject) {
    try {
      return check.procedure().run(subject);
    } catch (OutOfMemoryError fatal) {
      throw fatal;
    } catch (Exception | LinkageError | AssertionError | StackOverflowError failure) {
      return AuditOutcome.thrown(failure);
    }
  }
}
