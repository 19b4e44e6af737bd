package io.quantail.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Carries out the checklist on a configuration or a run.
 *
 * <p>Every formula is derived once more by {@link io.quantail.audit.slow plain code} on data that
 * the configuration's own environments, network and settings produced. A check that throws has
 * failed; the others go on.
 */
public final class Audit {
  private Audit() {}

  /** All checks that apply to a subject, in the order in which they are carried out. */
  public static List<AuditCheck> checks(AuditSubject subject) {
    List<AuditCheck> checks = new ArrayList<>();
    checks.addAll(RolloutChecks.all());
    checks.addAll(ActingChecks.all());
    checks.addAll(EstimateChecks.all());
    checks.addAll(PolicyChecks.all());
    checks.addAll(CriticChecks.all());
    checks.addAll(RiskChecks.all());
    checks.addAll(GradientChecks.all());
    checks.addAll(RobustChecks.all());
    checks.addAll(OptimizerChecks.all());
    checks.addAll(IterationChecks.all());
    checks.addAll(RepetitionChecks.all());
    for (AuditProvider provider : ServiceLoader.load(AuditProvider.class)) {
      checks.addAll(provider.checks(subject));
    }
    checks.addAll(SettingsChecks.all());
    return List.copyOf(checks);
  }

  /**
   * @param chosen which checks to carry out
   * @param before told of each check before it begins
   */
  public static List<Finding> run(
      AuditSubject subject, Predicate<AuditCheck> chosen, Consumer<AuditCheck> before) {
    List<Finding> findings = new ArrayList<>();
    for (AuditCheck check : checks(subject)) {
      if (chosen.test(check)) {
        before.accept(check);
        findings.add(Finding.of(check, outcome(check, subject)));
      }
    }
    return List.copyOf(findings);
  }

  private static Outcome outcome(AuditCheck check, AuditSubject subject) {
    try {
      return check.procedure().run(subject);
    } catch (OutOfMemoryError fatal) {
      throw fatal;
    } catch (Exception | LinkageError | AssertionError | StackOverflowError failure) {
      return Outcome.thrown(failure);
    }
  }
}
