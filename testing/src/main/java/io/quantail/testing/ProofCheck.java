package io.quantail.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks that the tests named in {@code docs/internals/requirements.md} prove their rows.
 *
 * <p>Every row must name at least one test class; every named class must exist and carry the row's
 * ID on the class or on a method; and one of the named classes must carry it on a method that the
 * default build runs, so that a row is never left to tests that take minutes or need a browser. A
 * row that only a profile proves names the profile. Without that profile its classes only have to
 * exist; with it, one of them must have passed. {@code ProofCheckTest} pins the rules.
 *
 * @param results results of the tests of this build
 * @param excludedTags tags of tests that a default build may leave out
 * @param activeProfiles profiles of this build
 */
record ProofCheck(TestResults results, Set<String> excludedTags, Set<String> activeProfiles) {
  /** Rows without a result because tests that they name did not run. */
  List<String> unjudged(List<RequirementRow> rows) {
    return rows.stream()
        .filter(
            row ->
                row.profile().isEmpty()
                    && row.tests().stream().anyMatch(results.unread()::containsKey))
        .map(RequirementRow::id)
        .toList();
  }

  /** One line for each defect, in the order of the rows. */
  List<String> problems(List<RequirementRow> rows) {
    return rows.stream().flatMap(row -> problemsOf(row).stream()).toList();
  }

  private List<String> problemsOf(RequirementRow row) {
    if (row.tests().isEmpty()) {
      return List.of(
          row.id()
              + " names no test; write the class that proves it into the last column"
              + carriers(row.id()));
    }
    List<String> problems = new ArrayList<>();
    row.tests().forEach(test -> nameProblem(row, test).ifPresent(problems::add));
    if (problems.isEmpty() && row.tests().stream().noneMatch(results.unread()::containsKey)) {
      defaultBuildProblem(row).ifPresent(problems::add);
    }
    if (problems.isEmpty()) {
      profileRunProblem(row).ifPresent(problems::add);
    }
    return problems;
  }

  private Optional<String> nameProblem(RequirementRow row, String test) {
    if (results.declarations().stream().anyMatch(declared -> carries(declared, test, row.id()))) {
      return Optional.empty();
    }
    if (results.unread().containsKey(test)) {
      return profileProblem(row, test, results.unread().get(test));
    }
    boolean known =
        results.declarations().stream().anyMatch(declared -> declared.className().equals(test));
    String defect =
        known
            ? ", which does not carry @Requirement(\"" + row.id() + "\")"
            : ", but there is no such test class, or it carries no requirement";
    return Optional.of(row.id() + " names " + test + defect + carriers(row.id()));
  }

  private static Optional<String> profileProblem(
      RequirementRow row, String test, Optional<String> profile) {
    if (profile.isEmpty() || profile.equals(row.profile())) {
      return Optional.empty();
    }
    return Optional.of(
        "%s names %s, which only -P%s builds; write (with `-P%s`) into the last column"
            .formatted(row.id(), test, profile.get(), profile.get()));
  }

  private Optional<String> defaultBuildProblem(RequirementRow row) {
    boolean runsByDefault =
        results.declarations().stream()
            .filter(declared -> isNamed(row, declared.className()))
            .filter(declared -> declared.requirements().contains(row.id()))
            .anyMatch(declared -> declared.tags().stream().noneMatch(excludedTags::contains));
    if (!runsByDefault) {
      return Optional.of(
          "%s names %s, but all their methods with this ID have one of the tags %s, so that a default"
                  .formatted(row.id(), row.tests(), new TreeSet<>(excludedTags))
              + " build may prove nothing; name or add a test without such a tag");
    }
    return Optional.empty();
  }

  private Optional<String> profileRunProblem(RequirementRow row) {
    boolean mustHaveRun = row.profile().filter(activeProfiles::contains).isPresent();
    if (mustHaveRun && results.outcomes().stream().noneMatch(outcome -> passed(row, outcome))) {
      return Optional.of(
          "%s is proven with -P%s, but none of %s passed in this build"
              .formatted(row.id(), row.profile().get(), row.tests()));
    }
    return Optional.empty();
  }

  private static boolean passed(RequirementRow row, TestOutcome outcome) {
    return outcome.passed()
        && outcome.requirements().contains(row.id())
        && isNamed(row, TestDeclaration.classNameOf(outcome.test()));
  }

  private static boolean isNamed(RequirementRow row, String className) {
    return row.tests().contains(className);
  }

  private static boolean carries(TestDeclaration declared, String test, String id) {
    return declared.className().equals(test) && declared.requirements().contains(id);
  }

  /** The classes that a row could name. */
  private String carriers(String id) {
    Set<String> names = new TreeSet<>();
    results.declarations().stream()
        .filter(declared -> declared.requirements().contains(id))
        .forEach(declared -> names.add(declared.className()));
    return names.isEmpty() ? "; no test carries this ID" : "; tests with this ID: " + names;
  }
}
