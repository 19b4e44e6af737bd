package io.quantail.market.forecast;

import io.quantail.market.Market;
import io.quantail.market.MarketPass;
import io.quantail.market.backtest.AgentTradingPolicy;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.split.SplitPart;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.model.ActingModel;
import io.quantail.rollout.Rollout;
import io.quantail.state.StateMap;
import io.quantail.train.TrainingObserver;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Trains the forecaster of a run: on the rows of each rollout, and when the training is complete on
 * a pass over the training bars with the agent's most likely actions, since that is how the agent
 * is evaluated. Bars without position and order are left out.
 *
 * <p>The last pass trains a copy, which the next update discards: a run that is resumed with more
 * steps has the same bits as one that had them from the start.
 */
final class ForecastTraining implements TrainingObserver {
  /** Name of its state in snapshots. */
  static final String NAME = "forecast";

  private static final String ROLLOUTS = "rollouts";
  private static final String COMPLETE = "complete";
  private static final int LAST_EPOCHS = 5; // for each epoch of a rollout

  private final Market market;
  private final NextBarForecaster forecaster;
  private final int epochs;
  private @Nullable NextBarForecaster complete;

  ForecastTraining(Market market, NextBarForecaster forecaster) {
    this.market = market;
    this.forecaster = forecaster;
    this.epochs = market.config().forecast().epochs();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> stepInfo() {
    return List.of(
        TradingEnvironment.ORDERED_WEIGHT,
        TradingEnvironment.VOLATILITY,
        TradingEnvironment.EXPOSURE,
        TradingEnvironment.TURNOVER);
  }

  @Override
  public void observe(Rollout rollout, long update) {
    complete = null;
    forecaster.learn(rows(rollout), epochs, "forecast/rollout", update);
  }

  /** The usable rows of a rollout; steps of environments that failed have no volatility. */
  static List<ForecastRow> rows(Rollout rollout) {
    double[] weights = rollout.info(TradingEnvironment.ORDERED_WEIGHT);
    double[] volatilities = rollout.info(TradingEnvironment.VOLATILITY);
    double[] exposures = rollout.info(TradingEnvironment.EXPOSURE);
    double[] turnovers = rollout.info(TradingEnvironment.TURNOVER);
    int size = rollout.shape().observationSize();
    List<ForecastRow> rows = new ArrayList<>();
    for (int i = 0; i < weights.length; i++) {
      ForecastRow row =
          new ForecastRow(
              ForecastRow.input(rollout.rawObservations(), i * size, (i + 1) * size, weights[i]),
              ForecastRow.unit(volatilities[i], weights[i]),
              rollout.rewards()[i],
              exposures[i] == 0 && turnovers[i] == 0);
      if (row.usable()) {
        rows.add(row);
      }
    }
    return rows;
  }

  @Override
  public void complete(ActingModel agent) {
    RowRecorder recorder = new RowRecorder(new AgentTradingPolicy(agent));
    for (MarketPass pass : market.passes(SplitPart.TRAIN)) {
      Backtest.run(pass, "agent", recorder);
    }
    List<ForecastRow> rows =
        recorder.passes().stream().flatMap(List::stream).filter(ForecastRow::usable).toList();
    NextBarForecaster copy = forecaster.copy();
    copy.learn(rows, LAST_EPOCHS * epochs, "forecast/pass", 0);
    complete = copy;
  }

  @Override
  public void save(StateMap state) {
    forecaster.save(state.child(ROLLOUTS));
    if (complete != null) {
      complete.save(state.child(COMPLETE));
    }
  }

  @Override
  public Runnable restoring(StateMap state) {
    Runnable rollouts = forecaster.restoring(state.child(ROLLOUTS));
    NextBarForecaster saved = isComplete(state) ? forecaster.copy() : null;
    if (saved != null) {
      saved.load(state.child(COMPLETE));
    }
    return () -> {
      rollouts.run();
      complete = saved;
    };
  }

  private static boolean isComplete(StateMap state) {
    return !state.child(COMPLETE).names().isEmpty();
  }

  /** The state of the forecaster to evaluate with: that of the last pass if there was one. */
  static StateMap newest(StateMap state) {
    return state.child(isComplete(state) ? COMPLETE : ROLLOUTS);
  }
}
