package io.quantail.train;

import java.util.List;

/**
 * Summary of evaluation episodes.
 *
 * @param episodes number of episodes
 * @param meanReturn mean of the undiscounted returns
 * @param stdReturn population standard deviation of the returns
 * @param minReturn lowest return
 * @param maxReturn highest return
 * @param meanLength mean number of steps
 * @param alpha fraction of the worst outcomes in the next two
 * @param cvarReward mean of the worst rewards of single steps
 * @param cvarReturn mean of the worst returns
 * @param meanAction mean of each component of the actions and the share of each discrete action
 */
public record EvaluationSummary(
    int episodes,
    double meanReturn,
    double stdReturn,
    double minReturn,
    double maxReturn,
    double meanLength,
    double alpha,
    double cvarReward,
    double cvarReturn,
    List<Double> meanAction) {}
