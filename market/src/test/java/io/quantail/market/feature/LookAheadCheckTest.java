package io.quantail.market.feature;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.env.Action;
import io.quantail.env.Step;
import io.quantail.market.SampleBars;
import io.quantail.market.data.Bars;
import io.quantail.market.execution.ExecutionSettings;
import io.quantail.market.feature.LookAheadCheck.Leak;
import io.quantail.market.feature.LookAheadCheck.Seen;
import io.quantail.market.limits.TradingLimits;
import io.quantail.market.split.BarRange;
import io.quantail.market.trading.EpisodeSettings;
import io.quantail.market.trading.Instrument;
import io.quantail.market.trading.RiskUnits;
import io.quantail.market.trading.TargetWeightMap;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.market.trading.TradingRules;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Requirement("FEAT-2")
class LookAheadCheckTest {
  private static final Bars BARS = SampleBars.random(180, 7);

  static List<String> features() {
    List<String> all = new ArrayList<>(FeatureSpec.standard().written());
    all.addAll(List.of("flow(6)", "extra(x_mood)", "volatility-ratio(3,9)"));
    return all;
  }

  @ParameterizedTest
  @MethodSource("features")
  void shouldFindNoLeakInAnyFeature(String written) {
    Feature feature = Feature.parse(written);
    Seen seen =
        bars -> {
          double[] values = feature.kind().compute(bars, feature);
          double[][] rows = new double[bars.size()][];
          Arrays.setAll(rows, t -> new double[] {values[t]});
          return rows;
        };
    assertThat(LookAheadCheck.find(BARS, seen, 1, 40, 1)).isEmpty();
  }

  @Test
  void shouldFindNoLeakInObservationsAndDecisions() {
    FeatureSpec spec = FeatureSpec.standard();
    FeatureScaler scaler =
        FeatureScaler.fit(List.of(FeatureTable.of(BARS, spec)), List.of(new BarRange(0, 100)));
    Seen seen = bars -> observationsAndDecisions(bars, spec, scaler);
    assertThat(LookAheadCheck.find(BARS, seen, 100, 20, 2)).isEmpty();
  }

  /** What a policy that reacts to every number saw and decided at each bar. */
  private static double[][] observationsAndDecisions(
      Bars bars, FeatureSpec spec, FeatureScaler scaler) {
    double[][] rows = new double[bars.size()][];
    Instrument instrument = Instrument.of(bars, scaler.apply(FeatureTable.of(bars, spec)), 42);
    TradingRules rules =
        new TradingRules(
            new TargetWeightMap.Continuous(false, 1),
            new RiskUnits(0.008),
            ExecutionSettings.defaults(),
            TradingLimits.defaults(),
            EpisodeSettings.defaults());
    TradingEnvironment environment =
        TradingEnvironment.pass(instrument, rules, new BarRange(0, bars.size()));
    float[] observation = environment.reset(RandomStream.of(0, "leak", 0));
    boolean done = false;
    while (true) {
      double[] row = new double[observation.length + 2];
      float sum = 0;
      for (int i = 0; i < observation.length; i++) {
        row[i] = observation[i];
        sum += (i % 3 - 1) * observation[i];
      }
      float action = (float) Math.tanh(sum);
      row[observation.length] = action;
      row[observation.length + 1] = environment.weight(new float[] {action});
      rows[environment.bar()] = row;
      if (done) {
        return rows;
      }
      Step step = environment.step(Action.of(environment.actionSpace(), action));
      observation = step.observation();
      done = step.done();
    }
  }

  @Test
  void shouldFindEveryKindOfGlance() {
    assertThat(leaks((bars, t) -> bars.close(Math.min(t + 1, bars.size() - 1)))).isNotEmpty();
    assertThat(leaks((bars, t) -> bars.volume(Math.min(t + 3, bars.size() - 1)))).isNotEmpty();
    assertThat(leaks((bars, t) -> bars.extra("x_mood", bars.size() - 1))).isNotEmpty();
    assertThat(leaks((bars, t) -> bars.size())).isNotEmpty();
    assertThat(leaks((bars, t) -> bars.close(t))).isEmpty();
  }

  @Test
  void shouldSayWhereItLeaks() {
    Leak leak = leaks((bars, t) -> bars.size()).get(0);
    assertThat(leak.change()).isEqualTo("bars were missing");
    assertThat(leak.bar()).isZero();
    assertThat(leak).asString().startsWith("column 0 of bar 0 changed when bars were missing");
  }

  private static List<Leak> leaks(ToDoubleBiFunction<Bars, Integer> glance) {
    Seen seen =
        bars -> {
          double[][] rows = new double[bars.size()][];
          Arrays.setAll(rows, t -> new double[] {glance.applyAsDouble(bars, t)});
          return rows;
        };
    return LookAheadCheck.find(BARS, seen, 1, 20, 3);
  }
}
