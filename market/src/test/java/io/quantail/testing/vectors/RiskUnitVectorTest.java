package io.quantail.testing.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.market.backtest.BaselineVectors;
import io.quantail.market.feature.FeatureVectors;
import io.quantail.market.stress.StressVectors;
import io.quantail.market.trading.RiskUnitVectors;
import io.quantail.testing.Requirement;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Checks the vectors of features, risk units, baselines and stress paths. */
@Requirement("EVID-1")
class RiskUnitVectorTest {
  private static final String VECTORS = "market/src/test/resources/vectors";
  private static final VectorRegistry REGISTRY =
      new VectorRegistry(
          List.of(
              new FeatureVectors(),
              new RiskUnitVectors(),
              new BaselineVectors(),
              new StressVectors()));

  @TestFactory
  Stream<DynamicTest> shouldAgreeWithVectors() {
    Path root = Path.of(System.getProperty("quantail.root", ""));
    List<DynamicTest> tests =
        VectorTests.in(root.resolve(VECTORS), REGISTRY, name -> REGISTRY.find(name).isPresent());
    assertThat(tests).hasSize(5);
    return tests.stream();
  }
}
