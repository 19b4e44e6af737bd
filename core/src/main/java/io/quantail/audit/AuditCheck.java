package io.quantail.audit;

import java.util.List;

/**
 * One thing that an audit looks at.
 *
 * @param topic what it belongs to
 * @param name short, different from all others
 * @param requirements IDs of {@code docs/requirements.md}
 * @param compares what is held against what
 * @param procedure finds out
 */
public record AuditCheck(
    String topic, String name, List<String> requirements, String compares, Procedure procedure) {
  public AuditCheck {
    requirements = List.copyOf(requirements);
  }

  /** How a check is carried out; whatever it throws is a failure of the check. */
  @FunctionalInterface
  public interface Procedure {
    Outcome run(AuditSubject subject) throws Exception;
  }

  /** Requirement IDs are separated by spaces. */
  public static AuditCheck of(
      String topic, String name, String requirements, String compares, Procedure procedure) {
    return new AuditCheck(topic, name, List.of(requirements.split(" ")), compares, procedure);
  }
}
