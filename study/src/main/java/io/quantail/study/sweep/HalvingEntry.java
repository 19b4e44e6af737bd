package io.quantail.study.sweep;

import org.jspecify.annotations.Nullable;

/**
 * One line of the journal of successive halving: the score of an agent at the end of a rung, or the
 * promotion of a point.
 *
 * @param rung from 1 on; of a promotion, the rung that the point enters
 * @param point number of the point
 * @param seed of the agent; null for a promotion
 * @param score of the agent; null for a promotion and if it could not be trained
 * @param steps environment steps of its training; 0 for a promotion and if it could not be trained
 * @param failure why it could not be trained; null otherwise
 */
public record HalvingEntry(
    int rung,
    int point,
    @Nullable Long seed,
    @Nullable Double score,
    long steps,
    @Nullable String failure) {
  static HalvingEntry promotion(int rung, int point) {
    return new HalvingEntry(rung, point, null, null, 0, null);
  }
}
