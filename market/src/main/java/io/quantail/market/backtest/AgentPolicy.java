package io.quantail.market.backtest;

import io.quantail.nn.Forward;
import io.quantail.nn.RecurrentState;
import io.quantail.rollout.Agent;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;

/**
 * A trained agent that takes its most likely action, with its memory.
 *
 * <p>The agent stays its owner's; closing the policy frees the memory alone.
 */
public final class AgentPolicy implements TradingPolicy {
  private static final boolean[] START = {true};
  private static final boolean[] RUNNING = {false};

  private final Agent agent;
  private RecurrentState state;
  private boolean starting;

  public AgentPolicy(Agent agent) {
    this.agent = agent;
    begin();
  }

  @Override
  public void begin() {
    starting = true;
    try (Scope scope = Scope.open()) {
      replace(agent.network().initialState(1).retain());
    }
  }

  @Override
  public float[] act(float[] observation) {
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      Forward forward = forward(observation);
      float[] action = agent.network().environmentActions(forward.policy().mode());
      replace(forward.next().retain());
      starting = false;
      return action;
    }
  }

  private Forward forward(float[] observation) {
    float[] seen = agent.normalize(observation, 0, 1);
    Tensor row = Tensor.of(seen, 1, observation.length);
    boolean[] starts = starting ? START : RUNNING;
    return agent.network().step(agent.inference(), row, state.startEpisodes(starts));
  }

  private void replace(RecurrentState next) {
    if (state != null) {
      state.close();
    }
    state = next;
  }

  @Override
  public void close() {
    replace(null);
  }
}
