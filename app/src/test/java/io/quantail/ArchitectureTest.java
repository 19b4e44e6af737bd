package io.quantail;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The structure of all modules: which packages exist, what each may use, and what exists only once.
 */
class ArchitectureTest {
  private static final String ROOT = "io.quantail";

  /** The package of this name is the root itself. */
  private static final String FRONT = "(front)";

  /**
   * Every package, in the order of {@code docs/internals/architecture.md}: each uses only earlier
   * ones.
   */
  private static final List<String> PACKAGES =
      """
      simd error
      io config random math parallel kernel state metrics env env.vector env.check env.tasks
      network value model rollout calibration optim risk robust loss telemetry ppo train
      evidence run.io run.settings run.snapshot run.metrics run.health run.evaluation run export
      (front)
      gymnasium
      study.task study.directory study.population study.sweep study
      audit.reference audit
      market.data market.layout market.split market.synthetic market.feature market.execution
      market.limits market.trading market market.backtest market.forecast market.performance
      market.stress market.ledger market.evaluation market.signal
      market.walkforward market.audit
      app.common app.report app.runs app.console app.dashboard app.bench app.command app
      """
          .lines()
          .flatMap(line -> Stream.of(line.strip().split(" ")))
          .toList();

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("/testing/"))
          .importPackages(ROOT);

  private static String packageOf(JavaClass type) {
    String name = type.getPackageName();
    return name.equals(ROOT) ? FRONT : name.substring(ROOT.length() + 1);
  }

  private static boolean isOurs(JavaClass type) {
    return (type.getPackageName() + ".").startsWith(ROOT + ".");
  }

  @Test
  void shouldListEveryPackage() {
    Set<String> found =
        CLASSES.stream().map(ArchitectureTest::packageOf).collect(Collectors.toSet());

    assertThat(found).containsExactlyInAnyOrderElementsOf(PACKAGES);
  }

  @Test
  void shouldUseOnlyEarlierPackages() {
    Set<String> violations = new TreeSet<>();
    for (JavaClass type : CLASSES) {
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (isOurs(target)
            && PACKAGES.indexOf(packageOf(target)) > PACKAGES.indexOf(packageOf(type))) {
          violations.add(type.getFullName() + " uses " + target.getFullName());
        }
      }
    }

    assertThat(violations).isEmpty();
  }

  @Test
  void shouldGiveEachTopLevelTypeANameOfItsOwn() {
    Map<String, Set<String>> byName = new TreeMap<>();
    CLASSES.stream()
        .filter(JavaClass::isTopLevelClass)
        .filter(type -> !type.getSimpleName().equals("package-info"))
        .forEach(
            type ->
                byName
                    .computeIfAbsent(type.getSimpleName(), name -> new TreeSet<>())
                    .add(type.getFullName()));
    byName.values().removeIf(types -> types.size() == 1);

    assertThat(byName).isEmpty();
  }

  @Test
  void shouldKeepTheLearnerFreeOfLibraries() {
    noClasses()
        .that()
        .resideInAnyPackage(learner())
        .should()
        .dependOnClassesThat()
        .resideOutsideOfPackages(ROOT + "..", "java..", "org.jspecify.annotations")
        .check(CLASSES);
  }

  private static String[] learner() {
    return PACKAGES.subList(PACKAGES.indexOf("io"), PACKAGES.indexOf("train") + 1).stream()
        .map(name -> ROOT + "." + name)
        .toArray(String[]::new);
  }

  @Test
  void shouldKeepVectorInstructionsInTheKernels() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".kernel", ROOT + ".simd")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".simd")
        .check(CLASSES);
  }

  @Test
  void shouldDrawRandomNumbersFromOwnStreamsOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".app..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Random.class, ThreadLocalRandom.class, SplittableRandom.class)
        .orShould()
        .callMethod(Math.class, "random")
        .check(CLASSES);
  }

  @Test
  void shouldLeaveTheGarbageCollectorAlone() {
    noClasses()
        .should()
        .callMethod(System.class, "gc")
        .orShould()
        .callMethod(Runtime.class, "gc")
        .check(CLASSES);
  }

  @Test
  void shouldHaveOneDigestOneAtomicMoveAndOneJsonMapper() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(ROOT + ".io.Sha256")
        .should()
        .callMethod(MessageDigest.class, "getInstance", String.class)
        .check(CLASSES);
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(ROOT + ".io.AtomicFiles")
        .and()
        .doNotHaveFullyQualifiedName(ROOT + ".run.io.DurableFiles") // tests make it fail
        .should()
        .callMethod(Files.class, "move", Path.class, Path.class, CopyOption[].class)
        .check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".run.io")
        .should()
        .callConstructor(ObjectMapper.class)
        .orShould()
        .callMethod(JsonMapper.class, "builder")
        .check(CLASSES);
  }

  @Test
  void shouldNameFilesOfARunInOnePlace() throws IOException {
    List<String> names = List.of("metrics.csv", "alerts.jsonl", "result.json", "status.json");
    assertThat(
            sources(source -> names.stream().anyMatch(name -> source.contains('"' + name + '"'))))
        .containsExactly("RunLayout.java");
  }

  /** Error Prone checks formats that are literals; the others must name their locale. */
  @Test
  void shouldFormatNothingInTheLocaleOfTheUser() throws IOException {
    Pattern formatOfAVariable = Pattern.compile("\\w\\s*\\.formatted\\(");
    assertThat(sources(source -> formatOfAVariable.matcher(source).find())).isEmpty();
  }

  /** Names of the sources of which a condition holds. */
  private static Set<String> sources(Predicate<String> condition) throws IOException {
    Set<String> found = new TreeSet<>();
    Path root = Path.of(System.getProperty("quantail.root"));
    for (String module :
        List.of("core", "run", "gymnasium", "study", "audit", "market", "app", "cluster")) {
      try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          if (condition.test(Files.readString(file))) {
            found.add(file.getFileName().toString());
          }
        }
      }
    }
    return found;
  }
}
