package io.quantail.market.execution;

/**
 * One account in one symbol: fills the orders that turn the present weight into the wanted one, and
 * keeps the books. The only place where money changes; training, evaluation, baselines and signals
 * all use it.
 *
 * <p>The clock: decided at the close of bar t, filled at the open of t+1, marked at the close of
 * t+1. With weight w, open P, average volume A (of bars up to t), cash and units u:
 *
 * <ol>
 *   <li>no order if |w − u C_t / E_t| is below {@code minRebalance};
 *   <li>order Δ = w (cash + u P) / P − u;
 *   <li>cut to {@code maxParticipation} · A, floored to whole lots, dropped below {@code
 *       minNotional};
 *   <li>fill at P (1 ± slippage), slippage = halfSpread + impact · √(|Δ| P / A), at most {@code
 *       maxSlippage}; not cut to the high and low of the bar, which would hide a cost;
 *   <li>fee = |Δ| · fill · taker; a purchase is shrunk to what the cash pays for;
 *   <li>borrowed units cost {@code borrowRate} on their value at the close.
 * </ol>
 *
 * After each step E_{t+1} − E_t = price profit + dividends − slippage − fees − borrow must hold to
 * 1e-9, else the step throws. Nothing is allocated. {@code TradingAccountTest} pins all this.
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

  public TradingAccount(PriceSeries prices, ExecutionSettings settings) {
    this.prices = prices;
    this.settings = settings;
    open();
  }

  /** A fresh account: all cash. */
  public void open() {
    restore(settings.initialCash(), 0, 0, 0);
  }

  /** An account as it was after some step on bar {@code t}. */
  public void restore(double savedCash, double savedUnits, double savedEntryPrice, int t) {
    cash = savedCash;
    units = savedUnits;
    entryPrice = savedEntryPrice;
    equity = units == 0 ? cash : cash + units * prices.close(t);
    forgetOrder();
  }

  /** Decided at the close of {@code t}: fills at the next open and marks at the next close. */
  public void step(int t, double weight) {
    double before = equity;
    double unitsBefore = units;
    double reference = prices.open(t + 1);
    double mark = prices.close(t + 1);
    forgetOrder();
    if (Math.abs(weight - exposure(t)) >= settings.minRebalance()) {
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

  private void trade(int t, double weight, double reference) {
    double volume = prices.averageVolume(t);
    double atOpen = Math.max(0, cash + units * reference);
    double wanted = weight * atOpen / reference - units;
    double amount = wholeLots(withinParticipation(wanted, volume / reference));
    if (amount == 0 || Math.abs(amount) * reference < settings.minNotional()) {
      return;
    }
    double share = Math.abs(amount) * reference / volume;
    double bps = settings.halfSpreadBps();
    if (settings.impactBps() > 0) {
      bps += settings.impactBps() * Math.sqrt(share);
    }
    double slip = Math.min(bps, settings.maxSlippageBps()) * BPS;
    double price = reference * (1 + Math.copySign(slip, amount));
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

  private double withinParticipation(double amount, double averageUnits) {
    Double cap = settings.maxParticipation();
    if (cap == null) {
      return amount;
    }
    double largest = cap * averageUnits;
    return Math.max(-largest, Math.min(largest, amount));
  }

  /** The slippage stays that of the larger order: the account never gains by having no cash. */
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
          "the books do not balance: equity went from %s to %s, profit and costs explain %s"
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

  public double cash() {
    return cash;
  }

  public double units() {
    return units;
  }

  /** At the last close, net of all costs. */
  public double equity() {
    return equity;
  }

  /** Average price of the units held; 0 if none are. */
  public double entryPrice() {
    return entryPrice;
  }

  /** Weight of the symbol in the account at the close of {@code t}; 0 when nothing is left. */
  public double exposure(int t) {
    return equity > 0 ? units * prices.close(t) / equity : 0;
  }

  /** Units the last step bought, negative if sold. */
  public double order() {
    return order;
  }

  /** Price of the last step's order; 0 without one. */
  public double fill() {
    return fill;
  }

  /** Money that changed hands in the last step. */
  public double traded() {
    return Math.abs(order) * fill;
  }

  public double fee() {
    return fee;
  }

  public double slippage() {
    return slippage;
  }

  public double borrow() {
    return borrow;
  }

  /** All costs of the last step. */
  public double costs() {
    return fee + slippage + borrow;
  }

  /** What the last step would have earned without costs, dividends included. */
  public double grossProfit() {
    return profit + dividend;
  }

  /** The last step's order as a record; call only if {@link #order} is not 0. */
  public FilledOrder trade(int bar) {
    double reference = prices.open(bar);
    double bps = Math.abs(fill - reference) / reference / BPS;
    return new FilledOrder(prices.openTime(bar), bar, order, reference, fill, bps, fee);
  }
}
