package io.quantail.testing;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reports which rows of {@code docs/internals/requirements.md} the last test run proved.
 *
 * <p>A row is proven when at least one test carries its ID and every test that carries it passed.
 * The last module of the build runs this during {@code verify}; {@code RequirementReportTest} pins
 * the rules.
 *
 * @param proven number of proven rows
 * @param total number of rows
 * @param provenIds IDs of the proven rows, in the order of the document
 * @param missing IDs of all other rows, in the order of the document
 */
public record RequirementReport(
    int proven, int total, List<String> provenIds, List<String> missing) {
  /** Tests with this tag are skipped where no browser is installed. */
  private static final String BROWSER_TAG = "browser";

  public RequirementReport {
    provenIds = List.copyOf(provenIds);
    missing = List.copyOf(missing);
  }

  /**
   * Prints {@code requirements: N of M proven} and writes {@code target/requirements.json}; fails
   * when a row of the document and the tests it names do not fit ({@link ProofCheck}).
   *
   * @param arguments the root directory of the build, then the profiles with which it runs
   * @throws IOException when a file cannot be read or written
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length == 0) {
      throw new IllegalArgumentException(
          "expected the root directory of the build and its profiles, got nothing");
    }
    Path root = Path.of(arguments[0]);
    Set<String> profiles = Set.of(Arrays.copyOfRange(arguments, 1, arguments.length));
    BuildDescription build = BuildDescription.read(root.resolve("pom.xml"));
    List<RequirementRow> rows = RequirementRow.readAll(documentIn(root));
    TestResults results = TestResults.read(root, build, profiles);
    RequirementReport report = of(idsOf(rows), results.outcomes());
    report.writeTo(root.resolve("target"));
    System.out.println(report.summary());
    Set<String> excludedTags = new TreeSet<>(build.excludedTags());
    excludedTags.add(BROWSER_TAG);
    refuseProblems(rows, new ProofCheck(results, excludedTags, profiles));
  }

  /** Evaluates the rows by the outcomes of tests; an outcome with an unknown ID is an error. */
  static RequirementReport of(Set<String> ids, List<TestOutcome> outcomes) {
    Set<String> passed = new TreeSet<>();
    Set<String> failed = new TreeSet<>();
    for (TestOutcome outcome : outcomes) {
      refuseUnknown(ids, outcome);
      (outcome.passed() ? passed : failed).addAll(outcome.requirements());
    }
    List<String> proven =
        ids.stream().filter(id -> passed.contains(id) && !failed.contains(id)).toList();
    List<String> missing = ids.stream().filter(id -> !proven.contains(id)).toList();
    return new RequirementReport(proven.size(), ids.size(), proven, missing);
  }

  private static Path documentIn(Path root) {
    return root.resolve("docs/internals/requirements.md");
  }

  private static Set<String> idsOf(List<RequirementRow> rows) {
    return rows.stream()
        .map(RequirementRow::id)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static void refuseProblems(List<RequirementRow> rows, ProofCheck check) {
    List<String> unjudged = check.unjudged(rows);
    if (!unjudged.isEmpty()) {
      System.out.println(
          "requirements: not checked, because tests they name did not run: " + unjudged);
    }
    List<String> problems = check.problems(rows);
    if (!problems.isEmpty()) {
      throw new IllegalStateException(
          "docs/internals/requirements.md and the tests do not fit:\n  "
              + String.join("\n  ", problems));
    }
  }

  String summary() {
    return "requirements: " + proven + " of " + total + " proven";
  }

  private void writeTo(Path directory) throws IOException {
    Files.createDirectories(directory);
    new ObjectMapper()
        .writerWithDefaultPrettyPrinter()
        .writeValue(directory.resolve("requirements.json").toFile(), this);
  }

  private static void refuseUnknown(Set<String> ids, TestOutcome outcome) {
    for (String id : outcome.requirements()) {
      if (!ids.contains(id)) {
        throw new IllegalStateException(
            outcome.test()
                + " carries requirement "
                + id
                + ", which docs/internals/requirements.md does not have; correct the ID or add the row");
      }
    }
  }
}
