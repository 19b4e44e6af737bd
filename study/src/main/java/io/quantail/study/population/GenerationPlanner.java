package io.quantail.study.population;

import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Plans the members of a generation: a pure function of the seed and of the results of the
 * generation before.
 */
record GenerationPlanner(PopulationConfig config, HyperparameterSpace space, long seed) {
  /** Seeds have 52 bits, so that programs with doubles read them exactly. */
  private static final int SEED_BITS_DROPPED = 12;

  /** Members of the first generation. */
  List<MemberAssignment> first() {
    List<MemberAssignment> units = new ArrayList<>();
    for (int member = 0; member < config.size(); member++) {
      RandomStream random = RandomStream.of(seed, "population/start", member);
      boolean drawn = config.start() == PopulationConfig.Start.SAMPLED && member > 0;
      Map<String, String> values = new LinkedHashMap<>();
      for (Hyperparameter hyperparameter : space.hyperparameters()) {
        String path = hyperparameter.path();
        values.put(path, drawn ? hyperparameter.sample(random) : space.configured().get(path));
      }
      units.add(new MemberAssignment(member, 0, MemberAssignment.NONE, seedOf(member, 0), values));
    }
    return units;
  }

  /**
   * Members of the next generation.
   *
   * @param before entries of the generation before, by member
   */
  List<MemberAssignment> next(List<JournalEntry> before) {
    int generation = before.get(0).generation() + 1;
    double[] scores = before.stream().mapToDouble(JournalEntry::comparable).toArray();
    ExploitDecision decision =
        ExploitDecision.of(
            scores,
            config.selection(),
            config.truncation(),
            RandomStream.of(seed, "population/decision", generation));
    List<MemberAssignment> units = new ArrayList<>();
    for (JournalEntry own : before) {
      JournalEntry source = before.get(decision.sources()[own.member()]);
      boolean exploits = decision.exploits(own.member());
      units.add(
          new MemberAssignment(
              own.member(),
              generation,
              source.member(),
              exploits ? seedOf(own.member(), generation) : own.seed(),
              exploits ? explored(source, own.member(), generation) : own.hyperparameters()));
    }
    return units;
  }

  /**
   * The next generation of a member that does not wait for the others. It is compared with the
   * members that have come at least as far; if it copies one of them, it continues from its
   * generation.
   *
   * @param own last entry of the member
   * @param latest last entries of all members that have one
   * @return empty if the member has done all generations, or failed before another came as far
   */
  Optional<MemberAssignment> next(JournalEntry own, Collection<JournalEntry> latest) {
    List<JournalEntry> rivals =
        latest.stream()
            .filter(entry -> entry.generation() >= own.generation())
            .sorted(Comparator.comparingInt(JournalEntry::member))
            .toList();
    double[] scores = rivals.stream().mapToDouble(JournalEntry::comparable).toArray();
    if (ExploitDecision.ranking(scores).length == 0) {
      return Optional.empty();
    }
    ExploitDecision decision =
        ExploitDecision.of(
            scores,
            config.selection(),
            config.truncation(),
            RandomStream.of(seed, "population/decision/" + own.member(), own.generation()));
    JournalEntry source = rivals.get(decision.sources()[rivals.indexOf(own)]);
    int generation = source.generation() + 1;
    boolean exploits = source.member() != own.member();
    return generation == config.generations()
        ? Optional.empty()
        : Optional.of(
            new MemberAssignment(
                own.member(),
                generation,
                source.member(),
                exploits ? seedOf(own.member(), generation) : own.seed(),
                exploits ? explored(source, own.member(), generation) : own.hyperparameters()));
  }

  private Map<String, String> explored(JournalEntry source, int member, int generation) {
    RandomStream random = RandomStream.of(seed, "population/explore/" + generation, member);
    Map<String, String> values = new LinkedHashMap<>();
    for (Hyperparameter hyperparameter : space.hyperparameters()) {
      String path = hyperparameter.path();
      values.put(
          path,
          hyperparameter.explore(
              Objects.requireNonNull(source.hyperparameters().get(path)), random));
    }
    return values;
  }

  private long seedOf(int member, int generation) {
    return RandomStream.of(seed, "population/member/" + generation, member).nextLong()
        >>> SEED_BITS_DROPPED;
  }
}
