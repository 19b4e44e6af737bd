package io.quantail.app.console;

import io.quantail.app.report.StudyLimitCost;
import io.quantail.app.report.StudyLimitCost.Row;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the limit cost in a study as text: every part, the whole, and sentences. */
public final class LimitCostText {
  private static final int MOST_ROWS = 30; // more are in the files

  private LimitCostText() {}

  /**
   * The lines of a summary.
   *
   * @param part head of the first column
   * @param cost null if it was not measured, which gives no line
   */
  public static String of(String part, @Nullable StudyLimitCost cost) {
    if (cost == null) {
      return "";
    }
    TextTable table =
        new TextTable().left(part).right("return").right("change").right("CVaR").right("change");
    if (cost.onMarket()) {
      table.right("drawdown").right("change");
    }
    cost.rows().stream().limit(MOST_ROWS).forEach(row -> add(table, row, cost));
    if (cost.rows().size() > 1) {
      add(table, cost.total(), cost);
    }
    return System.lineSeparator()
        + WrappedText.of(
            "What the limit cost: results with it, and what it changed; means over seeds")
        + System.lineSeparator()
        + table
        + System.lineSeparator()
        + WrappedText.paragraphs("", cost.sentences());
  }

  private static void add(TextTable table, Row row, StudyLimitCost cost) {
    String tail = row.cvar() == null ? "not defined" : cost.cvar(row.cvar());
    String tailChange = row.cvarDifference() == null ? "" : cost.cvarChange(row.cvarDifference());
    String total = cost.result(row.totalReturn());
    String change = cost.change(row.returnDifference());
    if (cost.onMarket()) {
      table.row(
          row.part(),
          total,
          change,
          tail,
          tailChange,
          percent("%.2f %%", row.maxDrawdown()),
          percent("%+.2f %%", row.drawdownDifference()));
    } else {
      table.row(row.part(), total, change, tail, tailChange);
    }
  }

  private static String percent(String pattern, @Nullable Double fraction) {
    return fraction == null ? "" : String.format(Locale.ROOT, pattern, 100 * fraction);
  }
}
