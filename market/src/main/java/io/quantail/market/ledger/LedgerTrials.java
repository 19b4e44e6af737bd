package io.quantail.market.ledger;

import io.quantail.evidence.TrialCount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The entries of a ledger that count as trials, by the bars they share. */
public final class LedgerTrials {
  private final List<LedgerEntry> entries;
  private final List<TrialCount.Trial> trials;
  private final IdentityHashMap<List<String>, Set<String>> sets = new IdentityHashMap<>();

  public LedgerTrials(Collection<LedgerEntry> all) {
    entries = all.stream().filter(entry -> entry.kind() == LedgerEntry.Kind.TEST).toList();
    trials = entries.stream().map(this::trial).toList();
  }

  private TrialCount.Trial trial(LedgerEntry entry) {
    return new TrialCount.Trial(entry.settings(), entry.seed(), days(entry));
  }

  private Set<String> days(LedgerEntry entry) {
    return sets.computeIfAbsent(entry.days(), days -> Set.copyOf(new HashSet<>(days)));
  }

  /** How many agents were evaluated on at least one of the days of an entry, itself included. */
  public int count(LedgerEntry asked) {
    return TrialCount.of(trials, trial(asked));
  }

  /** The entries of each other agent that share a day with an entry. */
  Map<LedgerEntry.Agent, List<LedgerEntry>> others(LedgerEntry asked) {
    Map<LedgerEntry.Agent, List<LedgerEntry>> others = new LinkedHashMap<>();
    for (LedgerEntry entry : entries) {
      if (!entry.agent().equals(asked.agent()) && !Collections.disjoint(days(entry), days(asked))) {
        others.computeIfAbsent(entry.agent(), agent -> new ArrayList<>()).add(entry);
      }
    }
    return others;
  }
}
