package io.quantail.app.report;

import io.quantail.app.report.LimitCost.Agent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a limit cost in a study: the same settings and seeds trained with it and without it. It is
 * {@code withoutLimit} in the JSON of the study.
 *
 * @param agents every agent with the limit beside the one without it
 * @param whole the same of whole accounts: the chained folds of each seed, or each path; empty if
 *     the agents are not parts of one
 */
public record StudyLimitCost(List<Pair> agents, List<Pair> whole) {

  /**
   * Two results of the same seed.
   *
   * @param part what was evaluated, for tables
   * @param seed of the agents
   * @param cost numbers of both
   */
  public record Pair(String part, long seed, LimitCost cost) {}

  /**
   * One line of a table: means over the pairs of a part. A difference is that of the agents with
   * the limit minus that of those without it.
   *
   * @param part what was evaluated
   * @param totalReturn with the limit
   * @param returnDifference change by the limit
   * @param cvar with the limit; null if it is not defined for all
   * @param cvarDifference change by the limit
   * @param maxDrawdown with the limit; null without a market
   * @param drawdownDifference change by the limit
   */
  public record Row(
      String part,
      double totalReturn,
      double returnDifference,
      @Nullable Double cvar,
      @Nullable Double cvarDifference,
      @Nullable Double maxDrawdown,
      @Nullable Double drawdownDifference) {
    static Row of(String part, List<Pair> pairs) {
      Double cvar = mean(pairs, LimitCost::limited, StudyLimitCost::cvar);
      Double drawdown = mean(pairs, LimitCost::limited, Agent::maxDrawdown);
      double returns = Objects.requireNonNull(mean(pairs, LimitCost::limited, Agent::totalReturn));
      return new Row(
          part,
          returns,
          returns - Objects.requireNonNull(mean(pairs, LimitCost::free, Agent::totalReturn)),
          cvar,
          difference(cvar, mean(pairs, LimitCost::free, StudyLimitCost::cvar)),
          drawdown,
          difference(drawdown, mean(pairs, LimitCost::free, Agent::maxDrawdown)));
    }
  }

  private static @Nullable Double cvar(Agent agent) {
    return agent.limit().measured();
  }

  private static @Nullable Double difference(@Nullable Double limited, @Nullable Double free) {
    return limited == null || free == null ? null : Double.valueOf(limited - free);
  }

  private static @Nullable Double mean(
      List<Pair> pairs,
      Function<LimitCost, Agent> which,
      Function<Agent, @Nullable Double> number) {
    double sum = 0;
    for (Pair pair : pairs) {
      Double value = number.apply(which.apply(pair.cost()));
      if (value == null) {
        return null;
      }
      sum += value;
    }
    return sum / pairs.size();
  }

  /** The pair of a run and of the one beside it that was trained without the limit. */
  public static Pair pair(String part, long seed, Path run) {
    Path free = LimitCost.free(run);
    Path agents = Objects.requireNonNull(free.getParent(), "runs are in the directory of a study");
    String name = agents.getFileName() + "/" + free.getFileName();
    return new Pair(part, seed, LimitCost.of(run, name));
  }

  /** One row for each part, in order. */
  public List<Row> rows() {
    return agents.stream()
        .map(Pair::part)
        .distinct()
        .map(part -> Row.of(part, agents.stream().filter(one -> one.part().equals(part)).toList()))
        .toList();
  }

  /** The row of whole accounts, or of all agents. */
  public Row total() {
    return Row.of(whole.isEmpty() ? "all" : whole.get(0).part(), wholes());
  }

  private List<Pair> wholes() {
    return whole.isEmpty() ? agents : whole;
  }

  /** Whether the results are returns of accounts on a market. */
  public boolean onMarket() {
    return agents.get(0).cost().limited().maxDrawdown() != null;
  }

  /** Sentences on the whole: the change of return over the seeds, then tail and drawdown. */
  public List<String> sentences() {
    double[] differences =
        wholes().stream()
            .mapToDouble(
                one -> one.cost().limited().totalReturn() - one.cost().free().totalReturn())
            .sorted()
            .toArray();
    Row total = total();
    List<String> sentences = new ArrayList<>();
    sentences.add(
        "The limit %s %s of return%s: %s with it, %s without it%s."
            .formatted(
                total.returnDifference() <= 0 ? "cost" : "saved",
                amount(Math.abs(total.returnDifference())),
                differences.length == 1 ? "" : " on average",
                result(total.totalReturn()),
                result(total.totalReturn() - total.returnDifference()),
                differences.length == 1
                    ? ""
                    : String.format(
                        Locale.ROOT,
                        "; of %d pairs the return changed by %s to %s",
                        differences.length,
                        change(differences[0]),
                        change(differences[differences.length - 1]))));
    Stream.of(tail(total), drawdown(total)).filter(text -> !text.isEmpty()).forEach(sentences::add);
    long seeds = agents.stream().map(Pair::seed).distinct().count();
    if (seeds == 1) {
      sentences.add("Both have the same seed; one seed is one sample of the cost.");
    }
    return sentences;
  }

  private String tail(Row total) {
    return total.cvar() == null || total.cvarDifference() == null
        ? ""
        : "The CVaR is %s with it and %s without it."
            .formatted(cvar(total.cvar()), cvar(total.cvar() - total.cvarDifference()));
  }

  private static String drawdown(Row total) {
    return total.maxDrawdown() == null || total.drawdownDifference() == null
        ? ""
        : format(
            "The max drawdown is %.2f %% with it and %.2f %% without it.",
            100 * total.maxDrawdown(), 100 * (total.maxDrawdown() - total.drawdownDifference()));
  }

  private String amount(double difference) {
    return onMarket() ? format("%.2f points", 100 * difference) : format("%.4g", difference);
  }

  /** A return, as it is written in tables. */
  public String result(double value) {
    return onMarket() ? format("%+.2f %%", 100 * value) : format("%.4g", value);
  }

  /** A change of the return. */
  public String change(double value) {
    return onMarket() ? format("%+.2f %%", 100 * value) : format("%+.4g", value);
  }

  /** A CVaR. */
  public String cvar(double value) {
    return LimitText.value(agents.get(0).cost().limited().limit(), value);
  }

  /** A change of the CVaR. */
  public String cvarChange(double value) {
    return (value > 0 ? "+" : "") + cvar(value);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
