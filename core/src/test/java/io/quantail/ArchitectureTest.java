package io.quantail;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.quantail.train.Trainer;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The layers of the module: a package depends only on those before it in the list. */
class ArchitectureTest {
  private static final List<String> LAYERS =
      List.of(
          "io",
          "run.io",
          "config",
          "state",
          "random",
          "metrics",
          "task",
          "parallel",
          "kernel",
          "env",
          "nn",
          "critic",
          "rollout",
          "optim",
          "robust",
          "ppo",
          "health",
          "checkpoint",
          "train",
          "run",
          "population",
          "audit");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .importUrl(Trainer.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void shouldKnowEveryPackage() {
    Set<String> found =
        CLASSES.stream()
            .filter(type -> type.getPackageName().startsWith("io.quantail."))
            .map(ArchitectureTest::layer)
            .collect(Collectors.toSet());
    assertThat(found).containsExactlyInAnyOrderElementsOf(LAYERS);
  }

  /** The layer of a class: its package below the root, or a layer inside that. */
  private static String layer(JavaClass type) {
    String name = type.getPackageName().substring("io.quantail.".length());
    return name.startsWith("run.io") ? "run.io" : name.split("\\.")[0];
  }

  @Test
  void shouldOnlyDependOnLowerLayers() {
    for (int layer = 0; layer < LAYERS.size(); layer++) {
      String name = LAYERS.get(layer);
      List<String> above = LAYERS.subList(layer + 1, LAYERS.size());
      noClasses()
          .that(describe("are in " + name, type -> isIn(List.of(name), type)))
          .should()
          .dependOnClassesThat(describe("are above " + name, type -> isIn(above, type)))
          .check(CLASSES);
    }
  }

  private static boolean isIn(List<String> layers, JavaClass type) {
    return type.getPackageName().startsWith("io.quantail.") && layers.contains(layer(type));
  }

  /** The contract of an environment does not know what is built on it. */
  @Test
  void shouldNotDependOnSubpackagesOfTheEnvironmentContract() {
    noClasses()
        .that()
        .resideInAPackage("io.quantail.env")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.quantail.env.*..")
        .check(CLASSES);
  }

  /** All numbers are computed on Java arrays. */
  @Test
  void shouldNotDependOnANativeBinding() {
    noClasses().should().dependOnClassesThat().resideInAPackage("org.bytedeco..").check(CLASSES);
  }

  @Test
  void shouldKeepVectorInstructionsInTheKernels() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.quantail.kernel..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.quantail.simd..")
        .check(CLASSES);
  }

  @Test
  void shouldDrawRandomNumbersFromOwnStreamsOnly() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Random.class, ThreadLocalRandom.class, SplittableRandom.class)
        .orShould()
        .callMethod(Math.class, "random")
        .check(CLASSES);
  }

  @Test
  void shouldLeaveTheCollectorAlone() {
    noClasses()
        .should()
        .callMethod(System.class, "gc")
        .orShould()
        .callMethod(Runtime.class, "gc")
        .check(CLASSES);
  }
}
