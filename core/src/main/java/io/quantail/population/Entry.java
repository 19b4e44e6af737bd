package io.quantail.population;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Map;

/**
 * What became of a member in one generation; one line of the journal.
 *
 * @param member its number
 * @param generation from 0
 * @param source whose snapshot it went on from; -1 when it began
 * @param seed of its random numbers
 * @param hyperparameters its values
 * @param done whether it was trained; if not, it failed in every attempt
 * @param snapshot directory of its snapshot, relative to the population; null if it failed
 * @param hash SHA-256 of the snapshot's state; null if it failed
 * @param score mean return of the held-out episodes; null if it failed or is not finite
 * @param trainingReturn mean return of its last episodes in training; null if there is none
 * @param updates updates done since its line began
 * @param steps environment steps done since then
 * @param learningRate that its next update uses; null if it failed
 * @param failure what went wrong; null if nothing did
 */
public record Entry(
    int member,
    int generation,
    int source,
    long seed,
    Map<String, String> hyperparameters,
    boolean done,
    String snapshot,
    String hash,
    Double score,
    Double trainingReturn,
    long updates,
    long steps,
    Double learningRate,
    String failure) {

  static Entry of(Unit unit, MemberResult result, String snapshot) {
    return new Entry(
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

  static Entry failed(Unit unit, String failure) {
    return new Entry(
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

  private static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  /** NaN where there is none: the worst. */
  @JsonIgnore
  public double comparable() {
    return score == null ? Double.NaN : score;
  }
}
