package io.quantail.study.population;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Result of a member in one generation; one line of the journal.
 *
 * @param member its number
 * @param generation from 0
 * @param source member whose snapshot it continued from; -1 in the first generation
 * @param seed of its random numbers
 * @param hyperparameters its values
 * @param done whether it was trained; if not, it failed in every attempt
 * @param snapshot directory of its snapshot, relative to the population; null if it failed
 * @param hash SHA-256 of the snapshot's state; null if it failed
 * @param score mean return of the held-out episodes; null if it failed or is not finite
 * @param trainingReturn mean return of its last episodes in training; null if there is none
 * @param updates done by its lineage
 * @param steps environment steps done by its lineage
 * @param learningRate that its next update uses; null if it failed
 * @param failure message; null if there was none
 */
public record JournalEntry(
    int member,
    int generation,
    int source,
    long seed,
    Map<String, String> hyperparameters,
    boolean done,
    @Nullable String snapshot,
    @Nullable String hash,
    @Nullable Double score,
    @Nullable Double trainingReturn,
    long updates,
    long steps,
    @Nullable Double learningRate,
    @Nullable String failure) {

  static JournalEntry of(MemberAssignment unit, MemberResult result, String snapshot) {
    return new JournalEntry(
        unit.member(),
        unit.generation(),
        unit.source(),
        unit.seed(),
        unit.hyperparameters(),
        true,
        snapshot,
        result.hash(),
        finite(result.score()),
        finite(result.trainingReturn()),
        result.updates(),
        result.steps(),
        result.learningRate(),
        Double.isFinite(result.score()) ? null : "its score is " + result.score());
  }

  static JournalEntry failed(MemberAssignment unit, String failure) {
    return new JournalEntry(
        unit.member(),
        unit.generation(),
        unit.source(),
        unit.seed(),
        unit.hyperparameters(),
        false,
        null,
        null,
        null,
        null,
        0,
        0,
        null,
        failure);
  }

  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  /** The score; NaN, which counts as the worst, if there is none. */
  @JsonIgnore
  public double comparable() {
    return score == null ? Double.NaN : score;
  }
}
