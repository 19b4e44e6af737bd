package io.quantail.env.vector;

/**
 * A finished episode.
 *
 * @param environment index of the environment in the vector
 * @param totalReward sum of its rewards, unscaled and undiscounted
 * @param length number of steps
 * @param truncated whether it was truncated instead of terminated
 */
public record EpisodeSummary(int environment, double totalReward, int length, boolean truncated) {}
