package io.quantail.app.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.io.AtomicFiles;
import io.quantail.market.evaluation.MarketEvaluationResult;
import io.quantail.run.RunLayout;
import io.quantail.run.RunResult;
import io.quantail.run.evaluation.EvaluationResult;
import io.quantail.run.evaluation.LimitResult;
import io.quantail.run.io.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a limit cost: the same settings and seed trained with it and without it, evaluated on the
 * same data. It is {@code withoutLimit} in {@code result.json} of the run with the limit.
 *
 * @param run directory of the agent that was trained without the limit
 * @param limited agent with the limit
 * @param free agent without it
 */
public record LimitCost(String run, Agent limited, Agent free) {
  /** Name of the record in {@code result.json}. */
  public static final String FIELD = "withoutLimit";

  /**
   * One of the two agents.
   *
   * @param totalReturn of its account after costs, or its mean return of episodes
   * @param maxDrawdown largest of its symbols; null without a market
   * @param limit the same limit, measured on it
   */
  public record Agent(double totalReturn, @Nullable Double maxDrawdown, LimitResult limit) {
    static Agent of(RunResult result) {
      EvaluationResult evaluation = Objects.requireNonNull(result.evaluation());
      LimitResult limit = Objects.requireNonNull(evaluation.limit());
      return evaluation instanceof MarketEvaluationResult market
          ? new Agent(
              market.totalReturn(),
              market.symbols().stream()
                  .mapToDouble(symbol -> symbol.agent().performance().maxDrawdown())
                  .max()
                  .orElseThrow(),
              limit)
          : new Agent(evaluation.score(), null, limit);
    }
  }

  /**
   * Compares two trainings of the same settings and seed.
   *
   * @param limited trained with the limit
   * @param free trained without it
   */
  public static LimitCost of(RunResult limited, RunResult free) {
    return new LimitCost(free.run(), Agent.of(limited), Agent.of(free));
  }

  /**
   * A result as JSON.
   *
   * @param cost null if it was not measured
   */
  public static ObjectNode tree(RunResult result, @Nullable LimitCost cost) {
    ObjectNode tree = Json.tree(result);
    if (cost != null) {
      tree.set(FIELD, Json.tree(cost));
    }
    return tree;
  }

  /** Adds the cost to the stored result of the agent with the limit. */
  public void write(Path run, RunResult result) {
    try {
      AtomicFiles.write(run.resolve(RunLayout.RESULT), Json.text(tree(result, this)));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + run.resolve(RunLayout.RESULT), failure);
    }
  }

  /** Reads the cost from the stored result of a run; null if it was not measured. */
  public static @Nullable LimitCost read(Path run) {
    Path file = run.resolve(RunLayout.RESULT);
    if (!Files.isRegularFile(file)) {
      return null;
    }
    try {
      JsonNode cost = Json.MAPPER.readTree(file.toFile()).path(FIELD);
      return cost.isObject() ? Json.MAPPER.treeToValue(cost, LimitCost.class) : null;
    } catch (IOException damaged) {
      return null;
    }
  }

  /** Three sentences: return, CVaR and drawdown of both agents. */
  public List<String> sentences() {
    boolean market = limited.maxDrawdown() != null && free.maxDrawdown() != null;
    String returns =
        market
            ? "Without the limit the same agent %s after costs; with the limit it %s: the limit %s."
                .formatted(
                    VerdictText.result(free.totalReturn()),
                    VerdictText.result(limited.totalReturn()),
                    difference())
            : format(
                "Without the limit the mean return of the same agent is %.4g, with it %.4g.",
                free.totalReturn(), limited.totalReturn());
    String tails =
        "Without it the CVaR is %s, with it %s%s."
            .formatted(
                LimitText.cell(free.limit(), free.limit().judged().estimate()),
                LimitText.cell(limited.limit(), limited.limit().judged().estimate()),
                market
                    ? format(
                        "; the max drawdown is %.2f %% and %.2f %%",
                        100 * Objects.requireNonNull(free.maxDrawdown()),
                        100 * Objects.requireNonNull(limited.maxDrawdown()))
                    : "");
    return List.of(returns, tails, "Both have the same seed; one seed is one sample of the cost.");
  }

  private String difference() {
    double cost = 100 * (free.totalReturn() - limited.totalReturn());
    return cost >= 0
        ? format("cost %.2f points of return", cost)
        : format("saved %.2f points of return", -cost);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
