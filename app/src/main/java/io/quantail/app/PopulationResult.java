package io.quantail.app;

import io.quantail.population.Entry;
import io.quantail.population.Report;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What {@code population --json} prints.
 *
 * @param members as they ended, by number
 * @param best the one with the highest score
 * @param report path of the page
 */
record PopulationResult(List<Member> members, Best best, String report) {

  /**
   * @param member its number
   * @param score of the last generation; null if it failed
   * @param source whom it went on from in the last generation
   * @param hyperparameters of the last generation
   */
  record Member(int member, Double score, int source, Map<String, String> hyperparameters) {}

  /**
   * @param member its number
   * @param generation after which it was best
   * @param score then
   * @param hyperparameters then
   * @param run directory for evaluate and signal
   */
  record Best(
      int member, int generation, Double score, Map<String, String> hyperparameters, String run) {}

  static PopulationResult of(Report report, Path run, Path page) {
    List<Entry> last = report.generations().get(report.generations().size() - 1).members();
    Entry best = report.best();
    return new PopulationResult(
        last.stream()
            .map(
                entry ->
                    new Member(
                        entry.member(), entry.score(), entry.source(), entry.hyperparameters()))
            .toList(),
        new Best(
            best.member(), best.generation(), best.score(), best.hyperparameters(), run.toString()),
        page.toString());
  }
}
