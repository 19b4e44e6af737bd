package io.quantail.market.data;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Result of reading a file or the files of a glob.
 *
 * @param bars the bars; null if there are errors
 * @param sources how each file was interpreted, for example {@code btc.csv: 9399 rows, times are
 *     ISO-8601 and bar closes}
 * @param problems errors and warnings, by file and line
 */
public record BarsReadReport(
    @Nullable Bars bars, List<String> sources, List<DataProblem> problems) {

  /** {@return the problems because of which the bars are refused} */
  public List<DataProblem> errors() {
    return of(DataProblem.Severity.ERROR);
  }

  /** {@return the problems that do not prevent reading} */
  public List<DataProblem> warnings() {
    return of(DataProblem.Severity.WARNING);
  }

  /**
   * Returns the bars if they are not refused.
   *
   * @return the bars
   * @throws DataException with all errors, if there are any
   */
  public Bars orThrow() {
    if (!errors().isEmpty()) {
      throw new DataException(errors());
    }
    return Objects.requireNonNull(bars);
  }

  private List<DataProblem> of(DataProblem.Severity severity) {
    return problems.stream().filter(problem -> problem.severity() == severity).toList();
  }
}
