package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every seeded fault fails its check, and the program without faults passes. */
@Requirement("AUDIT-1")
class MutationTest {
  private static final Path ROOT = Path.of(System.getProperty("quantail.root"));

  /** Whether loops with vector instructions run; {@code -Dquantail.simd=false} disables them. */
  private static final boolean VECTORS =
      ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
          && !System.getProperty("quantail.simd", "").equals("false");

  private static final List<String> TABLE = Collections.synchronizedList(new ArrayList<>());

  /** Findings for each fault by the check that must fail; several run at the same time. */
  private static final Map<Mutant, Future<String[]>> FINDINGS = new ConcurrentHashMap<>();

  private static ExecutorService workers;

  @TempDir static Path shared;
  @TempDir Path directory;

  static Stream<Mutant> mutants() {
    return Mutants.ALL.stream();
  }

  /** Whether this JVM runs the loop that contains the fault. */
  private static boolean shows(Mutant mutant) {
    return VECTORS || mutant.loops() != Mutant.Loops.VECTOR;
  }

  @BeforeAll
  static void begin() {
    workers = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
  }

  private static Future<String[]> findings(Mutant mutant) throws IOException {
    if (FINDINGS.isEmpty()) {
      List<Mutant> shown = mutants().filter(MutationTest::shows).toList();
      MutantLoader.compileAll(shown, ROOT, shared)
          .forEach((one, own) -> FINDINGS.put(one, workers.submit(() -> audit(one, own))));
    }
    return FINDINGS.get(mutant);
  }

  private static String[] audit(Mutant mutant, Path own) throws Exception {
    boolean vectors = VECTORS && mutant.loops() != Mutant.Loops.PLAIN;
    try (MutantLoader loader = MutantLoader.of(mutant, vectors, ROOT, own)) {
      return loader.audit(mutant.subject(), List.of(mutant.caughtBy()));
    }
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void shouldCatchEverySeededFault(Mutant mutant) throws Exception {
    assumeTrue(shows(mutant), "this JVM was started without vector instructions");
    try {
      String[] findings = findings(mutant).get();
      TABLE.add(row(mutant, mutant.caughtBy()));
      assertThat(failed(findings)).as(String.join("; ", findings)).hasSize(1);
    } catch (ExecutionException failure) {
      throw new AssertionError(failure.getCause());
    }
  }

  static Stream<MutantSubject> subjects() {
    return Arrays.stream(MutantSubject.values());
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void shouldPassWithoutAFault(MutantSubject subject) throws Exception {
    shouldPass(subject, VECTORS);
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void shouldPassWithoutAFaultAndWithoutVectors(MutantSubject subject) throws Exception {
    shouldPass(subject, false);
  }

  private void shouldPass(MutantSubject subject, boolean vectors) throws Exception {
    List<String> used =
        mutants()
            .filter(mutant -> mutant.subject() == subject)
            .map(Mutant::caughtBy)
            .distinct()
            .toList();
    try (MutantLoader loader = MutantLoader.healthy(vectors, ROOT, directory)) {
      assertThat(loader.audit(subject, used))
          .hasSameSizeAs(used)
          .allMatch(line -> line.startsWith("PASS "));
    }
  }

  /** Eleven faults that must always be among the seeded ones. */
  @Test
  void shouldSeedTheFaultsThatMatterMost() {
    assertThat(mutants().map(Mutant::name))
        .hasSizeGreaterThanOrEqualTo(80)
        .contains(
            "surrogate is never clipped",
            "entropy is penalised",
            "the mean of quantiles omits the last one",
            "Adam lacks the correction of its first moment",
            "truncation is bootstrapped with the state before its last observation",
            "value heads are not rescaled with the return scale",
            "vector loop: the quantile loss has the opposite asymmetry",
            "vector loop: the gradient of the cell is not propagated through time",
            "vector loop: the forget gate has the wrong slope",
            "the log-ratio has no bound",
            "CVaR of the best outcomes, in the gradient");
  }

  /** Every class of the learner with arithmetic has a seeded fault. */
  @Test
  void shouldSeedAFaultIntoEveryClassThatComputes() throws IOException {
    Set<String> seeded = mutants().map(Mutant::type).collect(Collectors.toSet());
    Set<String> missing = new TreeSet<>();
    Set<String> known = new TreeSet<>();
    for (String name : Mutants.PACKAGES) {
      String module = name.equals("simd") ? "simd" : "core";
      Path sources = ROOT.resolve(module + "/src/main/java/io/quantail").resolve(name);
      try (Stream<Path> files = Files.list(sources)) {
        files
            .map(file -> name + "/" + file.getFileName().toString().replace(".java", ""))
            .filter(type -> !type.endsWith("package-info"))
            .forEach(known::add);
      }
    }
    known.stream()
        .filter(type -> !seeded.contains(type) && !Mutants.NONE_IN.containsKey(type))
        .forEach(missing::add);
    assertThat(missing).as("classes without a seeded fault and without a reason").isEmpty();
    assertThat(known).as("classes with a reason").containsAll(Mutants.NONE_IN.keySet());
    assertThat(Mutants.NONE_IN.keySet()).doesNotContainAnyElementsOf(seeded);
  }

  /** A check names the classes of the faults that it detects. */
  @Test
  void shouldNameTheClassesThatAreExercised() throws Exception {
    Map<String, Set<String>> named = new TreeMap<>();
    try (MutantLoader loader = MutantLoader.healthy(VECTORS, ROOT, directory)) {
      for (String line : loader.exercised(MutantSubject.MARKET)) {
        String[] parts = line.split(" ");
        named.put(parts[0], Set.copyOf(Arrays.asList(parts).subList(1, parts.length)));
      }
    }
    assertThat(named).allSatisfy((check, classes) -> assertThat(classes).as(check).isNotEmpty());
    assertThat(
            mutants()
                .filter(mutant -> !named.get(mutant.caughtBy()).contains(mutant.simpleName()))
                .map(mutant -> mutant.caughtBy() + " lacks " + mutant.simpleName())
                .distinct())
        .isEmpty();
    Set<String> seeded = mutants().map(Mutant::simpleName).collect(Collectors.toSet());
    Set<String> without =
        Mutants.NONE_IN.keySet().stream()
            .map(type -> type.substring(type.indexOf('/') + 1))
            .filter(name -> !seeded.contains(name))
            .collect(Collectors.toSet());
    assertThat(named)
        .allSatisfy(
            (check, classes) ->
                assertThat(classes).as(check + " names").doesNotContainAnyElementsOf(without));
  }

  @Test
  void shouldListEveryFaultInTheDocumentation() throws IOException {
    List<String> documented = Files.readAllLines(ROOT.resolve("docs/internals/audit.md"));
    assertThat(documented).containsAll(mutants().map(one -> row(one, one.caughtBy())).toList());
  }

  /** Runs all checks on every fault, with vector instructions and without. */
  @ParameterizedTest
  @MethodSource("mutants")
  @Tag("soak")
  void shouldCatchItInAFullAudit(Mutant mutant) throws Exception {
    assumeTrue(shows(mutant), "this JVM was started without vector instructions");
    for (boolean vectors : new boolean[] {true, false}) {
      boolean possible =
          vectors
              ? VECTORS && mutant.loops() != Mutant.Loops.PLAIN
              : mutant.loops() != Mutant.Loops.VECTOR;
      if (possible) {
        Path own = Files.createDirectories(directory.resolve("vectors-" + vectors));
        try (MutantLoader loader = MutantLoader.of(mutant, vectors, ROOT, own)) {
          List<String> failed = failed(loader.audit(mutant.subject(), List.of()));
          TABLE.add(row(mutant, String.join(", ", failed)));
          assertThat(failed).contains(mutant.caughtBy());
        }
      }
    }
  }

  private static String row(Mutant mutant, String checks) {
    return "| %s | `%s` | %s | `%s` |"
        .formatted(
            mutant, mutant.simpleName(), mutant.subject().name().toLowerCase(Locale.ROOT), checks);
  }

  private static List<String> failed(String[] lines) {
    return Arrays.stream(lines)
        .filter(line -> line.startsWith("FAIL "))
        .map(line -> line.substring("FAIL ".length(), line.indexOf(':')))
        .toList();
  }

  @AfterAll
  static void end() {
    workers.shutdownNow();
    System.out.println("| seeded fault | class | configuration | caught by |\n|---|---|---|---|");
    TABLE.forEach(System.out::println);
  }
}
