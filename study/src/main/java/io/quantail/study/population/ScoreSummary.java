package io.quantail.study.population;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;

/**
 * Summary of the scores of one generation; {@code pbt_stats} pins it.
 *
 * @param members size of the population
 * @param ready members with a finite score
 * @param mean of the finite scores
 * @param std their population standard deviation
 * @param min the lowest
 * @param max the highest
 */
public record ScoreSummary(
    int members, int ready, double mean, double std, double min, double max) {

  static ScoreSummary of(double[] scores) {
    double[] finite = Arrays.stream(scores).filter(Double::isFinite).toArray();
    DoubleSummaryStatistics summary = Arrays.stream(finite).summaryStatistics();
    double mean = finite.length == 0 ? Double.NaN : summary.getAverage();
    double variance =
        Arrays.stream(finite).map(x -> (x - mean) * (x - mean)).average().orElse(Double.NaN);
    return new ScoreSummary(
        scores.length,
        finite.length,
        mean,
        Math.sqrt(variance),
        finite.length == 0 ? Double.NaN : summary.getMin(),
        finite.length == 0 ? Double.NaN : summary.getMax());
  }
}
