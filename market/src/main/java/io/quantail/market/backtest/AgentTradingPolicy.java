package io.quantail.market.backtest;

import io.quantail.config.RiskConfig;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.model.ActingModel;
import io.quantail.model.PolicyRunner;
import io.quantail.network.NetworkPass;
import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A trained agent as a trading policy: takes its most likely action and carries its recurrent
 * state; optionally records the returns that its critics predict.
 *
 * <p>Recordings of long passes are thinned: at most {@value #MOST} decisions are kept, at even
 * distances, so that memory does not grow with the data.
 */
public final class AgentTradingPolicy implements TradingPolicy {
  private static final int MOST = 20_000;

  /**
   * An action with the predicted return.
   *
   * @param action values of the environment's action space
   * @param outlook the distribution of returns that the critics predict
   */
  public record Decision(float[] action, ReturnPrediction outlook) {}

  private final ActingModel agent;
  private final Critic critic;
  private final PolicyRunner runner;
  private final @Nullable ReturnScale scale;
  private final @Nullable RiskConfig risk;
  private final List<Recording> recordings = new ArrayList<>();

  private AgentTradingPolicy(
      ActingModel agent, @Nullable ReturnScale scale, @Nullable RiskConfig risk) {
    this.agent = agent;
    this.critic = agent.critic();
    this.runner = new PolicyRunner(agent, 1);
    this.scale = scale;
    this.risk = risk;
  }

  /** A policy that records no forecasts. */
  public AgentTradingPolicy(ActingModel agent) {
    this(agent, null, null);
  }

  /**
   * A policy that records a forecast of every pass.
   *
   * @param scale converts the critics' predictions to returns
   * @param risk how the lower tail is measured
   */
  public static AgentTradingPolicy forecasting(
      ActingModel agent, ReturnScale scale, RiskConfig risk) {
    return new AgentTradingPolicy(agent, scale, risk);
  }

  @Override
  public void begin() {
    runner.startAll();
    if (scale != null) {
      recordings.add(new Recording());
    }
  }

  @Override
  public double weight(TradingEnvironment account, float[] observation) {
    return account.weight(act(observation));
  }

  /** The most likely action for an observation. */
  public float[] act(float[] observation) {
    NetworkPass pass = runner.step(observation);
    if (!recordings.isEmpty()) {
      Recording recording = recordings.get(recordings.size() - 1);
      if (recording.advance()) {
        int offset = critic.lower(pass.values()[0]);
        recording.add(Arrays.copyOfRange(pass.values()[0], offset, offset + critic.outputs()));
      }
    }
    return action(pass);
  }

  /**
   * Acts and predicts. The prediction is not recorded.
   *
   * @param scale converts the critics' predictions to returns
   * @param risk how the lower tail is measured
   */
  public Decision decide(float[] observation, ReturnScale scale, RiskConfig risk) {
    NetworkPass pass = runner.step(observation);
    return new Decision(
        action(pass),
        ReturnPrediction.of(critic, pass.values()[0], scale, risk, ReturnPrediction.LEVELS));
  }

  private float[] action(NetworkPass pass) {
    return agent.network().environmentActions(runner.rawActions(pass, null, 0));
  }

  /** The forecasts of all passes so far, in order. */
  public List<ForecastSeries> forecasts() {
    return recordings.stream()
        .map(
            recording ->
                new ForecastSeries(
                    recording.stride,
                    recording.outputs.toArray(float[][]::new),
                    critic,
                    Objects.requireNonNull(scale),
                    Objects.requireNonNull(risk)))
        .toList();
  }

  /** The predictions of one pass. */
  private static final class Recording {
    private final List<float[]> outputs = new ArrayList<>();
    private int decisions;
    private int stride = 1;

    /** Counts a decision and returns whether its prediction is kept. */
    boolean advance() {
      return decisions++ % stride == 0;
    }

    void add(float[] predicted) {
      outputs.add(predicted);
      if (outputs.size() > MOST) {
        for (int i = 1; i < outputs.size(); i++) {
          outputs.remove(i);
        }
        stride *= 2;
      }
    }
  }
}
