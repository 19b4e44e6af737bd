package io.quantail;

import io.quantail.config.EnvironmentConfig;
import io.quantail.config.EvaluationConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.LimitedEnvironments;
import io.quantail.env.vector.EpisodeSummary;
import io.quantail.math.Percentiles;
import io.quantail.math.StudentT;
import io.quantail.risk.EmpiricalCvar;
import io.quantail.train.EvaluationEpisodes;
import io.quantail.train.Evaluator;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Whole episodes of an agent that does not learn: their returns and lengths. */
public final class Evaluation {
  /** Episodes without which Student's t has no variance. */
  private static final int FEWEST = 4;

  private final double[] returns;
  private final int[] lengths;

  private Evaluation(List<EpisodeSummary> episodes) {
    returns = episodes.stream().mapToDouble(EpisodeSummary::totalReward).toArray();
    lengths = episodes.stream().mapToInt(EpisodeSummary::length).toArray();
  }

  static Evaluation of(List<EpisodeSummary> episodes) {
    return new Evaluation(episodes);
  }

  /**
   * Plans an evaluation with the settings of the agent's training.
   *
   * @param agent to be evaluated
   * @param environments makes an environment on each call
   * @return the plan; {@link Plan#run} plays the episodes
   */
  public static Plan of(Agent agent, Supplier<? extends Environment> environments) {
    return ofIndexed(agent, index -> environments.get());
  }

  /**
   * Plans an evaluation in environments that differ by their index, or that simulators make.
   *
   * @param agent to be evaluated
   * @param environments makes an environment for an index
   * @return the plan; {@link Plan#run} plays the episodes
   */
  public static Plan ofIndexed(Agent agent, EnvironmentFactory environments) {
    RunConfig config = agent.config();
    return new Plan(
        agent,
        environments,
        config.evaluation(),
        config.environment().episodeLimit(),
        config.seed());
  }

  /** How an agent is evaluated; immutable. */
  public static final class Plan {
    private final Agent agent;
    private final EnvironmentFactory environments;
    private final EvaluationConfig config;
    private final @Nullable Integer limit;
    private final long seed;

    private Plan(
        Agent agent,
        EnvironmentFactory environments,
        EvaluationConfig config,
        @Nullable Integer limit,
        long seed) {
      this.agent = agent;
      this.environments = environments;
      this.config = config;
      this.limit = limit;
      this.seed = seed;
    }

    private Plan with(EvaluationConfig changed) {
      return new Plan(agent, environments, changed, limit, seed);
    }

    /**
     * Changes the number of episodes.
     *
     * @param count at least 1
     * @return the plan
     */
    public Plan episodes(int count) {
      return with(new EvaluationConfig(count, config.deterministic(), config.maxEpisodeSteps()));
    }

    /**
     * Changes the seed of the episodes; the default is that of the training.
     *
     * @param number any number
     * @return the plan
     */
    public Plan seed(long number) {
      return new Plan(agent, environments, config, limit, number);
    }

    /**
     * Draws actions from the policy instead of taking the most likely ones.
     *
     * @return the plan
     */
    public Plan sampled() {
      return with(new EvaluationConfig(config.episodes(), false, config.maxEpisodeSteps()));
    }

    /**
     * Truncates episodes; the default is the limit of the training.
     *
     * @param steps at least 1
     * @return the plan
     */
    public Plan episodeLimit(int steps) {
      if (steps < 1) {
        throw new IllegalArgumentException("an episode limit is at least 1 step, was " + steps);
      }
      return new Plan(agent, environments, config, steps, seed);
    }

    /**
     * Plays the episodes.
     *
     * @return their returns and lengths
     */
    public Evaluation run() {
      EvaluationEpisodes played =
          Evaluator.play(
              agent.model(),
              LimitedEnvironments.of(environments, limit),
              new Evaluator.Settings(
                  config,
                  EnvironmentConfig.Faults.defaults(),
                  agent.config().risk().alpha(),
                  seed));
      return new Evaluation(played.episodes());
    }
  }

  /** {@return the number of episodes} */
  public int episodes() {
    return returns.length;
  }

  /** {@return the mean return} */
  public double mean() {
    return Arrays.stream(returns).average().orElse(Double.NaN);
  }

  /** {@return the standard deviation of the returns} */
  public double deviation() {
    double mean = mean();
    double squares = Arrays.stream(returns).map(x -> (x - mean) * (x - mean)).sum();
    return Math.sqrt(squares / returns.length);
  }

  /** {@return the return of each episode: the undiscounted sum of its rewards} */
  public double[] returns() {
    return returns.clone();
  }

  /** {@return the number of steps of each episode} */
  public int[] lengths() {
    return lengths.clone();
  }

  /**
   * Computes the mean of the worst returns.
   *
   * @param alpha fraction of the worst returns, above 0 and at most 1
   * @return their mean
   */
  public double cvar(double alpha) {
    if (!(alpha > 0 && alpha <= 1)) {
      throw new IllegalArgumentException("alpha must be above 0 and at most 1, was " + alpha);
    }
    return EmpiricalCvar.empirical(returns, alpha, 0).cvar();
  }

  /**
   * Computes a quantile of the returns.
   *
   * @param level from 0 to 1
   * @return the return below which that fraction lies
   */
  public double quantile(double level) {
    if (!(level >= 0 && level <= 1)) {
      throw new IllegalArgumentException("level must be from 0 to 1, was " + level);
    }
    return Percentiles.of(returns).at(level);
  }

  /**
   * Computes a confidence interval of the mean return, from Student's t distribution.
   *
   * @param level above 0 and below 1, such as 0.95
   * @return its lower and upper end; infinite with fewer than four episodes
   */
  public double[] interval(double level) {
    if (!(level > 0 && level < 1)) {
      throw new IllegalArgumentException("level must be between 0 and 1, was " + level);
    }
    if (returns.length < FEWEST) {
      return new double[] {Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY};
    }
    double freedom = returns.length - 1.0;
    double error = deviation() / Math.sqrt(freedom) / Math.sqrt((freedom - 2) / freedom);
    double half = error * new StudentT(freedom).quantile(0.5 + level / 2); // of deviation 1
    return new double[] {mean() - half, mean() + half};
  }

  @Override
  public String toString() {
    double[] interval = interval(0.95);
    return String.format(
        Locale.ROOT,
        "return %.4g (95 %%: %.4g to %.4g) in %d episodes",
        mean(),
        interval[0],
        interval[1],
        episodes());
  }
}
