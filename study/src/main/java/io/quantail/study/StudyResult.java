package io.quantail.study;

import io.quantail.Agent;
import io.quantail.study.population.JournalEntry;
import io.quantail.study.population.PopulationResult;
import io.quantail.study.sweep.SweepResult;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** What a study came to: its trials, the best first, and the agent of the best one. */
public final class StudyResult {
  private final List<Trial> trials;
  private final long steps;
  private final String words;
  private final Agent agent;

  private StudyResult(List<Trial> trials, long steps, String words, Agent agent) {
    this.trials = trials;
    this.steps = steps;
    this.words = words;
    this.agent = agent;
  }

  /**
   * Settings that were tried.
   *
   * @param number of the trial, in the order in which they were planned
   * @param settings values of the settings that the study varies, by path
   * @param scores of its agents that could be trained, by seed
   * @param median of the scores, which ranks it; of two middle ones the lower; minus infinity if
   *     too many of its agents could not be trained
   * @param steps environment steps of each of its agents
   */
  public record Trial(
      int number,
      Map<String, String> settings,
      Map<Long, Double> scores,
      double median,
      long steps) {}

  static StudyResult of(SweepResult sweep, Agent agent) {
    List<SweepResult.Point> ranked = sweep.ranked();
    return new StudyResult(
        ranked.stream().map(StudyResult::trial).toList(),
        ranked.stream()
            .flatMap(point -> point.trainings().stream())
            .mapToLong(SweepResult.Training::steps)
            .sum(),
        sweep.verdict(),
        agent);
  }

  private static Trial trial(SweepResult.Point point) {
    Map<Long, Double> scores = new LinkedHashMap<>();
    for (SweepResult.Training training : point.trainings()) {
      if (training.failure() == null) {
        scores.put(training.seed(), training.score());
      }
    }
    return new Trial(
        point.point(), point.settings(), scores, point.median(), SweepResult.steps(point));
  }

  static StudyResult of(PopulationResult population, Agent agent) {
    JournalEntry best = Objects.requireNonNull(population.best());
    List<Trial> trials =
        population.members().stream()
            .filter(entry -> entry.score() != null && !entry.equals(best))
            .sorted(Comparator.comparingDouble(JournalEntry::comparable).reversed())
            .map(StudyResult::trial)
            .toList();
    return new StudyResult(
        Stream.concat(Stream.of(trial(best)), trials.stream()).toList(),
        population.settings().size() * population.settings().totalSteps(),
        String.format(
            Locale.ROOT,
            "best member %d of generation %d: score %s, %s",
            best.member(),
            best.generation(),
            SweepResult.shown(best.comparable()),
            best.hyperparameters()),
        agent);
  }

  private static Trial trial(JournalEntry entry) {
    return new Trial(
        entry.member(),
        entry.hyperparameters(),
        Map.of(entry.seed(), entry.comparable()),
        entry.comparable(),
        entry.steps());
  }

  /**
   * {@return the trials, the best first} With successive halving those that were trained longest
   * come first. Of a population: the best member of all generations, then those of the last one.
   */
  public List<Trial> trials() {
    return trials;
  }

  /** {@return the best trial; with several trials its score is optimistic, for it was chosen} */
  public Trial best() {
    return trials.get(0);
  }

  /** {@return the agent of the best trial, of its seed with the median score} */
  public Agent agent() {
    return agent;
  }

  /** {@return the environment steps of all trainings} */
  public long steps() {
    return steps;
  }

  /** {@return the result in one sentence} */
  @Override
  public String toString() {
    return words;
  }
}
