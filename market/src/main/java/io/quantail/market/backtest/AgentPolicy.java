package io.quantail.market.backtest;

import io.quantail.config.RiskConfig;
import io.quantail.critic.Critic;
import io.quantail.critic.ReturnScale;
import io.quantail.nn.Forward;
import io.quantail.nn.RecurrentState;
import io.quantail.rollout.Agent;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import java.util.function.UnaryOperator;

/** A trained agent that takes its most likely action, with its memory. */
public final class AgentPolicy implements TradingPolicy {

  /**
   * An action and what the agent expects to follow.
   *
   * @param action values of the environment's action space
   * @param outlook the distribution of returns it predicts
   */
  public record Decision(float[] action, Outlook outlook) {}

  private final Agent agent;
  private RecurrentState state;

  public AgentPolicy(Agent agent) {
    this.agent = agent;
    begin();
  }

  @Override
  public void begin() {
    state = agent.network().initialState(1);
  }

  @Override
  public float[] act(float[] observation) {
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      return action(forward(observation));
    }
  }

  /**
   * Acts and says what it expects.
   *
   * @param scale turns what the critics say into returns
   * @param risk how the lower tail is measured
   */
  public Decision decide(float[] observation, ReturnScale scale, RiskConfig risk) {
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      Forward forward = forward(observation);
      return new Decision(action(forward), outlook(forward, scale, risk));
    }
  }

  /** Moves the memory on; inside a scope of the caller. */
  Forward forward(float[] observation) {
    float[][] row = {agent.normalize(observation, 0, 1)};
    Forward forward = agent.network().step(agent.inference(), row, state);
    state = forward.next();
    return forward;
  }

  float[] action(Forward forward) {
    return agent.network().environmentActions(forward.policy().mode());
  }

  private Outlook outlook(Forward forward, ReturnScale scale, RiskConfig risk) {
    Critic critic = agent.critic();
    double[] quantiles =
        Outlook.LEVELS.stream()
            .mapToDouble(level -> raw(forward, scale, outputs -> critic.quantile(outputs, level)))
            .toArray();
    return new Outlook(
        raw(forward, scale, critic::mean),
        quantiles,
        raw(forward, scale, outputs -> critic.cvar(outputs, risk.alpha(), risk.method())),
        risk.alpha());
  }

  /** The mean over critics, as everywhere a distribution is reported. */
  private static double raw(Forward forward, ReturnScale scale, UnaryOperator<Tensor> statistic) {
    Tensor each = Tensor.stack(forward.critics().stream().map(statistic).toList(), 0);
    return scale.denormalize(each.mean().item());
  }
}
