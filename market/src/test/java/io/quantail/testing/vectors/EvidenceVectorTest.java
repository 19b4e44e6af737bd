package io.quantail.testing.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.evidence.EvidenceVectors;
import io.quantail.market.backtest.BaselineVectors;
import io.quantail.market.feature.FeatureVectors;
import io.quantail.market.forecast.ForecastVectors;
import io.quantail.market.stress.StressVectors;
import io.quantail.market.trading.RiskUnitVectors;
import io.quantail.testing.Requirement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Checks every vector of evidence: the repository's own, and those of {@code quantail.vectors}. */
@Requirement("EVID-1")
class EvidenceVectorTest {
  private static final VectorRegistry REGISTRY =
      new VectorRegistry(
          List.of(
              new EvidenceVectors(),
              new ForecastVectors(),
              new FeatureVectors(),
              new RiskUnitVectors(),
              new BaselineVectors(),
              new StressVectors()));

  @TestFactory
  Stream<DynamicTest> shouldAgreeWithVectors() {
    List<DynamicTest> tests = VectorTests.ofEvidence(REGISTRY).toList();
    assertThat(tests).hasSizeGreaterThanOrEqualTo(53);
    return tests.stream();
  }
}
