package io.quantail.study.population;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Result of a population so far: scores and hyper-parameters of every generation, copies, and the
 * best member. It is the content of {@code population.json}.
 *
 * @param settings of the population
 * @param seed of the population
 * @param generations in their order
 * @param lineage every copy, in the order of generations and members
 * @param best member with the highest score, of several the one of the last generation; null if
 *     none has a score
 */
public record PopulationResult(
    PopulationConfig settings,
    long seed,
    List<Generation> generations,
    List<Copy> lineage,
    @Nullable JournalEntry best) {

  /**
   * Result of one generation.
   *
   * @param generation from 0
   * @param scores summary of the scores
   * @param exploited number of members that copied another one before this generation
   * @param members results of the members
   */
  public record Generation(
      int generation, ScoreSummary scores, int exploited, List<JournalEntry> members) {}

  /**
   * A member that copied another.
   *
   * @param generation first generation after the copy
   * @param member that copied
   * @param source member that was copied
   * @param before its hyper-parameters before the copy
   * @param after its hyper-parameters after the copy
   */
  public record Copy(
      int generation,
      int member,
      int source,
      Map<String, String> before,
      Map<String, String> after) {}

  static PopulationResult of(PopulationConfig settings, long seed, List<JournalEntry> entries) {
    List<Generation> generations = new ArrayList<>();
    List<Copy> lineage = new ArrayList<>();
    for (int generation = 0; generation < settings.generations(); generation++) {
      List<JournalEntry> members = members(entries, generation);
      if (members.isEmpty()) {
        break;
      }
      int exploited = 0;
      for (JournalEntry entry : members) {
        if (entry.source() != MemberAssignment.NONE && entry.source() != entry.member()) {
          exploited++;
          lineage.add(copy(entry, entries));
        }
      }
      double[] scores = members.stream().mapToDouble(JournalEntry::comparable).toArray();
      generations.add(new Generation(generation, ScoreSummary.of(scores), exploited, members));
    }
    return new PopulationResult(settings, seed, generations, lineage, best(entries).orElse(null));
  }

  /** The members of the last generation, by number. */
  public List<JournalEntry> members() {
    return generations.get(generations.size() - 1).members();
  }

  private static Copy copy(JournalEntry entry, List<JournalEntry> entries) {
    JournalEntry before =
        entries.stream()
            .filter(one -> one.member() == entry.member() && one.generation() < entry.generation())
            .max(Comparator.comparingInt(JournalEntry::generation))
            .orElseThrow();
    return new Copy(
        entry.generation(),
        entry.member(),
        entry.source(),
        before.hyperparameters(),
        entry.hyperparameters());
  }

  /** Entries of a generation in the order of the members. */
  static List<JournalEntry> members(List<JournalEntry> entries, int generation) {
    return entries.stream()
        .filter(entry -> entry.generation() == generation)
        .sorted(Comparator.comparingInt(JournalEntry::member))
        .toList();
  }

  /** Entry with the highest score, of several that of the last generation. */
  public static Optional<JournalEntry> best(List<JournalEntry> entries) {
    return entries.stream()
        .filter(entry -> entry.score() != null)
        .min(
            Comparator.comparing((JournalEntry entry) -> -Objects.requireNonNull(entry.score()))
                .thenComparing(entry -> -entry.generation())
                .thenComparing(JournalEntry::member));
  }
}
