package io.quantail.study.population;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.vectors.VectorRegistry;
import io.quantail.testing.vectors.VectorTests;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Checks every vector of populations. */
class PopulationVectorTest {
  @TestFactory
  Stream<DynamicTest> shouldAgreeWithVectors() {
    VectorRegistry registry = new VectorRegistry(List.of(new PopulationVectors()));
    List<DynamicTest> tests = VectorTests.of(registry, name -> name.startsWith("pbt_")).toList();
    assertThat(tests).hasSizeGreaterThanOrEqualTo(8);
    return tests.stream();
  }
}
