package io.quantail.market.synthetic;

import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsBuilder;
import io.quantail.math.StudentT;
import io.quantail.random.RandomStream;
import java.util.List;
import java.util.Locale;

/**
 * Generates bars from a {@link MarketModel}; deterministic for a given seed.
 *
 * <p>A bar opens at the previous close, so that a position earns the return of the model. Highs and
 * lows exceed open and close by a fraction of the volatility. The volume is constant and so large
 * that the market impact of orders is negligible.
 */
public final class SyntheticMarketGenerator {
  /** Column with the state of the model that the next return depends on, known at the close. */
  public static final String STATE = "x_state";

  /**
   * Column with the log-return of the <em>next</em> bar: deliberate look-ahead, to test that an
   * agent learns to use a perfect predictor.
   */
  public static final String ORACLE = "x_oracle";

  private static final double FIRST_PRICE = 100;
  private static final double VOLUME = 1e9;
  private static final long START = 1_577_836_800_000L; // 2020-01-01T00:00:00Z

  private SyntheticMarketGenerator() {}

  /**
   * Generates bars.
   *
   * @param size number of bars, at least 2
   * @param barMillis duration of a bar in milliseconds
   * @param oracle whether the bars have the column {@link #ORACLE}
   */
  public static Bars generate(
      MarketModel model, int size, long barMillis, long seed, boolean oracle) {
    Path path = new Path(model, RandomStream.of(seed, "market", 0));
    RandomStream shape = RandomStream.of(seed, "market-shape", 0);
    List<String> columns = oracle ? List.of(STATE, ORACLE) : List.of(STATE);
    BarsBuilder bars = new BarsBuilder(name(model), barMillis, List.of(), columns, size);
    double close = FIRST_PRICE;
    for (int t = 0; t < size; t++) {
      double open = close;
      close = open * Math.exp(path.nextReturn);
      double reach = Math.abs(path.volatility() * shape.nextGaussian()) / 4;
      double high = Math.max(open, close) * Math.exp(reach);
      double low = Math.min(open, close) * Math.exp(-reach);
      double[] row = oracle ? new double[7] : new double[6];
      row[0] = open;
      row[1] = high;
      row[2] = low;
      row[3] = close;
      row[4] = VOLUME;
      path.advance();
      row[5] = path.state;
      if (oracle) {
        row[6] = path.nextReturn;
      }
      bars.add(START + (t + 1) * barMillis, row);
    }
    return bars.build();
  }

  private static String name(MarketModel model) {
    return model.getClass().getSimpleName().toUpperCase(Locale.ROOT);
  }

  /** The sequence of states and returns of a model. */
  private static final class Path {
    private final MarketModel model;
    private final RandomStream random;
    private double state;
    private double nextState;
    private double nextReturn;

    Path(MarketModel model, RandomStream random) {
      this.model = model;
      this.random = random;
      this.nextState = first(model);
      this.state = nextState;
      draw();
    }

    private static double first(MarketModel model) {
      if (model instanceof MarketModel.Garch garch) {
        return Math.sqrt(garch.meanVariance());
      }
      return model instanceof MarketModel.RegimeSwitch ? 1 : 0;
    }

    /** Moves to the next state and draws the return that follows it. */
    void advance() {
      state = nextState;
      draw();
    }

    double volatility() {
      if (model instanceof MarketModel.Trend trend) {
        return trend.volatility();
      } else if (model instanceof MarketModel.Noise noise) {
        return noise.volatility();
      } else if (model instanceof MarketModel.MeanReversion reversion) {
        return reversion.volatility();
      } else if (model instanceof MarketModel.RegimeSwitch regime) {
        return regime.volatility();
      } else if (model instanceof MarketModel.Garch) {
        return state;
      }
      return ((MarketModel.Jumps) model).volatility();
    }

    private void draw() {
      if (model instanceof MarketModel.Garch garch) {
        nextReturn = state * new StudentT(garch.nu()).sample(random);
        double variance =
            garch.omega() + garch.alpha() * nextReturn * nextReturn + garch.beta() * state * state;
        nextState = Math.sqrt(variance);
        return;
      }
      double shock = volatility() * random.nextGaussian();
      if (model instanceof MarketModel.Trend trend) {
        nextReturn = trend.drift() + shock;
      } else if (model instanceof MarketModel.Noise noise) {
        nextReturn = shock - noise.volatility() * noise.volatility() / 2;
      } else if (model instanceof MarketModel.MeanReversion reversion) {
        nextState = reversion.persistence() * state + shock;
        nextReturn = nextState - state;
      } else if (model instanceof MarketModel.RegimeSwitch regime) {
        nextReturn = state * regime.drift() + shock;
        nextState = random.nextDouble() < regime.switching() ? -state : state;
      } else {
        MarketModel.Jumps jumps = (MarketModel.Jumps) model;
        boolean jumped = random.nextDouble() < jumps.intensity();
        double jump = jumps.jump() * random.nextGaussian();
        nextReturn = jumps.drift() + shock + (jumped ? jump : 0);
      }
    }
  }
}
