package io.quantail.market.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.market.SampleBars;
import io.quantail.market.data.Bars;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

/** The golden values of six bars. */
@Requirement("FEAT-1")
class VolatilityEstimatorsTest {
  private final Bars bars = SampleBars.golden();

  @Test
  void shouldMatchYangZhang() {
    assertThat(VolatilityEstimators.yangZhang(bars, 6)[5]).isCloseTo(0.0196952952, within(1e-10));
    double[] three = VolatilityEstimators.yangZhang(bars, 3);
    double[] expected = {0.021873, 0.021481, 0.023735, 0.018274};
    for (int i = 0; i < expected.length; i++) {
      assertThat(three[i + 2]).isCloseTo(expected[i], within(5e-7));
    }
    assertThat(three[1]).isNaN();
  }

  @Test
  void shouldMatchParkinson() {
    assertThat(VolatilityEstimators.parkinson(bars, 6)[5]).isCloseTo(0.0198349448, within(1e-10));
    assertThat(VolatilityEstimators.parkinson(bars, 6)[4]).isNaN();
  }

  @Test
  void shouldMatchTheExponentialAverage() {
    assertThat(VolatilityEstimators.ewma(bars)[5]).isCloseTo(0.0165492178, within(1e-10));
    assertThat(VolatilityEstimators.ewma(bars)[4]).isNaN();
  }

  @Test
  void shouldMatchTakerFlow() {
    for (int t = 0; t < 6; t++) {
      double volume = 100 + 10 * t;
      double taker = 50 + 7 * t;
      double flow = VolumeFeatures.flow(bars, Feature.parse("flow(1)"))[t];
      assertThat((flow + 1) / 2).isCloseTo(taker / volume, within(1e-12));
    }
    assertThat((VolumeFeatures.flow(bars, Feature.parse("flow(1)"))[5] + 1) / 2)
        .isCloseTo(0.566667, within(1e-6));
    double[] golden = {12, 24, 36, 48};
    for (int i = 0; i < golden.length; i++) {
      assertThat(VolumeFeatures.signedVolume(bars, i + 2, 3)).isCloseTo(golden[i], within(1e-9));
    }
  }
}
