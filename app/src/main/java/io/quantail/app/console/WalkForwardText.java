package io.quantail.app.console;

import io.quantail.app.report.VerdictText;
import io.quantail.app.report.WalkForwardEvidence;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.walkforward.FoldResult;
import io.quantail.market.walkforward.WalkForwardFold;
import io.quantail.market.walkforward.WalkForwardResult;
import io.quantail.market.walkforward.WalkForwardResult.SeedResult;
import io.quantail.market.walkforward.WalkForwardResult.Spread;
import io.quantail.run.RunLayout;
import io.quantail.run.evaluation.LimitResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/** The result of a walk-forward evaluation as text: every fold, every seed, and the verdict. */
public final class WalkForwardText {
  private WalkForwardText() {}

  private static final int TO_THE_MINUTE = "2024-01-31T23:59".length();

  public static String of(Path directory, WalkForwardResult result, WalkForwardEvidence evidence) {
    StringBuilder text = new StringBuilder();
    text.append(
        format("%n")
            + WrappedText.of(
                format(
                    "Walk forward, folds: %d, seeds: %d; out-of-sample returns net of costs",
                    result.folds().size(), result.seeds().size()))
            + format("%n"));
    text.append(folds(result, evidence)).append(format("%n")).append(seeds(result, evidence));
    result.medianSeed().symbols().forEach(symbol -> text.append(ComparisonText.of(symbol)));
    LimitResult limit = evidence.limits().get(result.medianSeed().seed());
    if (limit != null) {
      text.append(System.lineSeparator()).append(EvaluationText.limit(limit, evidence.forecasts()));
      text.append(LimitCostText.of("fold", evidence.cost()));
    }
    text.append(System.lineSeparator()).append(verdict(result, evidence));
    text.append(files(directory, RunLayout.CHAINED_ACCOUNT));
    return text.toString();
  }

  /** The last lines: where the agents and the series of the accounts are. */
  static String files(Path directory, String curves) {
    return System.lineSeparator()
        + WrappedText.entry(
            "agents", directory.resolve(RunLayout.FOLDS) + " (each a run for evaluate and signal)")
        + WrappedText.entry("curves", directory.resolve(curves).toString());
  }

  private static String verdict(WalkForwardResult result, WalkForwardEvidence evidence) {
    List<String> sentences = new ArrayList<>(List.of(evidence.headline()));
    sentences.add(WalkForwardEvidence.seeds(result));
    sentences.addAll(VerdictText.sentences(evidence.verdict()));
    return WrappedText.paragraphs(Style.BOLD.of("Verdict"), sentences);
  }

  private static TextTable folds(WalkForwardResult result, WalkForwardEvidence evidence) {
    boolean limited = !evidence.limits().isEmpty();
    TextTable table =
        new TextTable()
            .left("fold")
            .left("test bars from")
            .right("worst")
            .right("median")
            .right("best")
            .right("buy-and-hold")
            .left(limited ? "limit" : "");
    for (WalkForwardFold fold : result.folds()) {
      List<FoldResult> agents = result.of(fold);
      addRow(
          table,
          String.valueOf(fold.number()),
          fold.test().substring(0, TO_THE_MINUTE).replace('T', ' '),
          result.spread(fold),
          agents.get(0).totalReturn(BaselineComparison.BUY_AND_HOLD),
          limited ? counts(agents.stream().map(evidence::status).toList()) : "");
    }
    addRow(
        table,
        "all",
        "chained",
        result.spread(),
        result.medianSeed().totalReturn(BaselineComparison.BUY_AND_HOLD),
        counts(evidence.limits().values().stream().map(limit -> limit.status().id()).toList()));
    return table;
  }

  /** {@code 2 kept, 1 broken}. */
  static String counts(List<String> statuses) {
    return statuses.stream().distinct().count() == 1
        ? statuses.get(0)
        : statuses.stream()
            .distinct()
            .map(status -> Collections.frequency(statuses, status) + " " + status)
            .collect(Collectors.joining(", "));
  }

  private static void addRow(
      TextTable table, String name, String bars, Spread agents, double held, String limit) {
    table.row(
        name,
        bars,
        percent(agents.worst()),
        percent(agents.median()),
        percent(agents.best()),
        percent(held),
        limit);
  }

  @SuppressWarnings("ReferenceEquality") // the median seed is one of the seeds
  private static TextTable seeds(WalkForwardResult result, WalkForwardEvidence evidence) {
    boolean limited = !evidence.limits().isEmpty();
    TextTable table =
        new TextTable()
            .left("seed")
            .right("chained")
            .right("random")
            .left(limited ? "limit" : "")
            .left("");
    for (SeedResult seed : result.seeds()) {
      table.row(
          String.valueOf(seed.seed()),
          percent(seed.totalReturn(BaselineComparison.AGENT)),
          percent(seed.totalReturn(BaselineComparison.RANDOM)),
          limited ? Style.status(status(evidence, seed)) : "",
          seed == result.medianSeed() ? "the median seed, below" : "");
    }
    return table;
  }

  private static String status(WalkForwardEvidence evidence, SeedResult seed) {
    return Objects.requireNonNull(evidence.limits().get(seed.seed())).status().id();
  }

  private static String percent(double share) {
    return format("%+.2f %%", 100 * share);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
