package io.quantail.study.population;

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
    return VectorTests.of(
        new VectorRegistry(List.of(new PopulationVectors())), name -> name.startsWith("pbt_"));
  }
}
