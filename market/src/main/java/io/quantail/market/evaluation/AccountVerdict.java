package io.quantail.market.evaluation;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quantail.evidence.AlphaBeta;
import io.quantail.evidence.ConfidenceInterval;
import io.quantail.evidence.EvidenceException;
import io.quantail.evidence.MeanDifference;
import io.quantail.evidence.SharpeDifference;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.CombinedAccount;
import io.quantail.market.ledger.TrialEvidence;
import io.quantail.market.performance.DrawdownYear;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the bars prove about an agent's account.
 *
 * @param symbol name of the symbol; null for the combined account of several
 * @param bars number of bars
 * @param totalReturn of the account, after costs
 * @param meanWeight mean weight that the agent held
 * @param baselines total return of each baseline through the same account, in the order of reports
 * @param timing mean log-return against holding the mean weight all the time; null if undefined
 * @param sharpe Sharpe ratio against the same; null if undefined
 * @param market regression on buy-and-hold; null if undefined
 * @param drawdownYear drawdowns in the year in which the market fell deepest; null if buy-and-hold
 *     was not traded
 * @param luck what the Sharpe ratio proves if it is the only trial; with the number of trials in
 *     the ledger it is in {@code evidence.json}
 * @param skill conclusion from {@code timing}
 * @param notes why numbers are undefined, in sentences
 */
public record AccountVerdict(
    @Nullable String symbol,
    int bars,
    double totalReturn,
    double meanWeight,
    Map<String, Double> baselines,
    @Nullable MeanDifference timing,
    @Nullable SharpeDifference sharpe,
    @Nullable AlphaBeta market,
    @Nullable DrawdownYear drawdownYear,
    TrialEvidence luck,
    Skill skill,
    List<String> notes) {

  /** What the comparison with the agent's own mean weight proves. */
  public enum Skill {
    /** The whole interval of the difference is above 0. */
    SHOWN,
    /** The interval contains 0: no timing is shown. */
    NOT_SHOWN,
    /** The whole interval is below 0: the agent's timing lost money. */
    NEGATIVE,
    /** The bars do not support an interval. */
    UNDEFINED;

    static Skill of(@Nullable MeanDifference timing) {
      if (timing == null) {
        return UNDEFINED;
      }
      ConfidenceInterval interval = timing.interval();
      return interval.contains(0) ? NOT_SHOWN : interval.low() > 0 ? SHOWN : NEGATIVE;
    }

    /** The name in files, such as {@code not-shown}. */
    @JsonValue
    public String id() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * Weighs the account of an agent.
   *
   * @param symbol name of the symbol; null for the combined account of several
   * @param symbols agent and baselines on each symbol
   * @param seed of the bootstrap
   */
  static AccountVerdict of(@Nullable String symbol, List<BaselineComparison> symbols, long seed) {
    Map<String, CombinedAccount> accounts = accounts(symbols);
    CombinedAccount agent = account(accounts, BaselineComparison.AGENT);
    CombinedAccount matched = account(accounts, BaselineComparison.EXPOSURE_MATCHED);
    CombinedAccount held = account(accounts, BaselineComparison.BUY_AND_HOLD);
    Map<String, Double> baselines = new LinkedHashMap<>();
    accounts.forEach((policy, account) -> baselines.put(policy, account.totalReturn()));
    baselines.remove(BaselineComparison.AGENT);
    Notes notes = new Notes();
    MeanDifference timing =
        notes.answer(() -> MeanDifference.of(agent.logReturns(), matched.logReturns(), seed));
    return new AccountVerdict(
        symbol,
        agent.logReturns().length,
        agent.totalReturn(),
        symbols.stream().mapToDouble(AccountVerdict::weight).average().orElseThrow(),
        baselines,
        timing,
        notes.answer(() -> SharpeDifference.of(agent.returns(), matched.returns(), seed)),
        notes.answer(() -> AlphaBeta.of(agent.returns(), held.returns(), seed)),
        drawdownYear(accounts).orElse(null),
        TrialEvidence.ofOnlyTrial(agent.returns()),
        Skill.of(timing),
        List.copyOf(notes.sentences));
  }

  /**
   * The year in which the market fell deepest, and how deep an agent fell in it; empty if
   * buy-and-hold was not traded.
   *
   * @param symbols agent and baselines on each symbol
   */
  public static Optional<DrawdownYear> drawdownYear(List<BaselineComparison> symbols) {
    return drawdownYear(accounts(symbols));
  }

  private static Optional<DrawdownYear> drawdownYear(Map<String, CombinedAccount> accounts) {
    return DrawdownYear.of(
        account(accounts, BaselineComparison.AGENT),
        account(accounts, BaselineComparison.EXPOSURE_MATCHED),
        account(accounts, BaselineComparison.BUY_AND_HOLD));
  }

  /**
   * The accounts of the policies that all symbols have, at the same closes: an account that ended
   * early has fewer of its own.
   */
  private static Map<String, CombinedAccount> accounts(List<BaselineComparison> symbols) {
    List<BacktestResult> all =
        symbols.stream()
            .flatMap(symbol -> symbol.entries().stream())
            .map(BaselineComparison.Entry::result)
            .toList();
    long[] closes = CombinedAccount.closes(all);
    Map<String, CombinedAccount> accounts = new LinkedHashMap<>();
    for (BaselineComparison.Entry entry : symbols.get(0).entries()) {
      String policy = entry.result().policy();
      if (symbols.stream().allMatch(one -> one.has(policy))) {
        accounts.put(
            policy, CombinedAccount.of(BaselineComparison.results(symbols, policy), closes));
      }
    }
    return accounts;
  }

  private static CombinedAccount account(Map<String, CombinedAccount> accounts, String policy) {
    CombinedAccount account = accounts.get(policy);
    return account == null ? CombinedAccount.of(List.of(), new long[0]) : account;
  }

  private static double weight(BaselineComparison symbol) {
    return symbol.agent().performance().exposure();
  }

  /** Collects the reasons of questions that the bars cannot answer. */
  private static final class Notes {
    private final List<String> sentences = new ArrayList<>();

    <T> @Nullable T answer(Supplier<T> question) {
      try {
        return question.get();
      } catch (EvidenceException refused) {
        if (!sentences.contains(refused.getMessage())) {
          sentences.add(refused.getMessage());
        }
        return null;
      }
    }
  }
}
