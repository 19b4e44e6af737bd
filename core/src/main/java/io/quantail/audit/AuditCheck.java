package io.quantail.audit;

import java.util.List;

/**
 * One thing that an audit looks at.
 *
 * @param topic what it belongs to
 * @param name short, different from all others
 * @param requirements IDs of {@code docs/requirements.md}
 * @param compares what is held against what
 * @param exercises simple names of the production classes whose results it judges
 * @param procedure finds out
 */
public record AuditCheck(
    String topic,
    String name,
    List<String> requirements,
    String compares,
    List<String> exercises,
    Procedure procedure) {
  public AuditCheck {
    requirements = List.copyOf(requirements);
    exercises = List.copyOf(exercises);
  }

  /** How a check is carried out; whatever it throws is a failure of the check. */
  @FunctionalInterface
  public interface Procedure {
    Outcome run(AuditSubject subject) throws Exception;
  }

  /** Requirement IDs are separated by spaces. */
  public static AuditCheck of(
      String topic, String name, String requirements, String compares, Procedure procedure) {
    return new AuditCheck(
        topic, name, List.of(requirements.split(" ")), compares, List.of(), procedure);
  }

  /** The same check with the production classes that it exercises, separated by spaces. */
  public AuditCheck exercising(String classes) {
    return new AuditCheck(
        topic, name, requirements, compares, List.of(classes.split(" ")), procedure);
  }
}
