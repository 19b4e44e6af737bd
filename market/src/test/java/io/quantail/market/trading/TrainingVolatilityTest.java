package io.quantail.market.trading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.market.SampleBars;
import io.quantail.market.split.BarRange;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@Requirement("EVID-1")
class TrainingVolatilityTest {
  @Test
  void shouldPoolTheSymbolsAndReadTrainingBarsAlone() {
    List<Instrument> instruments =
        List.of(
            SampleBars.instrument(SampleBars.random(300, 1)),
            SampleBars.instrument(SampleBars.random(200, 2)));
    List<BarRange> training = List.of(new BarRange(0, 200), new BarRange(50, 150));
    TrainingVolatility fitted = TrainingVolatility.fit(instruments, training, 0.1).orElseThrow();
    List<Double> volatilities = new ArrayList<>();
    List<Double> returns = new ArrayList<>();
    for (int symbol = 0; symbol < 2; symbol++) {
      Instrument one = instruments.get(symbol);
      for (int t = Math.max(5, training.get(symbol).from()); t < training.get(symbol).to(); t++) {
        volatilities.add(one.volatility()[t]);
        if (t < training.get(symbol).to() - 1) {
          returns.add(
              Math.log(one.bars().close(t + 1) / one.bars().close(t)) / one.volatility()[t]);
        }
      }
    }
    assertThat(volatilities).hasSize(295);
    assertThat(fitted.median())
        .isEqualTo(volatilities.stream().sorted().skip(147).findFirst().orElseThrow());
    double tail = returns.stream().sorted().limit(30).mapToDouble(x -> x).average().orElseThrow();
    assertThat(fitted.tailMultiple()).isCloseTo(-tail, within(1e-12)).isPositive();

    List<Instrument> cut =
        IntStream.range(0, 2)
            .mapToObj(
                s ->
                    SampleBars.instrument(instruments.get(s).bars().slice(0, training.get(s).to())))
            .toList();
    assertThat(TrainingVolatility.fit(cut, training, 0.1)).hasValue(fitted);
  }

  @Test
  void shouldKeepTheSignAndNeverExceedTheAction() {
    RiskUnits units = new RiskUnits(0.01);
    assertThat(units.weight(0.8, 0.04)).isEqualTo(0.2);
    assertThat(units.weight(-0.8, 0.04)).isEqualTo(-0.2);
    assertThat(units.weight(0.8, 0.005)).isEqualTo(0.8);
    assertThat(units.weight(0.8, 0)).isEqualTo(0.8);
    assertThat(RiskUnits.NONE.weight(-0.3, 12)).isEqualTo(-0.3);
    assertThat(RiskUnits.NONE.weight(-0.3, Double.NaN)).as("in the first bars").isEqualTo(-0.3);
    assertThat(RiskUnits.NONE.active()).isFalse();
    assertThatThrownBy(() -> new RiskUnits(0)).hasMessageContaining("must be positive, was 0");
  }
}
