package io.quantail.app.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.io.AtomicFiles;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.run.RunLayout;
import io.quantail.run.RunResult;
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
 * @param run directory of the agent that was trained without the limit; null for accounts of
 *     several agents
 * @param limited agent with the limit
 * @param free agent without it
 */
public record LimitCost(@Nullable String run, Agent limited, Agent free) {
  /** Name of the record in {@code result.json}. */
  public static final String FIELD = "withoutLimit";

  /** The name of the run without the limit is that of the run with it, and this end. */
  public static final String SUFFIX = "-without-limit";

  /**
   * One of the two agents.
   *
   * @param totalReturn of its account after costs, or its mean return of episodes
   * @param maxDrawdown largest of its symbols; null without a market
   * @param limit the same limit, measured on it
   */
  public record Agent(double totalReturn, @Nullable Double maxDrawdown, LimitResult limit) {
    /** The agent of a finished run with a limit. */
    static Agent read(Path run) {
      JsonNode evaluation = result(run).path("evaluation");
      LimitResult limit =
          LimitResult.read(run)
              .orElseThrow(() -> new IllegalStateException(run + " has no result with a limit"));
      JsonNode total = evaluation.path("totalReturn");
      return total.isNumber()
          ? new Agent(total.doubleValue(), maxDrawdown(evaluation.path("symbols")), limit)
          : new Agent(evaluation.path("meanReturn").doubleValue(), null, limit);
    }

    private static double maxDrawdown(JsonNode symbols) {
      double largest = 0;
      for (JsonNode symbol : symbols) {
        largest = Math.max(largest, symbol.at("/agent/maxDrawdown").doubleValue());
      }
      return largest;
    }

    /** The account of several symbols. */
    static Agent of(double totalReturn, List<BaselineComparison> symbols, LimitResult limit) {
      return new Agent(
          totalReturn,
          symbols.stream()
              .mapToDouble(symbol -> symbol.agent().performance().maxDrawdown())
              .max()
              .orElseThrow(),
          limit);
    }
  }

  /** The directory of the agent without the limit, beside that of the agent with it. */
  public static Path free(Path run) {
    return run.resolveSibling(run.toAbsolutePath().normalize().getFileName() + SUFFIX);
  }

  /**
   * Compares a finished run with the one beside it that was trained without the limit.
   *
   * @param run with the limit
   * @param name of the run without it
   */
  public static LimitCost of(Path run, String name) {
    return new LimitCost(name, Agent.read(run), Agent.read(free(run)));
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
    JsonNode cost = result(run).path(FIELD);
    try {
      return cost.isObject() ? Json.MAPPER.treeToValue(cost, LimitCost.class) : null;
    } catch (JsonProcessingException damaged) {
      return null;
    }
  }

  /** The stored result of a run; missing if there is none or it is damaged. */
  private static JsonNode result(Path run) {
    Path file = run.resolve(RunLayout.RESULT);
    try {
      return Files.isRegularFile(file)
          ? Json.MAPPER.readTree(file.toFile())
          : MissingNode.getInstance();
    } catch (IOException damaged) {
      return MissingNode.getInstance();
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
