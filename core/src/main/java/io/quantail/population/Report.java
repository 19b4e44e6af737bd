package io.quantail.population;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A population so far, as plain records: the scores and hyper-parameters of every generation, who
 * copied whom, and the best member. It is what {@code population.json} holds.
 *
 * @param settings of the population
 * @param seed of the population
 * @param generations in their order
 * @param lineage every copy, in the order of generations and members
 * @param best the member with the highest score; of equal ones the one of the last generation; null
 *     when none has a score
 */
public record Report(
    PopulationConfig settings,
    long seed,
    List<Generation> generations,
    List<Copy> lineage,
    Entry best) {

  /**
   * @param generation from 0
   * @param scores of its members in brief
   * @param exploited members that had copied another before it
   * @param members what became of each
   */
  public record Generation(int generation, Scores scores, int exploited, List<Entry> members) {}

  /**
   * One member that copied another.
   *
   * @param generation the first one in which it trained with what it copied
   * @param member who copied
   * @param source who was copied
   * @param before its hyper-parameters until then
   * @param after its hyper-parameters from then on
   */
  public record Copy(
      int generation,
      int member,
      int source,
      Map<String, String> before,
      Map<String, String> after) {}

  static Report of(PopulationConfig settings, long seed, List<Entry> entries) {
    List<Generation> generations = new ArrayList<>();
    List<Copy> lineage = new ArrayList<>();
    for (int generation = 0; generation < settings.generations(); generation++) {
      List<Entry> members = members(entries, generation);
      if (members.isEmpty()) {
        break;
      }
      int exploited = 0;
      for (Entry entry : members) {
        if (entry.source() != Unit.NONE && entry.source() != entry.member()) {
          exploited++;
          lineage.add(copy(entry, members(entries, generation - 1)));
        }
      }
      double[] scores = members.stream().mapToDouble(Entry::comparable).toArray();
      generations.add(new Generation(generation, Scores.of(scores), exploited, members));
    }
    return new Report(settings, seed, generations, lineage, best(entries).orElse(null));
  }

  /** The members of the last generation, by number. */
  public List<Entry> members() {
    return generations.get(generations.size() - 1).members();
  }

  private static Copy copy(Entry entry, List<Entry> before) {
    return new Copy(
        entry.generation(),
        entry.member(),
        entry.source(),
        before.get(entry.member()).hyperparameters(),
        entry.hyperparameters());
  }

  /** The entries of a generation, by member. */
  static List<Entry> members(List<Entry> entries, int generation) {
    return entries.stream()
        .filter(entry -> entry.generation() == generation)
        .sorted(Comparator.comparingInt(Entry::member))
        .toList();
  }

  /** The one with the highest score; of equal ones that of the last generation. */
  public static Optional<Entry> best(List<Entry> entries) {
    return entries.stream()
        .filter(entry -> entry.score() != null)
        .min(
            Comparator.comparing((Entry entry) -> -entry.score())
                .thenComparing(entry -> -entry.generation())
                .thenComparing(Entry::member));
  }
}
