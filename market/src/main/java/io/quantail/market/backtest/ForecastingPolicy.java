package io.quantail.market.backtest;

import io.quantail.config.RiskConfig;
import io.quantail.critic.Critic;
import io.quantail.critic.ReturnScale;
import io.quantail.nn.NetworkPass;
import io.quantail.rollout.Agent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Decides as {@link AgentPolicy} does, and writes down what the critics said on the way.
 *
 * <p>Long passes are thinned: at most {@value #MOST} decisions are kept, at even distances, so that
 * memory does not grow with the data.
 */
public final class ForecastingPolicy implements TradingPolicy {
  private static final int MOST = 20_000;

  private final Critic critic;
  private final AgentPolicy policy;
  private final ReturnScale scale;
  private final RiskConfig risk;
  private final List<Pass> passes = new ArrayList<>();

  /**
   * @param scale turns what the critics say into returns
   * @param risk how the lower tail is measured
   */
  public ForecastingPolicy(Agent agent, ReturnScale scale, RiskConfig risk) {
    critic = agent.critic();
    this.policy = new AgentPolicy(agent);
    this.scale = scale;
    this.risk = risk;
  }

  /** What was kept of one pass over the bars. */
  private static final class Pass {
    private final List<Outlook> outlooks = new ArrayList<>();
    private int decisions;
    private int stride = 1;

    void add(Supplier<Outlook> outlook) {
      if (decisions++ % stride != 0) {
        return;
      }
      outlooks.add(outlook.get());
      if (outlooks.size() > MOST) {
        for (int i = 1; i < outlooks.size(); i++) {
          outlooks.remove(i);
        }
        stride *= 2;
      }
    }
  }

  @Override
  public void begin() {
    policy.begin();
    passes.add(new Pass());
  }

  @Override
  public float[] act(float[] observation) {
    NetworkPass step = policy.step(observation);
    passes
        .get(passes.size() - 1)
        .add(() -> Outlook.of(critic, step.values()[0], scale, risk, Forecast.LEVELS));
    return policy.action(step);
  }

  /** One for each pass so far. */
  public List<Forecast> forecasts() {
    return passes.stream().map(this::forecast).toList();
  }

  private Forecast forecast(Pass pass) {
    int rows = pass.outlooks.size();
    int[] steps = new int[rows];
    double[] means = new double[rows];
    double[][] quantiles = new double[Forecast.LEVELS.size()][rows];
    double[] cvars = new double[rows];
    for (int row = 0; row < rows; row++) {
      Outlook outlook = pass.outlooks.get(row);
      steps[row] = row * pass.stride;
      means[row] = outlook.mean();
      cvars[row] = outlook.cvar();
      for (int level = 0; level < quantiles.length; level++) {
        quantiles[level][row] = outlook.quantiles()[level];
      }
    }
    return new Forecast(steps, means, quantiles, cvars, risk.alpha());
  }
}
