package io.quantail.train;

import io.quantail.env.vector.EpisodeSummary;
import java.util.List;

/**
 * Evaluation episodes step by step. The array is shared and must not be changed.
 *
 * @param summary of the episodes
 * @param episodes in the order in which they ended
 * @param rewards of all their steps, episode after episode
 */
public record EvaluationEpisodes(
    EvaluationSummary summary, List<EpisodeSummary> episodes, double... rewards) {}
