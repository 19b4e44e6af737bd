package io.quantail.market;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.quantail.market.setup.Market;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The floors of the market: a package looks only at those before it in the list. */
class MarketArchitectureTest {
  private static final String ROOT = "io.quantail.market.";
  private static final List<String> FLOORS =
      List.of(
          "data",
          "split",
          "generate",
          "feature",
          "execution",
          "risk",
          "trading",
          "backtest",
          "performance",
          "setup",
          "desk",
          "evaluation",
          "walk",
          "audit");
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .importUrl(Market.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void shouldKnowEveryPackage() {
    Set<String> found =
        CLASSES.stream()
            .map(JavaClass::getPackageName)
            .map(name -> name.substring(ROOT.length()))
            .collect(Collectors.toSet());
    assertThat(found).containsExactlyInAnyOrderElementsOf(FLOORS);
  }

  @Test
  void shouldOnlyLookDown() {
    for (int floor = 0; floor < FLOORS.size() - 1; floor++) {
      String[] above =
          FLOORS.stream().skip(floor + 1L).map(name -> ROOT + name + "..").toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage(ROOT + FLOORS.get(floor) + "..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(above)
          .check(CLASSES);
    }
    slices().matching(ROOT + "(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void shouldDrawRandomNumbersFromOwnStreams() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Random.class, ThreadLocalRandom.class, SplittableRandom.class)
        .check(CLASSES);
  }
}
