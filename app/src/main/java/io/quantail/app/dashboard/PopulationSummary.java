package io.quantail.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * One population in the list of populations.
 *
 * @param id name of its directory
 * @param state of its training
 * @param members number of members; null if unknown
 * @param generations number of generations to train; null if unknown
 * @param done entries of the journal: members times generations so far
 * @param failed entries without a score
 * @param bestScore highest score; null if there is none
 * @param modifiedMillis when the journal was last written
 */
record PopulationSummary(
    String id,
    RunSummary.State state,
    @Nullable Integer members,
    @Nullable Integer generations,
    int done,
    int failed,
    @Nullable Double bestScore,
    long modifiedMillis) {
  /** Nothing is written until a member has finished a generation, which may take long. */
  private static final long PATIENCE_MILLIS = 10 * 60_000;

  static PopulationSummary of(RunFiles folder, PopulationJournalView log, long nowMillis) {
    Integer members = count(log.settings(), "size");
    Integer generations = count(log.settings(), "generations");
    int failed = (int) log.entries().stream().filter(entry -> entry.score() == null).count();
    PopulationSummary known =
        new PopulationSummary(
            folder.id(),
            RunSummary.State.EMPTY,
            members,
            generations,
            log.entries().size(),
            failed,
            log.best() == null ? null : log.best().score(),
            folder.stamp(RunFiles.JOURNAL).map(RunFiles.Stamp::modifiedMillis).orElse(0L));
    return known.at(nowMillis);
  }

  private static @Nullable Integer count(@Nullable JsonNode settings, String name) {
    return settings != null && settings.path(name).canConvertToInt()
        ? settings.path(name).asInt()
        : null;
  }

  /** The same summary with the state at another time. */
  PopulationSummary at(long nowMillis) {
    return new PopulationSummary(
        id, stateAt(nowMillis), members, generations, done, failed, bestScore, modifiedMillis);
  }

  private RunSummary.State stateAt(long nowMillis) {
    if (members != null && generations != null && done >= (long) members * generations) {
      return RunSummary.State.FINISHED;
    }
    if (nowMillis - modifiedMillis >= PATIENCE_MILLIS) {
      return RunSummary.State.OVERDUE;
    }
    return done == 0 ? RunSummary.State.EMPTY : RunSummary.State.RUNNING;
  }
}
