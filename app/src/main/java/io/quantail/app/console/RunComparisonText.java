package io.quantail.app.console;

import io.quantail.app.report.CompareReport;
import io.quantail.app.runs.RunComparison;
import java.util.List;

/** A comparison of runs as text: numbers, and the settings that differ. */
public final class RunComparisonText {
  private RunComparisonText() {}

  public static String of(RunComparison comparison) {
    StringBuilder text = new StringBuilder();
    text.append(table("", comparison.names(), comparison.rows())).append(System.lineSeparator());
    if (comparison.settings().isEmpty()) {
      text.append(WrappedText.of("all settings are the same"));
    } else {
      text.append(table("settings that differ", comparison.names(), comparison.settings()));
    }
    comparison
        .notes()
        .forEach(
            note ->
                text.append(System.lineSeparator())
                    .append(WrappedText.of("note: " + note, "", "  ")));
    return text.toString();
  }

  private static String table(String name, List<String> runs, List<CompareReport.Row> rows) {
    TextTable table = new TextTable().left(name);
    runs.forEach(table::right);
    for (CompareReport.Row row : rows) {
      String[] cells = new String[runs.size() + 1];
      cells[0] = row.name();
      for (int i = 0; i < runs.size(); i++) {
        cells[i + 1] = Style.status(row.cells().get(i));
      }
      table.row(cells);
    }
    return table.toString();
  }
}
