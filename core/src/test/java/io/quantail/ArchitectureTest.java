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
            .map(JavaClass::getPackageName)
            .filter(name -> name.startsWith("io.quantail."))
            .map(name -> name.split("\\.")[2])
            .collect(Collectors.toSet());
    assertThat(found).containsExactlyInAnyOrderElementsOf(LAYERS);
  }

  @Test
  void shouldOnlyDependOnLowerLayers() {
    for (int layer = 0; layer < LAYERS.size(); layer++) {
      String[] above =
          LAYERS.stream()
              .skip(layer + 1L)
              .map(name -> "io.quantail." + name + "..")
              .toArray(String[]::new);
      if (above.length > 0) {
        noClasses()
            .that()
            .resideInAPackage("io.quantail." + LAYERS.get(layer) + "..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(above)
            .check(CLASSES);
      }
    }
  }

  @Test
  void shouldHaveNoCycles() {
    slices().matching("io.quantail.(*)..").should().beFreeOfCycles().check(CLASSES);
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
