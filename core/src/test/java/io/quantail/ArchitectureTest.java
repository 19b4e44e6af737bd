package io.quantail;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
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
          "config",
          "run.settings",
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
          "run.evaluation",
          "run",
          "optim",
          "robust",
          "ppo",
          "health",
          "checkpoint",
          "train",
          "population",
          "audit");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .importUrl(Trainer.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void shouldKnowEveryPackage() {
    Set<String> found =
        CLASSES.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> name.startsWith("io.quantail."))
            .map(ArchitectureTest::layer)
            .collect(Collectors.toSet());
    assertThat(found).containsExactlyInAnyOrderElementsOf(LAYERS);
  }

  @Test
  void shouldOnlyDependOnLowerLayers() {
    for (int layer = 0; layer < LAYERS.size(); layer++) {
      String[] above =
          LAYERS.stream().skip(layer + 1L).map(ArchitectureTest::pattern).toArray(String[]::new);
      if (above.length > 0) {
        noClasses()
            .that()
            .resideInAPackage(pattern(LAYERS.get(layer)))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(above)
            .check(CLASSES);
      }
    }
  }

  /** Packages below {@code run} are layers of their own. */
  private static String layer(String packageName) {
    String[] names = packageName.split("\\.");
    return names[2].equals("run") && names.length > 3 ? "run." + names[3] : names[2];
  }

  private static String pattern(String layer) {
    return "io.quantail." + layer + (layer.equals("run") ? "" : "..");
  }

  @Test
  void shouldHaveNoCycles() {
    slices().matching("io.quantail.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  /** Settings are plain records; trees and YAML are in {@code run.settings}. */
  @Test
  void shouldKeepTreesOutOfTheSettings() {
    noClasses()
        .that()
        .resideInAPackage("io.quantail.config..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("com.fasterxml..", "org.yaml..")
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
