package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every seeded fault is found by an audit, and a program without faults passes. */
@Requirement("AUDIT-1")
class MutationTest {
  private static final Path ROOT = Path.of(System.getProperty("quantail.root"));
  private static final List<String> TABLE = new ArrayList<>();

  @TempDir Path directory;

  static Stream<Mutant> mutants() {
    return Mutants.ALL.stream();
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void shouldCatchEverySeededFault(Mutant mutant) throws Exception {
    try (MutantLoader loader = MutantLoader.of(mutant, ROOT, directory)) {
      List<String> failed = failed(loader.audit(mutant.subject(), List.of(mutant.caughtBy())));
      TABLE.add("| %s | %s |".formatted(mutant, mutant.caughtBy()));
      assertThat(failed).as("checks that failed").hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(MutantSubject.class)
  void shouldPassWithoutAFault(MutantSubject subject) throws Exception {
    List<String> used =
        mutants()
            .filter(mutant -> mutant.subject() == subject)
            .map(Mutant::caughtBy)
            .distinct()
            .toList();
    try (MutantLoader loader = MutantLoader.healthy()) {
      assertThat(loader.audit(subject, used))
          .hasSameSizeAs(used)
          .allMatch(line -> line.startsWith("PASS "));
    }
  }

  /** Which checks notice which fault, all of them. */
  @ParameterizedTest
  @MethodSource("mutants")
  @Tag("soak")
  void shouldCatchItInAFullAudit(Mutant mutant) throws Exception {
    try (MutantLoader loader = MutantLoader.of(mutant, ROOT, directory)) {
      List<String> failed = failed(loader.audit(mutant.subject(), List.of()));
      TABLE.add("| %s | %s |".formatted(mutant, String.join(", ", failed)));
      assertThat(failed).contains(mutant.caughtBy());
    }
  }

  private static List<String> failed(String[] lines) {
    return Arrays.stream(lines)
        .filter(line -> line.startsWith("FAIL "))
        .map(line -> line.substring("FAIL ".length(), line.indexOf(':')))
        .toList();
  }

  @AfterAll
  static void print() {
    System.out.println("| seeded fault | caught by |\n|---|---|");
    TABLE.forEach(System.out::println);
  }
}
