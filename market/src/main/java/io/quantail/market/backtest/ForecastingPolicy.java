package io.quantail.market.backtest;

import io.quantail.config.RiskConfig;
import io.quantail.critic.Critic;
import io.quantail.critic.ReturnScale;
import io.quantail.nn.Forward;
import io.quantail.rollout.Agent;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Decides as {@link AgentPolicy} does, and writes down what the critics said on the way.
 *
 * <p>Long passes are thinned: at most {@value #MOST} decisions are kept, at even distances, so that
 * memory does not grow with the data.
 */
public final class ForecastingPolicy implements TradingPolicy {
  private static final int MOST = 20_000;

  private final Agent agent;
  private final AgentPolicy policy;
  private final ReturnScale scale;
  private final RiskConfig risk;
  private final List<Pass> passes = new ArrayList<>();

  /**
   * @param scale turns what the critics say into returns
   * @param risk how the lower tail is measured
   */
  public ForecastingPolicy(Agent agent, ReturnScale scale, RiskConfig risk) {
    this.agent = agent;
    this.policy = new AgentPolicy(agent);
    this.scale = scale;
    this.risk = risk;
  }

  /** What was kept of one pass: the outputs of all critics, one array a decision. */
  private static final class Pass {
    private final List<float[]> outputs = new ArrayList<>();
    private int decisions;
    private int stride = 1;

    void add(Forward forward) {
      if (decisions++ % stride != 0) {
        return;
      }
      outputs.add(Tensor.cat(forward.critics(), 1).floats());
      if (outputs.size() > MOST) {
        for (int i = 1; i < outputs.size(); i++) {
          outputs.remove(i);
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
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      Forward forward = policy.forward(observation);
      passes.get(passes.size() - 1).add(forward);
      return policy.action(forward);
    }
  }

  /** One for each pass so far. */
  public List<Forecast> forecasts() {
    return passes.stream().map(this::forecast).toList();
  }

  private Forecast forecast(Pass pass) {
    int[] steps = new int[pass.outputs.size()];
    Arrays.setAll(steps, i -> i * pass.stride);
    if (steps.length == 0) {
      double[] none = {};
      double[][] quantiles = new double[Forecast.LEVELS.size()][0];
      return new Forecast(steps, none, quantiles, none, risk.alpha());
    }
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      Critic critic = agent.critic();
      List<Tensor> heads = heads(pass.outputs, critic.outputs());
      double[][] quantiles =
          Forecast.LEVELS.stream()
              .map(level -> raw(heads, outputs -> critic.quantile(outputs, level)))
              .toArray(double[][]::new);
      return new Forecast(
          steps,
          raw(heads, critic::mean),
          quantiles,
          raw(heads, outputs -> critic.cvar(outputs, risk.alpha(), risk.method())),
          risk.alpha());
    }
  }

  /** The outputs of each critic, [decision, output]. */
  private static List<Tensor> heads(List<float[]> rows, int width) {
    int critics = rows.get(0).length / width;
    List<Tensor> heads = new ArrayList<>();
    for (int critic = 0; critic < critics; critic++) {
      float[] values = new float[rows.size() * width];
      for (int row = 0; row < rows.size(); row++) {
        System.arraycopy(rows.get(row), critic * width, values, row * width, width);
      }
      heads.add(Tensor.of(values, rows.size(), width));
    }
    return heads;
  }

  /** The mean over critics, as everywhere a distribution is reported. */
  private double[] raw(List<Tensor> heads, UnaryOperator<Tensor> statistic) {
    double[] each =
        Tensor.stack(heads.stream().map(statistic).toList(), 0).mean(0).doubles(); // [decision]
    return Arrays.stream(each).map(scale::denormalize).toArray();
  }
}
