package io.quantail.market.data;

import java.util.List;

/** Refuses data and lists all problems found; the command exits with 3. */
public class DataException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN = 50;

  private final transient List<DataProblem> problems;

  /**
   * Refuses files with all their problems.
   *
   * @param problems problems in the order of files and lines
   */
  public DataException(List<DataProblem> problems) {
    super(text(problems));
    this.problems = List.copyOf(problems);
  }

  /**
   * Refuses data for a reason that is not in one place of a file.
   *
   * @param message what is wrong, what is allowed and what to do
   */
  public DataException(String message) {
    super(message);
    this.problems = List.of();
  }

  /** {@return all problems, in the order of files and lines; the message sums them up} */
  public List<DataProblem> problems() {
    return problems;
  }

  private static String text(List<DataProblem> problems) {
    StringBuilder text = new StringBuilder();
    text.append(problems.size() == 1 ? "1 problem" : problems.size() + " problems");
    text.append(" in the data:");
    List<ProblemSummary.Line> lines = ProblemSummary.lines(problems);
    lines.stream().limit(SHOWN).forEach(line -> text.append("\n  ").append(line.text()));
    if (lines.size() > SHOWN) {
      text.append("\n  ... and ").append(lines.size() - SHOWN).append(" more");
    }
    return text.toString();
  }
}
