package io.quantail.env.vector;

/**
 * A finished episode.
 *
 * @param environment which environment of the vector it ran in
 * @param totalReward the sum of its rewards, unscaled and undiscounted
 * @param length how many steps it had
 * @param truncated whether it was cut instead of coming to its end
 */
public record Episode(int environment, double totalReward, int length, boolean truncated) {}
