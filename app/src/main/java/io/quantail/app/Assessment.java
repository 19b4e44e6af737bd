package io.quantail.app;

import io.quantail.config.RunConfig;
import io.quantail.critic.ReturnScale;
import io.quantail.env.EnvironmentFactory;
import io.quantail.market.setup.MarketEpisodes;
import io.quantail.rollout.Agent;
import io.quantail.run.evaluation.EvaluationProtocol;

/** How the agents of a run are judged; chosen once, by what the run's environments are. */
interface Assessment extends EvaluationProtocol {

  /** After training: markets on bars that the agent has not learnt from, others by episodes. */
  static Assessment of(RunConfig config, EnvironmentFactory factory) {
    return of(config, factory, MarketPart.TEST);
  }

  /**
   * The same on another part of a market.
   *
   * @param part means nothing to what is no market
   */
  static Assessment of(RunConfig config, EnvironmentFactory factory, MarketPart part) {
    return factory instanceof MarketEpisodes episodes
        ? new MarketAssessment(config, episodes.market(), part, config.seed())
        : new EpisodeAssessment(config, factory, config.evaluation(), config.seed());
  }

  /**
   * @param scale turns what the agent's critics say into returns
   */
  Verdict judge(Agent agent, ReturnScale scale);

  @Override
  default Verdict evaluate(Agent agent, ReturnScale scale) {
    return judge(agent, scale);
  }
}
