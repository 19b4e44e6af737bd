package io.quantail.market.trading;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RiskConfig;
import io.quantail.env.Action;
import io.quantail.env.Step;
import io.quantail.market.Market;
import io.quantail.market.MarketConfig;
import io.quantail.market.SampleBars;
import io.quantail.market.data.Bars;
import io.quantail.market.feature.FeatureSpec;
import io.quantail.market.split.BarRange;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Prints how many steps a second one core makes; a number to look at, not one to fail on. */
@Tag("soak")
class TradingSpeedTest {
  private static final int FEATURES = 40;
  private static final int STEPS = 4_000_000;
  private static final int ROUNDS = 5;

  @Test
  void shouldStep() {
    Bars bars = SampleBars.random(20_000, 3);
    Market market = Market.load(config(), RiskConfig.defaults(), List.of(bars));
    TradingEnvironment environment =
        TradingEnvironment.training(
            market.instruments().get(0), market.rules(), new BarRange(0, bars.size()));
    assertThat(environment.instrument().features().width()).isGreaterThanOrEqualTo(FEATURES);
    RandomStream random = RandomStream.of(1, "speed", 0);
    Action[] actions = new Action[1024];
    for (int i = 0; i < actions.length; i++) {
      actions[i] = Action.of(environment.actionSpace(), (float) random.nextDouble(-1, 1));
    }
    for (int round = 1; round <= ROUNDS; round++) {
      long start = System.nanoTime();
      run(environment, actions, random);
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          Locale.ROOT, "round %d: %.2f million steps/s%n", round, STEPS / seconds / 1e6);
    }
  }

  private static void run(TradingEnvironment environment, Action[] actions, RandomStream random) {
    environment.reset(random);
    for (int i = 0; i < STEPS; i++) {
      Step step = environment.step(actions[i & 1023]);
      if (step.done()) {
        environment.reset(random);
      }
    }
  }

  private static MarketConfig config() {
    MarketConfig base = MarketConfig.defaults();
    List<String> names = new ArrayList<>(base.features().names());
    IntStream.rangeClosed(1, FEATURES - names.size())
        .forEach(i -> names.add("return(" + (60 + i) + ")"));
    return new MarketConfig(
        base.data(),
        new MarketConfig.FeatureSettings(names, FeatureSpec.Beyond.LOG),
        base.execution(),
        base.action(),
        base.episode(),
        base.risk(),
        base.split(),
        base.walkforward(),
        base.forecast());
  }
}
