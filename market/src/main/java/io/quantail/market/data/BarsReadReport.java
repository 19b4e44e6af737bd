package io.quantail.market.data;

import java.util.List;

/**
 * What was read from a file, a list of files or a glob.
 *
 * @param bars the bars; null if there are errors
 * @param sources how each file was understood, for example {@code btc.csv: 9399 rows, times are
 *     ISO-8601 and bar closes}
 * @param problems errors and warnings, by file and line
 */
public record BarsReadReport(Bars bars, List<String> sources, List<DataProblem> problems) {

  public List<DataProblem> errors() {
    return of(DataProblem.Severity.ERROR);
  }

  public List<DataProblem> warnings() {
    return of(DataProblem.Severity.WARNING);
  }

  /** The bars, or all errors at once. */
  public Bars orThrow() {
    if (!errors().isEmpty()) {
      throw new DataException(errors());
    }
    return bars;
  }

  private List<DataProblem> of(DataProblem.Severity severity) {
    return problems.stream().filter(problem -> problem.severity() == severity).toList();
  }
}
