package io.quantail.testing;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Says which rows of {@code docs/requirements.md} the last test run proved.
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
  private static final Pattern ROW = Pattern.compile("^\\|\\s*([A-Z]+-\\d+)\\s*\\|");

  public RequirementReport {
    provenIds = List.copyOf(provenIds);
    missing = List.copyOf(missing);
  }

  /**
   * Prints {@code requirements: N of M proven} and writes {@code target/requirements.json}.
   *
   * @param arguments the root directory of the build
   * @throws IOException when a file cannot be read or written
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      throw new IllegalArgumentException(
          "expected one argument, the root directory of the build, got " + arguments.length);
    }
    Path root = Path.of(arguments[0]);
    RequirementReport report = of(idsIn(root), outcomesBelow(root));
    report.writeTo(root.resolve("target"));
    System.out.println(report.summary());
  }

  /** Judges the rows by the outcomes; an outcome with an unknown ID is an error. */
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

  /** The IDs of the document, in its order. */
  static Set<String> idsIn(Path root) throws IOException {
    Path document = root.resolve("docs").resolve("requirements.md");
    Set<String> ids = new LinkedHashSet<>();
    for (String line : Files.readAllLines(document)) {
      Matcher row = ROW.matcher(line);
      if (row.find() && !ids.add(row.group(1))) {
        throw new IllegalStateException(document + " has two rows with the ID " + row.group(1));
      }
    }
    return ids;
  }

  /** What the test runs of all modules left behind. */
  static List<TestOutcome> outcomesBelow(Path root) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    List<TestOutcome> outcomes = new ArrayList<>();
    for (Path module : modulesOf(root)) {
      Path file = module.resolve("target").resolve(RequirementListener.FILE_NAME);
      if (Files.exists(file)) {
        outcomes.addAll(mapper.readValue(file.toFile(), new TypeReference<List<TestOutcome>>() {}));
      }
    }
    return outcomes;
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

  private static List<Path> modulesOf(Path root) throws IOException {
    try (Stream<Path> children = Files.list(root)) {
      return children.filter(child -> Files.exists(child.resolve("pom.xml"))).sorted().toList();
    }
  }

  private static void refuseUnknown(Set<String> ids, TestOutcome outcome) {
    for (String id : outcome.requirements()) {
      if (!ids.contains(id)) {
        throw new IllegalStateException(
            outcome.test()
                + " carries requirement "
                + id
                + ", which docs/requirements.md does not have; correct the ID or add the row");
      }
    }
  }
}
