package io.quantail.market.backtest;

import io.quantail.config.RiskConfig;
import io.quantail.critic.Critic;
import io.quantail.critic.ReturnScale;
import io.quantail.nn.NetworkPass;
import io.quantail.rollout.Agent;
import io.quantail.rollout.PolicyRunner;

/** A trained agent that takes its most likely action, with its recurrent state. */
public final class AgentPolicy implements TradingPolicy {

  /**
   * An action and what the agent expects to follow.
   *
   * @param action values of the environment's action space
   * @param outlook the distribution of returns it predicts
   */
  public record Decision(float[] action, Outlook outlook) {}

  private final Agent agent;
  private final Critic critic;
  private final PolicyRunner runner;

  public AgentPolicy(Agent agent) {
    this.agent = agent;
    critic = agent.critic();
    runner = new PolicyRunner(agent, 1);
  }

  @Override
  public void begin() {
    runner.startAll();
  }

  @Override
  public float[] act(float[] observation) {
    return action(step(observation));
  }

  /**
   * Acts and predicts.
   *
   * @param scale turns the critics' predictions into returns
   * @param risk how the lower tail is measured
   */
  public Decision decide(float[] observation, ReturnScale scale, RiskConfig risk) {
    NetworkPass pass = step(observation);
    return new Decision(action(pass), Outlook.of(critic, pass.values()[0], scale, risk));
  }

  /** Moves the recurrent state on by one observation. */
  NetworkPass step(float[] observation) {
    return runner.step(observation);
  }

  float[] action(NetworkPass pass) {
    return agent.network().environmentActions(runner.rawActions(pass, null, 0));
  }
}
