package io.quantail.train;

import io.quantail.config.EnvironmentConfig;
import io.quantail.config.EvaluationConfig;
import io.quantail.config.RiskConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.LimitedEnvironments;
import io.quantail.env.vector.EpisodeSummary;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.model.ActingModel;
import io.quantail.model.ObservationPerturbation;
import io.quantail.model.PolicyRunner;
import io.quantail.network.NetworkPass;
import io.quantail.random.RandomStream;
import io.quantail.risk.EmpiricalCvar;
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

  /**
   * How agents are evaluated.
   *
   * @param config number of episodes, their length, and how actions are chosen
   * @param faults what happens when an environment fails; the truncated episodes do not count
   * @param alpha fraction of the worst outcomes whose mean is reported
   * @param seed of the evaluation
   */
  public record Settings(
      EvaluationConfig config, EnvironmentConfig.Faults faults, double alpha, long seed) {}

  /** Evaluates with defaults: an environment that fails ends the evaluation. */
  public static EvaluationSummary evaluate(
      ActingModel agent, EnvironmentFactory factory, EvaluationConfig config, long seed) {
    return evaluate(
        agent,
        factory,
        new Settings(
            config, EnvironmentConfig.Faults.defaults(), RiskConfig.defaults().alpha(), seed));
  }

  /** Evaluates with the given settings. */
  public static EvaluationSummary evaluate(
      ActingModel agent, EnvironmentFactory factory, Settings settings) {
    return play(agent, factory, settings).summary();
  }

  /** Evaluates with the given settings and returns the rewards of all steps too. */
  public static EvaluationEpisodes play(
      ActingModel agent, EnvironmentFactory factory, Settings settings) {
    return play(agent, factory, settings, ObservationPerturbation.NONE);
  }

  /**
   * Evaluates with perturbed observations.
   *
   * @param disturbance applied to observations before the network receives them
   */
  public static EvaluationSummary evaluate(
      ActingModel agent,
      EnvironmentFactory factory,
      Settings settings,
      ObservationPerturbation disturbance) {
    return play(agent, factory, settings, disturbance).summary();
  }

  private static EvaluationEpisodes play(
      ActingModel agent,
      EnvironmentFactory factory,
      Settings settings,
      ObservationPerturbation disturbance) {
    EvaluationConfig config = settings.config();
    long evaluationSeed = RandomStream.of(settings.seed(), "evaluation", 0).nextLong();
    int count = Math.min(MAX_ENVIRONMENTS, config.episodes());
    int[] remaining = new int[count];
    for (int episode = 0; episode < config.episodes(); episode++) {
      remaining[episode % count]++;
    }
    List<EpisodeSummary> finished = new ArrayList<>();
    EnvironmentFactory limited = LimitedEnvironments.of(factory, config.maxEpisodeSteps());
    try (VectorEnvironment environments =
        new VectorEnvironment(limited, count, evaluationSeed, settings.faults())) {
      agent.requireSpaces(environments.observationSpace(), environments.actionSpace());
      PolicyRunner runner = new PolicyRunner(agent, count);
      RandomStream[] streams =
          config.deterministic() ? null : RandomStream.array(evaluationSeed, "action", count);
      EpisodeRecorder recorder = new EpisodeRecorder(environments.actionSpace(), count);
      environments.reset();
      while (Arrays.stream(remaining).anyMatch(left -> left > 0)) {
        step(runner, environments, streams, disturbance, recorder);
        for (EpisodeSummary episode : environments.drainEpisodes()) {
          boolean counts = remaining[episode.environment()]-- > 0;
          recorder.end(episode.environment(), counts);
          if (counts) {
            finished.add(episode);
          }
        }
      }
      double[] rewards = recorder.rewards();
      return new EvaluationEpisodes(
          summarize(finished, rewards, recorder.meanAction(), settings.alpha()),
          List.copyOf(finished),
          rewards);
    }
  }

  /** Advances all environments by one step of the agent. */
  private static void step(
      PolicyRunner runner,
      VectorEnvironment environments,
      RandomStream @Nullable [] streams,
      ObservationPerturbation disturbance,
      EpisodeRecorder recorder) {
    NetworkPass pass =
        runner.step(environments.observations(), environments.masks(), 0, disturbance);
    float[] actions = new float[environments.count() * environments.actionSpace().size()];
    runner.act(pass, streams, 0, actions);
    environments.step(0, environments.count(), actions);
    for (int e = 0; e < environments.count(); e++) {
      recorder.step(e, actions, environments.rewards()[e]);
      if (environments.faulted()[e]) {
        recorder.end(e, false);
      }
      if (environments.terminated()[e] || environments.truncated()[e]) {
        runner.start(e);
      }
    }
  }

  private static EvaluationSummary summarize(
      List<EpisodeSummary> episodes, double[] rewards, List<Double> meanAction, double alpha) {
    double[] returns = episodes.stream().mapToDouble(EpisodeSummary::totalReward).toArray();
    double mean = Arrays.stream(returns).average().orElseThrow();
    double variance =
        Arrays.stream(returns).map(x -> (x - mean) * (x - mean)).average().orElseThrow();
    return new EvaluationSummary(
        returns.length,
        mean,
        Math.sqrt(variance),
        Arrays.stream(returns).min().orElseThrow(),
        Arrays.stream(returns).max().orElseThrow(),
        episodes.stream().mapToInt(EpisodeSummary::length).average().orElseThrow(),
        alpha,
        EmpiricalCvar.empirical(rewards, alpha, 0).cvar(),
        EmpiricalCvar.empirical(returns, alpha, 0).cvar(),
        meanAction);
  }
}
