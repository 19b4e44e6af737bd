package io.quantail.env.check;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The findings of {@link EnvironmentChecker}.
 *
 * @param findings violated rules and warnings; empty if there are none
 */
public record CheckReport(List<Finding> findings) {
  /** A rule of the contract, or something that is often a mistake. */
  public enum Rule {
    /** The factory creates an environment. */
    CREATION,
    /** At least one number to observe, an action space, both constant. */
    SPACES,
    /** Observations of the stated length, finite numbers, no exceptions. */
    CONTRACT,
    /** Asking for the allowed choices changes nothing; a choice remains in each part. */
    MASKS,
    /** The same stream gives the same first observation, in a new and in a used instance. */
    RESET_DETERMINISM,
    /** The same stream and actions give the same episode, in a new and in a used instance. */
    STEP_DETERMINISM,
    /** The lowest and the highest action are accepted. */
    ACTION_BOUNDS,
    /** A restored instance continues exactly as the saved one. */
    SNAPSHOT,
    /** A warning: no episode ended within the step budget. */
    EPISODE_END,
    /** A warning: every episode was terminated after the same number of steps. */
    TIME_LIMIT;

    /** {@return whether findings of this rule are warnings, which do not violate the contract} */
    public boolean warning() {
      return this == EPISODE_END || this == TIME_LIMIT;
    }
  }

  /**
   * A violated rule with an example, or a warning.
   *
   * @param rule the rule
   * @param message what happened instead, and what to do
   */
  public record Finding(Rule rule, String message) {
    /** One line. */
    @Override
    public String toString() {
      return (rule.warning() ? "warning " : "") + rule + ": " + message;
    }
  }

  /**
   * Copies the findings.
   *
   * @param findings violated rules and warnings
   */
  public CheckReport {
    findings = List.copyOf(findings);
  }

  /** {@return whether no rule is violated; there may be warnings} */
  public boolean passed() {
    return findings.stream().allMatch(finding -> finding.rule().warning());
  }

  /** One line per finding. */
  @Override
  public String toString() {
    return findings.isEmpty()
        ? "no findings"
        : findings.stream().map(Finding::toString).collect(Collectors.joining("\n"));
  }
}
