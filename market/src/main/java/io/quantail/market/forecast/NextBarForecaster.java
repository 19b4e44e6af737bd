package io.quantail.market.forecast;

import io.quantail.evidence.QuantileForecast;
import io.quantail.market.Market;
import io.quantail.market.MarketConfig;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.math.StandardNormal;
import io.quantail.random.RandomStream;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Forecasts the distribution of an account's log-return in the next bar, net of costs, from the
 * observation and the ordered weight.
 *
 * <p>A network of its own gives quantiles at {@link #levels} in units of s = σ max(|w|, 0.01), see
 * {@link ForecastRow}. Its outputs start at the quantiles of the normal distribution, so an
 * untrained forecaster is RiskMetrics. There is no bootstrapping: the target is the realised return
 * of the bar. For one thread at a time. Tested by {@code NextBarForecasterTest}.
 *
 * <p>See: J.P. Morgan, "RiskMetrics Technical Document", 1996.
 */
public final class NextBarForecaster implements Restorable {
  private static final double[] LEVELS = {
    0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975, 0.99
  };
  private static final int BATCH = 512;

  private final int observationSize;
  private final int units;
  private final long seed;
  private final QuantileNetwork network;

  /** An untrained forecaster for observations of the given size. */
  NextBarForecaster(int observationSize, int units, long seed) {
    this.observationSize = observationSize;
    this.units = units;
    this.seed = seed;
    double[] biases = Arrays.stream(LEVELS).map(StandardNormal::quantile).toArray();
    network = new QuantileNetwork(observationSize + 1, units, LEVELS, biases, seed);
  }

  /** The untrained forecaster of a run; empty if {@code market.forecast.enabled} is false. */
  static Optional<NextBarForecaster> untrained(Market market, long seed) {
    MarketConfig.ForecastSettings settings = market.config().forecast();
    int observationSize = TradingEnvironment.observationSize(market.instruments().get(0));
    return settings.enabled()
        ? Optional.of(new NextBarForecaster(observationSize, settings.units(), seed))
        : Optional.empty();
  }

  /**
   * The forecaster that a run has learnt; empty if it has none.
   *
   * @param state of a snapshot, or of {@link io.quantail.train.Trainer#observed}
   */
  public static Optional<NextBarForecaster> restored(Market market, StateMap state) {
    StateMap saved = state.child(ForecastTraining.NAME);
    if (saved.names().isEmpty()) {
      return Optional.empty();
    }
    Optional<NextBarForecaster> forecaster = untrained(market, 0);
    forecaster.ifPresent(one -> one.load(ForecastTraining.newest(saved)));
    return forecaster;
  }

  /** A forecaster with the same state. */
  NextBarForecaster copy() {
    NextBarForecaster copy = new NextBarForecaster(observationSize, units, seed);
    StateMap state = new StateMap();
    save(state);
    copy.load(state);
    return copy;
  }

  /** Levels of the quantiles: probabilities of a smaller return. */
  public static double[] levels() {
    return LEVELS.clone();
  }

  /**
   * Trains on rows in random order, in batches of {@value #BATCH}.
   *
   * @param rows usable rows
   * @param purpose with {@code index} the address of the random order
   */
  void learn(List<ForecastRow> rows, int epochs, String purpose, long index) {
    RandomStream random = RandomStream.of(seed, purpose, index);
    for (int epoch = 0; epoch < epochs; epoch++) {
      int[] order = random.permutation(rows.size());
      for (int from = 0; from < order.length; from += BATCH) {
        learn(rows, Arrays.copyOfRange(order, from, Math.min(order.length, from + BATCH)));
      }
    }
  }

  private void learn(List<ForecastRow> rows, int[] batch) {
    float[][] inputs = new float[batch.length][];
    double[] targets = new double[batch.length];
    for (int i = 0; i < batch.length; i++) {
      ForecastRow row = rows.get(batch[i]);
      inputs[i] = row.input();
      targets[i] = row.target();
    }
    network.backward(inputs, targets);
    network.step();
  }

  /** The distribution of a row's return; the return itself is not read. */
  QuantileForecast forecast(ForecastRow row) {
    double[] quantiles = network.outputs(row.input());
    Arrays.setAll(quantiles, i -> quantiles[i] * row.unit());
    return new QuantileForecast(LEVELS, quantiles);
  }

  @Override
  public void save(StateMap state) {
    network.save(state);
  }

  @Override
  public Runnable restoring(StateMap state) {
    return network.restoring(state);
  }
}
