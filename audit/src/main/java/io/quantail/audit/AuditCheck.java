package io.quantail.audit;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * One row of the audit's checklist: a comparison of production code with a reference.
 *
 * @param topic group of the checklist
 * @param name short and unique
 * @param requirements IDs of {@code docs/internals/requirements.md}
 * @param compares what is compared with what
 * @param exercises simple names of the production classes whose results are compared
 * @param procedure carries the check out
 */
public record AuditCheck(
    String topic,
    String name,
    List<String> requirements,
    String compares,
    List<String> exercises,
    Procedure procedure) {
  /**
   * Copies the lists.
   *
   * @param topic group of the checklist
   * @param name short and unique
   * @param requirements IDs of {@code docs/internals/requirements.md}
   * @param compares what is compared with what
   * @param exercises simple names of the production classes whose results are compared
   * @param procedure carries the check out
   */
  public AuditCheck {
    requirements = List.copyOf(requirements);
    exercises = List.copyOf(exercises);
  }

  /** How a check is carried out. An exception counts as a failure of the check. */
  @FunctionalInterface
  public interface Procedure {
    /**
     * Carries the check out.
     *
     * @param subject the audited configuration
     * @return the outcome
     * @throws Exception if the check fails with an exception
     */
    AuditOutcome run(AuditSubject subject) throws Exception;
  }

  /** The deviation of production code from a reference. */
  @FunctionalInterface
  public interface Measurement {
    /**
     * Measures the deviation.
     *
     * @param subject the audited configuration
     * @return the deviation
     * @throws Exception if the check fails with an exception
     */
    Deviation of(AuditSubject subject) throws Exception;
  }

  /**
   * Assigns checks to a topic.
   *
   * @param topic group of the checklist
   * @param checks of any topic
   * @return the same checks in that topic
   */
  public static List<AuditCheck> topic(String topic, AuditCheck... checks) {
    return Arrays.stream(checks)
        .map(
            one ->
                new AuditCheck(
                    topic, one.name, one.requirements, one.compares, one.exercises, one.procedure))
        .toList();
  }

  /**
   * Starts a row with a procedure that decides by itself.
   *
   * @param name short and unique
   * @param requirements IDs separated by spaces
   * @param procedure carries the check out
   * @return the row
   */
  public static AuditCheck check(String name, String requirements, Procedure procedure) {
    return new AuditCheck("", name, List.of(requirements.split(" ")), "", List.of(), procedure);
  }

  /**
   * Starts a row that passes if a deviation is at most a bound.
   *
   * @param name short and unique
   * @param requirements IDs separated by spaces
   * @param bound largest allowed deviation
   * @param measurement measures the deviation
   * @return the row
   */
  public static AuditCheck check(
      String name, String requirements, double bound, Measurement measurement) {
    return check(name, requirements, subject -> measurement.of(subject).within(bound));
  }

  /**
   * Adds what is compared with what.
   *
   * @param text for the report
   * @return the completed row
   */
  public AuditCheck compares(String text) {
    return new AuditCheck(topic, name, requirements, text, exercises, procedure);
  }

  /**
   * Adds the exercised production classes.
   *
   * @param classes simple names separated by spaces
   * @return the completed row
   */
  public AuditCheck exercises(String classes) {
    List<String> all = List.of(classes.split(" "));
    return new AuditCheck(topic, name, requirements, compares, all, procedure);
  }

  /**
   * Adds the meaning of a failure.
   *
   * @param meaning for the report
   * @return the completed row
   */
  public AuditCheck failureMeans(String meaning) {
    return with(subject -> procedure.run(subject).explained(meaning));
  }

  /**
   * Skips the check for subjects to which it does not apply.
   *
   * @param excluded selects these subjects
   * @param reason why the check is skipped, for the report
   * @return the completed row
   */
  public AuditCheck unless(Predicate<AuditSubject> excluded, String reason) {
    return with(
        subject -> excluded.test(subject) ? AuditOutcome.skipped(reason) : procedure.run(subject));
  }

  private AuditCheck with(Procedure other) {
    return new AuditCheck(topic, name, requirements, compares, exercises, other);
  }
}
