package io.quantail.market.data;

import io.quantail.market.data.BarValidator.Finding;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds file, line and written value to the findings of a {@link BarValidator}. */
final class ProblemLocator {
  private final BarsFileReader file;
  private final int firstRow;
  private final double[][] columns;

  /**
   * A locator for the bars of one file.
   *
   * @param firstRow index of the file's first bar among all bars
   * @param columns the numbers of all bars
   */
  ProblemLocator(BarsFileReader file, int firstRow, double[][] columns) {
    this.file = file;
    this.firstRow = firstRow;
    this.columns = columns;
  }

  List<DataProblem> of(List<Finding> findings) throws SQLException, IOException {
    if (findings.isEmpty()) {
      return List.of();
    }
    int[] rows = findings.stream().mapToInt(finding -> finding.row() - firstRow).toArray();
    long[] lines = file.lines(rows);
    Map<Integer, Map<Integer, String>> cells = cells(findings);
    List<DataProblem> problems = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      Finding finding = findings.get(i);
      String cell = cells.getOrDefault(finding.column(), Map.of()).get(rows[i]);
      boolean asWritten = cells.containsKey(finding.column()) && isUnreadable(finding);
      String value = asWritten ? cell : number(finding);
      problems.add(
          new DataProblem(
              finding.severity(),
              finding.kind(),
              file.path().toString(),
              lines[i],
              name(finding.column()),
              value == null ? "" : value,
              value == null || value.isBlank() ? "is missing" : finding.rule()));
    }
    return problems;
  }

  /** The text of cells that are not finite numbers, by column and row. */
  private Map<Integer, Map<Integer, String>> cells(List<Finding> findings) throws SQLException {
    Map<Integer, List<Integer>> wanted = new HashMap<>();
    for (Finding finding : findings) {
      if (isUnreadable(finding)) {
        wanted
            .computeIfAbsent(finding.column(), c -> new ArrayList<>())
            .add(finding.row() - firstRow);
      }
    }
    Map<Integer, Map<Integer, String>> cells = new HashMap<>();
    for (Map.Entry<Integer, List<Integer>> entry : wanted.entrySet()) {
      int[] rows = entry.getValue().stream().mapToInt(Integer::intValue).toArray();
      List<String> texts = file.cells(name(entry.getKey()), rows);
      Map<Integer, String> byRow = new HashMap<>();
      for (int i = 0; i < rows.length; i++) {
        byRow.put(rows[i], texts.get(i));
      }
      cells.put(entry.getKey(), byRow);
    }
    return cells;
  }

  private boolean isUnreadable(Finding finding) {
    return finding.column() == BarValidator.TIME
        || !Double.isFinite(columns[finding.column()][finding.row()]);
  }

  private String number(Finding finding) {
    return String.valueOf(columns[finding.column()][finding.row()]);
  }

  private String name(int column) {
    return column == BarValidator.TIME ? file.layout().time() : file.layout().numbers().get(column);
  }
}
