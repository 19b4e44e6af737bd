package io.quantail.market.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.market.SampleBars;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

/** ta4j's indicators and our RSI against slow loops from their definitions. */
@Requirement("FEAT-1")
class IndicatorFeaturesTest {
  private static final double[] CLOSES = SampleBars.random(200, 3).closes();
  private final IndicatorFeatures indicators = new IndicatorFeatures(CLOSES);

  @Test
  void shouldAverage() {
    double[] sma = indicators.sma(21);
    assertThat(sma[19]).isNaN();
    for (int t = 20; t < CLOSES.length; t++) {
      assertThat(sma[t]).isCloseTo(mean(t, 21), within(1e-9));
    }
  }

  @Test
  void shouldMeasurePopulationDeviation() {
    double[] deviation = indicators.deviation(20);
    for (int t = 19; t < CLOSES.length; t++) {
      double mean = mean(t, 20);
      double squares = 0;
      for (int i = t - 19; i <= t; i++) {
        squares += (CLOSES[i] - mean) * (CLOSES[i] - mean);
      }
      assertThat(deviation[t]).isCloseTo(Math.sqrt(squares / 20), within(1e-9));
    }
  }

  @Test
  void shouldConvergeAndDivergeAsDefined() {
    double[] macd = indicators.macd(12, 26);
    double[] gap = indicators.macdGap(12, 26, 9);
    double fast = CLOSES[0];
    double slow = CLOSES[0];
    double signal = 0;
    for (int t = 1; t < CLOSES.length; t++) {
      fast += 2.0 / 13 * (CLOSES[t] - fast);
      slow += 2.0 / 27 * (CLOSES[t] - slow);
      signal += 2.0 / 10 * (fast - slow - signal);
      if (t >= 25) {
        assertThat(macd[t]).isCloseTo(fast - slow, within(1e-9));
      }
      if (t >= 34) {
        assertThat(gap[t]).isCloseTo(fast - slow - signal, within(1e-9));
      }
    }
    assertThat(macd[24]).isNaN();
    assertThat(gap[33]).isNaN();
  }

  @Test
  void shouldStartWildersSmoothingWithTheMeanOfTheFirstWindow() {
    double[] rsi = indicators.rsi(14);
    assertThat(rsi[13]).isNaN();
    double gain = 0;
    double loss = 0;
    for (int t = 1; t <= 14; t++) {
      gain += Math.max(0, CLOSES[t] - CLOSES[t - 1]) / 14;
      loss += Math.max(0, CLOSES[t - 1] - CLOSES[t]) / 14;
    }
    assertThat(rsi[14]).isCloseTo(100 - 100 / (1 + gain / loss), within(1e-9));
    for (int t = 15; t < CLOSES.length; t++) {
      gain = (gain * 13 + Math.max(0, CLOSES[t] - CLOSES[t - 1])) / 14;
      loss = (loss * 13 + Math.max(0, CLOSES[t - 1] - CLOSES[t])) / 14;
      assertThat(rsi[t]).isCloseTo(100 - 100 / (1 + gain / loss), within(1e-9));
    }
  }

  @Test
  void shouldBoundRsi() {
    assertThat(new IndicatorFeatures(new double[] {1, 2, 3, 4}).rsi(2)[3]).isEqualTo(100);
    assertThat(new IndicatorFeatures(new double[] {4, 3, 2, 1}).rsi(2)[3]).isEqualTo(0);
    assertThat(new IndicatorFeatures(new double[] {4, 4, 4, 4}).rsi(2)[3]).isEqualTo(50);
  }

  private static double mean(int t, int window) {
    double sum = 0;
    for (int i = t - window + 1; i <= t; i++) {
      sum += CLOSES[i];
    }
    return sum / window;
  }
}
