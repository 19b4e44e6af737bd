package io.quantail.market.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.value.CategoricalCritic;
import io.quantail.value.QuantileCritic;
import io.quantail.value.ReturnScale;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What two critics predict together, by hand. */
@Requirement("TWIN-1")
class ReturnPredictionTest {
  private static final ReturnScale SCALE = new ReturnScale(10, 2);
  private static final RiskConfig RISK =
      SmallRuns.of(RunConfig.defaults(), "risk.alpha=0.25").risk();
  private static final List<Double> LEVELS = List.of(0.25, 0.5, 0.75);

  /**
   * Quantiles 0 and 4 with mean head 3, quantiles 1 and 5 with mean head 2. The second mean is the
   * lower one, so its distribution counts, moved by 2 - 3 = -1: quartiles 0 and 4. Below the lower
   * one lies an exponential tail with a mean of 4 / ln 3 below it.
   */
  @Test
  void shouldBeTheWholeDistributionOfTheCriticWithTheLowerMean() {
    float[] outputs = {0, 4, 3, 1, 5, 2};
    ReturnPrediction forecast =
        ReturnPrediction.of(new QuantileCritic(2, 0, true), outputs, SCALE, RISK, LEVELS);
    assertThat(forecast.mean()).isEqualTo(14);
    assertThat(forecast.quantiles()).containsExactly(new double[] {10, 14, 18}, within(1e-9));
    assertThat(forecast.cvar()).isCloseTo(10 - 2 * 4 / Math.log(3), within(0.01));
  }

  /** Atoms -1, 0 and 1, of which the first critic predicts the highest, the second the lowest. */
  @Test
  void shouldBeTheCategoricalCriticWithTheLowerMean() {
    float[] outputs = {0, 0, 50, 50, 0, 0};
    ReturnPrediction forecast =
        ReturnPrediction.of(new CategoricalCritic(3, 1), outputs, SCALE, RISK, LEVELS);
    assertThat(forecast.mean()).isCloseTo(8, within(1e-9));
    assertThat(forecast.cvar()).isCloseTo(8, within(1e-9));
  }
}
