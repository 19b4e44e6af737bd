package io.quantail.testing.vectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.market.performance.PerformanceVectors;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Checks the vectors of markets: the repository's own, and those of {@code quantail.vectors}. */
@Requirement("MET-1")
class MarketVectorTest {
  private static final VectorRegistry REGISTRY =
      new VectorRegistry(List.of(new PerformanceVectors()));

  @TestFactory
  Stream<DynamicTest> shouldAgreeWithVectors() throws IOException {
    Path root = Path.of(System.getProperty("quantail.root"));
    List<DynamicTest> tests = testsOf(root.resolve("core/src/test/resources/vectors"));
    assertThat(tests).hasSizeGreaterThanOrEqualTo(5);
    String folder = System.getProperty("quantail.vectors");
    if (folder != null && !folder.isBlank()) {
      tests.addAll(testsOf(root.resolve(folder)));
    }
    return tests.stream();
  }

  private static List<DynamicTest> testsOf(Path folder) throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path file : VectorFiles.in(folder)) {
      for (JsonNode vector : VectorFiles.read(file)) {
        String name = vector.path("name").asText();
        REGISTRY
            .find(name)
            .filter(check -> !VectorCase.isAboutOriginal(name))
            .ifPresent(check -> tests.add(test(name, check, vector)));
      }
    }
    return tests;
  }

  private static DynamicTest test(String name, VectorCheck check, JsonNode vector) {
    return dynamicTest(
        name,
        () -> {
          VectorCase vectorCase = new VectorCase(vector);
          check.check(vectorCase);
          vectorCase.requireComplete();
        });
  }
}
