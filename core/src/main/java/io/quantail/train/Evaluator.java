package io.quantail.train;

import io.quantail.config.EnvironmentConfig;
import io.quantail.config.EvaluationConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.env.vector.EpisodeSummary;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.model.Agent;
import io.quantail.model.ObservationPerturbation;
import io.quantail.model.PolicyRunner;
import io.quantail.network.NetworkPass;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plays whole episodes with a fixed agent and summarises their returns.
 *
 * <p>Every environment plays a fixed number of episodes, so that short episodes are not counted
 * more often than long ones. The result is deterministic for a given agent and seed.
 */
public final class Evaluator {
  private static final int MAX_ENVIRONMENTS = 100;

  private Evaluator() {}

  /** Evaluates with default fault settings: an environment that fails ends the evaluation. */
  public static Evaluation evaluate(
      Agent agent, EnvironmentFactory factory, EvaluationConfig config, long seed) {
    return evaluate(agent, factory, config, EnvironmentConfig.Faults.defaults(), seed);
  }

  /**
   * Evaluates with the given fault settings. If failed environments are replaced, the truncated
   * episodes do not count.
   */
  public static Evaluation evaluate(
      Agent agent,
      EnvironmentFactory factory,
      EvaluationConfig config,
      EnvironmentConfig.Faults faults,
      long seed) {
    return evaluate(agent, factory, config, faults, seed, ObservationPerturbation.NONE);
  }

  /**
   * Evaluates with perturbed observations.
   *
   * @param disturbance applied to observations before the network receives them
   */
  public static Evaluation evaluate(
      Agent agent,
      EnvironmentFactory factory,
      EvaluationConfig config,
      EnvironmentConfig.Faults faults,
      long seed,
      ObservationPerturbation disturbance) {
    long evaluationSeed = RandomStream.of(seed, "evaluation", 0).nextLong();
    int count = Math.min(MAX_ENVIRONMENTS, config.episodes());
    int[] remaining = new int[count];
    for (int episode = 0; episode < config.episodes(); episode++) {
      remaining[episode % count]++;
    }
    List<EpisodeSummary> finished = new ArrayList<>();
    EnvironmentFactory limited =
        index -> new TimeLimitWrapper(factory.create(index), config.maxEpisodeSteps());
    try (VectorEnvironment environments =
        new VectorEnvironment(limited, count, evaluationSeed, faults)) {
      PolicyRunner runner = new PolicyRunner(agent, count);
      RandomStream[] streams =
          config.deterministic() ? null : RandomStream.array(evaluationSeed, "action", count);
      environments.reset();
      while (Arrays.stream(remaining).anyMatch(left -> left > 0)) {
        step(agent, runner, environments, streams, disturbance);
        for (EpisodeSummary episode : environments.drainEpisodes()) {
          if (remaining[episode.environment()]-- > 0) {
            finished.add(episode);
          }
        }
      }
    }
    return summarize(finished);
  }

  /** Advances all environments by one step of the agent. */
  private static void step(
      Agent agent,
      PolicyRunner runner,
      VectorEnvironment environments,
      RandomStream @Nullable [] streams,
      ObservationPerturbation disturbance) {
    NetworkPass pass = runner.step(environments.observations(), 0, disturbance);
    float[] raw = runner.rawActions(pass, streams, 0);
    environments.step(0, environments.count(), agent.network().environmentActions(raw));
    for (int e = 0; e < environments.count(); e++) {
      if (environments.terminated()[e] || environments.truncated()[e]) {
        runner.start(e);
      }
    }
  }

  private static Evaluation summarize(List<EpisodeSummary> episodes) {
    double[] returns = episodes.stream().mapToDouble(EpisodeSummary::totalReward).toArray();
    double mean = Arrays.stream(returns).average().orElseThrow();
    double variance =
        Arrays.stream(returns).map(x -> (x - mean) * (x - mean)).average().orElseThrow();
    return new Evaluation(
        returns.length,
        mean,
        Math.sqrt(variance),
        Arrays.stream(returns).min().orElseThrow(),
        Arrays.stream(returns).max().orElseThrow(),
        episodes.stream().mapToInt(EpisodeSummary::length).average().orElseThrow());
  }
}
