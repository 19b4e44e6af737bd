package io.quantail.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One row of {@code docs/internals/requirements.md}: {@code | ID | requirement | proven by |}.
 *
 * @param id the ID, for example {@code GAE-2}
 * @param tests simple names of the test classes in the last column, in its order
 * @param profile the Maven profile that the last column names ({@code with `-Pcluster`}); empty for
 *     a row that every build proves
 */
record RequirementRow(String id, List<String> tests, Optional<String> profile) {
  private static final Pattern ID = Pattern.compile("^\\|\\s*([A-Z]+-\\d+)\\s*\\|");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final String PROFILE = "-P";

  RequirementRow {
    tests = List.copyOf(tests);
  }

  /** The rows of all tables of the document, in its order. */
  static List<RequirementRow> readAll(Path document) throws IOException {
    List<RequirementRow> rows = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (String line : Files.readAllLines(document)) {
      Matcher matcher = ID.matcher(line);
      if (matcher.find()) {
        RequirementRow row = of(matcher.group(1), line);
        if (!ids.add(row.id())) {
          throw new IllegalStateException(document + " has two rows with the ID " + row.id());
        }
        rows.add(row);
      }
    }
    return rows;
  }

  private static RequirementRow of(String id, String line) {
    String[] cells = line.split("\\|");
    List<String> code =
        cells.length < 4
            ? List.of()
            : CODE.matcher(cells[cells.length - 1]).results().map(RequirementRow::first).toList();
    List<String> tests = code.stream().filter(name -> !name.startsWith(PROFILE)).toList();
    Optional<String> profile =
        code.stream()
            .filter(name -> name.startsWith(PROFILE))
            .map(name -> name.substring(PROFILE.length()))
            .findFirst();
    return new RequirementRow(id, tests, profile);
  }

  private static String first(MatchResult result) {
    return result.group(1);
  }
}
