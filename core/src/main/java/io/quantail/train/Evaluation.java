package io.quantail.train;

/**
 * Summary of the returns of evaluation episodes.
 *
 * @param episodes number of episodes
 * @param meanReturn mean of the undiscounted returns
 * @param stdReturn population standard deviation of the returns
 * @param minReturn lowest return
 * @param maxReturn highest return
 * @param meanLength mean number of steps
 */
public record Evaluation(
    int episodes,
    double meanReturn,
    double stdReturn,
    double minReturn,
    double maxReturn,
    double meanLength) {}
