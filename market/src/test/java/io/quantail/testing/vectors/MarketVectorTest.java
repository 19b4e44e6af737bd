package io.quantail.testing.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.market.performance.PerformanceVectors;
import io.quantail.testing.Requirement;
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
  Stream<DynamicTest> shouldAgreeWithVectors() {
    List<DynamicTest> tests =
        VectorTests.of(REGISTRY, name -> REGISTRY.find(name).isPresent()).toList();
    assertThat(tests).hasSizeGreaterThanOrEqualTo(5);
    return tests.stream();
  }
}
