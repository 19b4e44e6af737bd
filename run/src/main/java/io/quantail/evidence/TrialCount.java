package io.quantail.evidence;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/** How often bars were judged. Pinned by the vector {@code ledger_count}. */
public final class TrialCount {
  private TrialCount() {}

  /**
   * One judgement.
   *
   * @param settings hash of the settings
   * @param seed of the run
   * @param days hashes of the days judged, from {@link BarDays#hashes}
   */
  public record Trial(String settings, long seed, Set<String> days) {
    public Trial {
      days = Set.copyOf(days);
    }
  }

  /**
   * The number of different pairs of settings and seed that share a day with the one asked about.
   */
  public static int of(Collection<Trial> trials, Trial asked) {
    Set<Key> different = new HashSet<>();
    different.add(new Key(asked.settings, asked.seed));
    for (Trial trial : trials) {
      if (!Collections.disjoint(trial.days, asked.days)) {
        different.add(new Key(trial.settings, trial.seed));
      }
    }
    return different.size();
  }

  private record Key(String settings, long seed) {}
}
