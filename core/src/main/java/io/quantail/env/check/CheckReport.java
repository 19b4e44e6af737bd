package io.quantail.env.check;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The findings of {@link EnvironmentChecker}.
 *
 * @param findings violated rules; empty if there are none
 */
public record CheckReport(List<Finding> findings) {
  /** A rule of the contract. */
  public enum Rule {
    /** The factory creates an environment. */
    CREATION,
    /** At least one observation component, an action space, both constant. */
    SPACES,
    /** Observations of the stated length, finite numbers, no exceptions. */
    CONTRACT,
    /** The same stream gives the same first observation, in a new and in a used instance. */
    RESET_DETERMINISM,
    /** The same stream and actions give the same episode, in a new and in a used instance. */
    STEP_DETERMINISM,
    /** Episodes end within the step budget, else the next rule cannot be checked. */
    EPISODE_END,
    /** The lowest and the highest action are accepted. */
    ACTION_BOUNDS,
    /** A restored instance continues exactly as the saved one. */
    SNAPSHOT
  }

  /**
   * A violated rule with an example.
   *
   * @param rule the violated rule
   * @param message what happened instead
   */
  public record Finding(Rule rule, @Nullable String message) {}

  /**
   * Copies the findings.
   *
   * @param findings violated rules
   */
  public CheckReport {
    findings = List.copyOf(findings);
  }

  /** {@return whether there are no findings} */
  public boolean passed() {
    return findings.isEmpty();
  }

  /** One line per finding. */
  @Override
  public String toString() {
    return passed()
        ? "no findings"
        : findings.stream()
            .map(finding -> finding.rule() + ": " + finding.message())
            .collect(Collectors.joining("\n"));
  }
}
