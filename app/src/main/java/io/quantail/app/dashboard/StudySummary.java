package io.quantail.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Objects;

/**
 * One sweep, walk-forward or purged cross-validation in the list of studies.
 *
 * @param id name of its directory
 * @param kind such as {@code sweep}
 * @param state finished once its result is written
 * @param runs agents that are trained
 * @param modifiedMillis when the newest of them was written
 */
record StudySummary(String id, String kind, RunSummary.State state, int runs, long modifiedMillis) {
  /** An agent of a study appears when it is trained, which may take long. */
  private static final long PATIENCE_MILLIS = 60 * 60_000;

  static StudySummary of(
      RunFiles folder, String kind, Collection<RunSummary> runs, long nowMillis) {
    long begun = folder.stamp(RunFiles.STUDY).map(RunFiles.Stamp::modifiedMillis).orElse(0L);
    long modified =
        runs.stream()
            .map(RunSummary::modifiedMillis)
            .filter(Objects::nonNull)
            .mapToLong(Long::longValue)
            .reduce(begun, Math::max);
    RunSummary.State state =
        folder.stamp(resultFile(kind)).isPresent()
            ? RunSummary.State.FINISHED
            : nowMillis - modified >= PATIENCE_MILLIS
                ? RunSummary.State.OVERDUE
                : RunSummary.State.RUNNING;
    return new StudySummary(folder.id(), kind, state, runs.size(), modified);
  }

  /** The kind of a study, from {@code data.json}. */
  static String kind(RunFiles folder) {
    JsonNode kind = folder.document(RunFiles.STUDY).path("kind");
    return kind.asText("study");
  }

  /** Name of the file with the result of such a study. */
  static String resultFile(String kind) {
    return kind.equals("sweep") ? RunFiles.SWEEP_RESULT : RunFiles.WALK_FORWARD_RESULT;
  }
}
