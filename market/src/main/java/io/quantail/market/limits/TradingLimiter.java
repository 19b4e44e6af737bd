package io.quantail.market.limits;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Enforces {@link TradingLimits} on one account and counts the decisions changed.
 *
 * <p>It is called once per decision, at the close of a bar. Stops (drawdown, daily loss, kill file)
 * make the account flat; the turnover limit never delays such an exit. A UTC day begins with the
 * first bar that closes after midnight. Tested by {@code TradingLimiterTest}.
 */
public final class TradingLimiter {
  private static final long DAY = 24L * 3600 * 1000;
  private static final int STATE = 13;

  private static final int MAX_WEIGHT = 0;
  private static final int DRAWDOWN = 1;
  private static final int LOSS_STOPS = 2;
  private static final int COOLDOWN = 3;
  private static final int TURNOVER = 4;
  private static final int KILL = 5;

  private final TradingLimits limits;
  private final double turnoverCap;
  private final BooleanSupplier killed;

  private double peak;
  private boolean stopped;
  private long day;
  private double dayStartEquity;
  private double lastEquity;
  private int cooldown;
  private double dayTurnover;
  private final long[] counts = new long[6];

  /**
   * A limiter of one account.
   *
   * @param killed whether the kill file exists; called at each decision
   */
  public TradingLimiter(TradingLimits limits, BooleanSupplier killed) {
    this.limits = limits;
    Double cap = limits.maxDailyTurnover();
    this.turnoverCap = cap == null ? Double.POSITIVE_INFINITY : cap;
    this.killed = killed;
  }

  /** Resets all state for a new account. */
  public void open(double equity, long time) {
    peak = equity;
    lastEquity = equity;
    dayStartEquity = equity;
    day = day(time);
    stopped = false;
    cooldown = 0;
    dayTurnover = 0;
    Arrays.fill(counts, 0);
  }

  /**
   * Applies the limits to a decision.
   *
   * @param time close of the bar of the decision
   * @param equity at that close
   * @param exposure weight at that close
   * @param weight target weight of the policy
   * @return the target weight within the limits
   */
  public double limit(long time, double equity, double exposure, double weight) {
    observe(time, equity);
    if (stopped) {
      counts[DRAWDOWN]++;
      return 0;
    }
    if (cooldown > 0) {
      cooldown--;
      counts[COOLDOWN]++;
      return 0;
    }
    if (killed.getAsBoolean()) {
      counts[KILL]++;
      return 0;
    }
    return withinTurnover(exposure, withinWeight(weight));
  }

  /** Adds a filled order, as a fraction of equity, to the turnover of the day. */
  public void traded(double share) {
    dayTurnover += share;
  }

  private void observe(long time, double equity) {
    long today = day(time);
    if (today != day) {
      day = today;
      dayStartEquity = lastEquity;
      dayTurnover = 0;
    }
    lastEquity = equity;
    peak = Math.max(peak, equity);
    if (limits.drawdownStop() < 1 && equity <= peak * (1 - limits.drawdownStop())) {
      stopped = true;
    }
    boolean lost = equity <= dayStartEquity * (1 - limits.dailyLossStop());
    if (limits.dailyLossStop() < 1 && cooldown == 0 && lost) {
      cooldown = limits.cooldownBars();
      // Losses count from this equity on, so that one loss triggers one stop.
      dayStartEquity = equity;
      counts[LOSS_STOPS]++;
    }
  }

  private double withinWeight(double weight) {
    double bounded = Math.max(-limits.maxWeight(), Math.min(limits.maxWeight(), weight));
    if (bounded != weight) {
      counts[MAX_WEIGHT]++;
    }
    return bounded;
  }

  private double withinTurnover(double exposure, double weight) {
    double left = Math.max(0, turnoverCap - dayTurnover);
    if (Math.abs(weight - exposure) <= left) {
      return weight;
    }
    counts[TURNOVER]++;
    return exposure + Math.copySign(left, weight - exposure);
  }

  private static long day(long time) {
    return Math.floorDiv(time - 1, DAY);
  }

  /** The number of decisions that each limit changed. */
  public LimitCounts counts() {
    return new LimitCounts(
        counts[MAX_WEIGHT],
        counts[DRAWDOWN],
        counts[LOSS_STOPS],
        counts[COOLDOWN],
        counts[TURNOVER],
        counts[KILL]);
  }

  /** The number of values that {@link #save} writes. */
  public static int stateSize() {
    return STATE;
  }

  /** Writes all mutable state. */
  public void save(double[] state, int offset) {
    state[offset] = peak;
    state[offset + 1] = stopped ? 1 : 0;
    state[offset + 2] = day;
    state[offset + 3] = dayStartEquity;
    state[offset + 4] = lastEquity;
    state[offset + 5] = cooldown;
    state[offset + 6] = dayTurnover;
    for (int i = 0; i < counts.length; i++) {
      state[offset + 7 + i] = counts[i];
    }
  }

  /** Restores the state written by {@link #save}. */
  public void load(double[] state, int offset) {
    peak = state[offset];
    stopped = state[offset + 1] != 0;
    day = (long) state[offset + 2];
    dayStartEquity = state[offset + 3];
    lastEquity = state[offset + 4];
    cooldown = (int) state[offset + 5];
    dayTurnover = state[offset + 6];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = (long) state[offset + 7 + i];
    }
  }
}
