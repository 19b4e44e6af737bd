package io.quantail.app.console;

import io.quantail.app.runs.StoredRun;
import java.util.List;
import java.util.Locale;

/** A list of runs as text. */
public final class RunsText {
  private static final int TO_THE_MINUTE = "2024-01-31T23:59".length();

  private RunsText() {}

  public static String of(List<StoredRun> runs) {
    TextTable table =
        new TextTable()
            .left("run")
            .left("state")
            .right("result")
            .left("changed")
            .left("limit")
            .optional()
            .left("kind")
            .optional()
            .left("environment")
            .optional()
            .right("seed")
            .optional()
            .right("steps")
            .optional();
    for (StoredRun run : runs) {
      table.row(
          run.name(),
          state(run.state()),
          result(run),
          run.changed().substring(0, TO_THE_MINUTE).replace('T', ' '),
          run.limit() == null ? "" : Style.status(run.limit()),
          StoredRun.written(run.kind()),
          run.environment(),
          run.seed() == null ? "" : run.seed().toString(),
          run.steps() == null ? "" : String.format(Locale.ROOT, "%,d", run.steps()));
    }
    return table.toString();
  }

  private static String state(StoredRun.State state) {
    String word = StoredRun.written(state);
    return state == StoredRun.State.FINISHED ? word : Style.YELLOW.of(word);
  }

  private static String result(StoredRun run) {
    if (run.agents() != null) {
      return String.format(Locale.ROOT, "%d agents", run.agents());
    }
    if (run.result() == null) {
      return "";
    }
    return run.market()
        ? String.format(Locale.ROOT, "%+.2f %%", 100 * run.result())
        : TrainingSummary.shown(run.result());
  }
}
