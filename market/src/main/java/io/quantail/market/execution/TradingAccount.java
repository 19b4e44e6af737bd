package io.quantail.market.execution;

import org.jspecify.annotations.Nullable;

/**
 * An account in one symbol: fills the orders that change its weight to the target weight, and
 * accounts for their costs. Training, evaluation, baselines and signals all use this class.
 *
 * <p>A decision at the close of bar t is filled at the open of t+1 and marked at the close of t+1.
 * With target weight w, open P, close C_t, equity E_t = cash + u C_t, average traded value A per
 * bar (of bars up to t), cash and units u:
 *
 * <ol>
 *   <li>no order if |w − u C_t / E_t| is below {@code minRebalance};
 *   <li>order Δ = w (cash + u P) / P − u;
 *   <li>limited to {@code maxParticipation} · A / P units, rounded down to whole lots, not placed
 *       below {@code minNotional};
 *   <li>fill at P (1 ± slippage), slippage = halfSpread + impact · √(|Δ| P / A), at most {@code
 *       maxSlippage}; not limited to the high and low of the bar, which would understate the cost;
 *   <li>fee = |Δ| · fill · taker; a purchase is reduced to what the cash can pay;
 *   <li>short positions cost {@code borrowRate} of their value at the close.
 * </ol>
 *
 * After each step the accounting identity E_{t+1} − E_t = price profit + dividends − slippage −
 * fees − borrow must hold to 1e-9, or else the step throws. Steps allocate nothing. Tested by
 * {@code TradingAccountTest}.
 */
public final class TradingAccount {
  private static final double BPS = 1e-4;
  private static final double YEAR_MILLIS = 365.25 * 24 * 3600 * 1000;
  private static final double TOLERANCE = 1e-9;

  private final PriceSeries prices;
  private final ExecutionSettings settings;

  private double cash;
  private double units;
  private double equity;
  private double entryPrice;

  private double order;
  private double fill;
  private double fee;
  private double slippage;
  private double borrow;
  private double dividend;
  private double profit;

  /** A new account without positions. */
  public TradingAccount(PriceSeries prices, ExecutionSettings settings) {
    this.prices = prices;
    this.settings = settings;
    open();
  }

  /** Resets the account to its initial cash without positions. */
  public void open() {
    restore(settings.initialCash(), 0, 0, 0);
  }

  /** Restores the account as it was at the close of bar {@code t}. */
  public void restore(double savedCash, double savedUnits, double savedEntryPrice, int t) {
    cash = savedCash;
    units = savedUnits;
    entryPrice = savedEntryPrice;
    equity = units == 0 ? cash : cash + units * prices.close(t);
    forgetOrder();
  }

  /**
   * Executes a decision at the close of {@code t}: fills at the next open, marks at the next close.
   *
   * @param weight target weight
   */
  public void step(int t, double weight) {
    double before = equity;
    double unitsBefore = units;
    double reference = prices.open(t + 1);
    double mark = prices.close(t + 1);
    forgetOrder();
    if (orders(t, weight)) {
      trade(t, weight, reference);
    }
    dividend = unitsBefore * prices.dividend(t + 1);
    cash += dividend;
    if (units < 0) {
      double years = (prices.time(t + 1) - prices.time(t)) / YEAR_MILLIS;
      borrow = -units * mark * settings.borrowRate() * years;
      cash -= borrow;
    }
    profit = unitsBefore * (reference - prices.close(t)) + units * (mark - reference);
    equity = cash + units * mark;
    requireIdentity(before, Math.abs(units) * mark + Math.abs(cash));
  }

  /** Whether a target weight at the close of {@code t} differs enough from the weight held. */
  private boolean orders(int t, double weight) {
    return Math.abs(weight - exposure(t)) >= settings.minRebalance();
  }

  /**
   * The weight that a decision at the close of {@code t} orders: the target weight, or the weight
   * held if the change is below {@code minRebalance}.
   */
  public double ordered(int t, double weight) {
    return orders(t, weight) ? weight : exposure(t);
  }

  private void trade(int t, double weight, double reference) {
    double volume = prices.averageVolume(t);
    double atOpen = Math.max(0, cash + units * reference);
    double wanted = weight * atOpen / reference - units;
    double amount = wholeLots(withinParticipation(wanted, volume / reference));
    if (amount == 0 || Math.abs(amount) * reference < settings.minNotional()) {
      return;
    }
    double price = fillPrice(amount, reference, volume);
    double feeRate = settings.takerBps() * BPS;
    if (amount > 0) {
      amount = affordable(amount, price * (1 + feeRate));
    }
    if (amount == 0 || Math.abs(amount) * reference < settings.minNotional()) {
      return;
    }
    book(amount, price, Math.abs(amount) * price * feeRate);
    slippage = Math.abs(amount) * Math.abs(price - reference);
  }

  /** The reference price with slippage against the order. */
  private double fillPrice(double amount, double reference, double volume) {
    double bps = settings.halfSpreadBps();
    if (settings.impactBps() > 0) {
      bps += settings.impactBps() * Math.sqrt(Math.abs(amount) * reference / volume);
    }
    double slip = Math.min(bps, settings.maxSlippageBps()) * BPS;
    return reference * (1 + Math.copySign(slip, amount));
  }

  /**
   * Closes the position at the close of {@code t}, after the step that ended there, with slippage
   * and fee. It is closed whole: neither lots nor {@code maxParticipation} limit it.
   *
   * @return the order; null without a position
   */
  public @Nullable FilledOrder liquidate(int t) {
    double before = equity;
    double amount = -units;
    double reference = prices.close(t);
    forgetOrder();
    if (amount == 0) {
      return null;
    }
    double price = fillPrice(amount, reference, prices.averageVolume(t));
    book(amount, price, Math.abs(amount) * price * (settings.takerBps() * BPS));
    slippage = Math.abs(amount) * Math.abs(price - reference);
    equity = cash;
    requireIdentity(before, Math.abs(amount) * reference + Math.abs(cash));
    double bps = Math.abs(price - reference) / reference / BPS;
    return new FilledOrder(prices.time(t), t, amount, reference, price, bps, fee);
  }

  private double withinParticipation(double amount, double averageUnits) {
    Double cap = settings.maxParticipation();
    if (cap == null) {
      return amount;
    }
    double largest = cap * averageUnits;
    return Math.max(-largest, Math.min(largest, amount));
  }

  /**
   * Keeps the slippage of the larger order, so that a lack of cash never reduces costs per unit.
   */
  private double affordable(double amount, double priceWithFee) {
    double limit = Math.max(0, cash) / priceWithFee;
    return amount <= limit ? amount : wholeLots(limit);
  }

  private double wholeLots(double amount) {
    double lot = settings.lot();
    if (lot == 0) {
      return amount;
    }
    return Math.copySign(Math.floor(Math.abs(amount) / lot + 1e-9) * lot, amount);
  }

  private void book(double amount, double price, double orderFee) {
    order = amount;
    fill = price;
    fee = orderFee;
    cash -= amount * price + orderFee;
    double after = units + amount;
    if (after == 0) {
      entryPrice = 0;
    } else if (units * after <= 0) {
      entryPrice = price;
    } else if (Math.abs(after) > Math.abs(units)) {
      entryPrice = (units * entryPrice + amount * price) / after;
    }
    units = after;
  }

  private void requireIdentity(double before, double size) {
    double explained = profit + dividend - slippage - fee - borrow;
    double difference = Math.abs(equity - before - explained);
    double scale = Math.max(size, Math.abs(before));
    if (!(difference <= TOLERANCE * scale)) {
      throw new IllegalStateException(
          "the accounting identity is violated: equity changed from %s to %s, not by %s as booked"
              .formatted(before, equity, explained));
    }
  }

  private void forgetOrder() {
    order = 0;
    fill = 0;
    fee = 0;
    slippage = 0;
    borrow = 0;
    dividend = 0;
    profit = 0;
  }

  /** The cash; negative for an account that owes money. */
  public double cash() {
    return cash;
  }

  /** The units held, negative for a short position. */
  public double units() {
    return units;
  }

  /** The equity at the last close, net of all costs. */
  public double equity() {
    return equity;
  }

  /** The average price of the units held; 0 without position. */
  public double entryPrice() {
    return entryPrice;
  }

  /**
   * The weight of the symbol in the account at the close of {@code t}; 0 without positive equity.
   */
  public double exposure(int t) {
    return equity > 0 ? units * prices.close(t) / equity : 0;
  }

  /** The units bought by the last step, negative if sold. */
  public double order() {
    return order;
  }

  /** The fill price of the last step's order; 0 without order. */
  public double fill() {
    return fill;
  }

  /** The value of the last step's order at its fill price. */
  public double traded() {
    return Math.abs(order) * fill;
  }

  /** The fee of the last step. */
  public double fee() {
    return fee;
  }

  /** The slippage of the last step, in money. */
  public double slippage() {
    return slippage;
  }

  /** The borrowing cost of the last step. */
  public double borrow() {
    return borrow;
  }

  /** The sum of all costs of the last step. */
  public double costs() {
    return fee + slippage + borrow;
  }

  /** The profit of the last step before costs, including dividends. */
  public double grossProfit() {
    return profit + dividend;
  }

  /**
   * The last step's order as a record; call only if {@link #order} is not 0.
   *
   * @param bar at whose open it was filled
   */
  public FilledOrder trade(int bar) {
    double reference = prices.open(bar);
    double bps = Math.abs(fill - reference) / reference / BPS;
    return new FilledOrder(prices.openTime(bar), bar, order, reference, fill, bps, fee);
  }
}
