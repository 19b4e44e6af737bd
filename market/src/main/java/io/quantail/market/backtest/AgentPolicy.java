package io.quantail.market.backtest;

import io.quantail.nn.Forward;
import io.quantail.nn.RecurrentState;
import io.quantail.rollout.Agent;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;

/** A trained agent that takes its most likely action, with its memory. */
public final class AgentPolicy implements TradingPolicy {
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
      float[][] row = {agent.normalize(observation, 0, 1)};
      Forward forward = agent.network().step(agent.inference(), row, state);
      state = forward.next();
      return agent.network().environmentActions(forward.policy().mode());
    }
  }
}
