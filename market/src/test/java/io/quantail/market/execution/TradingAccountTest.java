package io.quantail.market.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.market.SampleBars;
import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsBuilder;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;

class TradingAccountTest {
  /** Close 100, then a bar that opens at 101 and closes at 102, and so on up by one. */
  private static Bars rising() {
    BarsBuilder bars = new BarsBuilder("UP", SampleBars.HOUR);
    for (int i = 0; i < 10; i++) {
      double open = 99 + 2 * i;
      bars.add(SampleBars.START + i * SampleBars.HOUR, open, open + 2, open - 1, open + 1, 1000);
    }
    return bars.build();
  }

  private static TradingAccount account(ExecutionSettings settings) {
    return new TradingAccount(new PriceSeries(rising(), settings.volumeBars()), settings);
  }

  @Requirement("EXEC-1")
  @Test
  void shouldFillAtTheNextOpenAndMarkAtTheNextClose() {
    TradingAccount account = account(ExecutionSettings.frictionless());
    account.step(0, 0.5);
    assertThat(account.fill()).isEqualTo(101);
    assertThat(account.units()).isCloseTo(5000 / 101.0, within(1e-12));
    assertThat(account.equity()).isCloseTo(5000 + 5000 / 101.0 * 102, within(1e-9));
    FilledOrder trade = account.trade(1);
    assertThat(trade.time()).isEqualTo(SampleBars.START);
    assertThat(trade.reference()).isEqualTo(101);
  }

  /** 100 units are sold at 102: 5 of 10,000 below the close, and a fee of 10 of 10,000. */
  @Requirement("EXEC-1")
  @Test
  void shouldSellThePositionAtTheCloseWithCosts() {
    ExecutionSettings settings =
        new ExecutionSettings(10, 5, 0, 500, 42, 0.0001, 7, 0, 0, 0, 10_000);
    TradingAccount account = account(settings);
    assertThat(account.liquidate(0)).isNull();
    account.restore(-200, 100, 101, 1);
    assertThat(account.equity()).isEqualTo(10_000);

    FilledOrder sale = account.liquidate(1);

    double fill = 102 * (1 - 5e-4);
    assertThat(sale.units()).isEqualTo(-100);
    assertThat(sale.time()).isEqualTo(SampleBars.START + SampleBars.HOUR);
    assertThat(sale.reference()).isEqualTo(102);
    assertThat(sale.fill()).isCloseTo(fill, within(1e-12));
    assertThat(sale.slippageBps()).isCloseTo(5, within(1e-9));
    assertThat(account.units()).isZero();
    assertThat(account.slippage()).isCloseTo(5.1, within(1e-9));
    assertThat(account.fee()).isCloseTo(100 * fill * 1e-3, within(1e-9));
    assertThat(account.equity()).isCloseTo(10_000 - 5.1 - 100 * fill * 1e-3, within(1e-9));
    assertThat(account.exposure(1)).isZero();

    account.restore(30_400, -200, 101, 1); // a short position is bought back
    assertThat(account.liquidate(1).units()).isEqualTo(200);
    assertThat(account.equity()).isCloseTo(10_000 - 10.2 - 204.102e-1, within(1e-3));
  }

  @Requirement("EXEC-1")
  @Test
  void shouldChargeWhatTheGoldenOrderCosts() {
    // 7.5 fee, 1.5 half-spread, 15 impact at the size of the average volume; 5000 of 1e6.
    BarsBuilder bars = new BarsBuilder("G", SampleBars.HOUR);
    for (int i = 0; i < 3; i++) {
      bars.add(SampleBars.START + i * SampleBars.HOUR, 100, 100, 100, 100, 10_000);
    }
    ExecutionSettings settings =
        new ExecutionSettings(7.5, 1.5, 15, 500, 42, null, 0, 0, 0, 0, 10_000);
    TradingAccount account = new TradingAccount(new PriceSeries(bars.build(), 42), settings);
    account.step(0, 0.5);
    double slippageBps = account.slippage() / 5000 * 1e4;
    assertThat(slippageBps).isCloseTo(1.5 + 15 * Math.sqrt(0.005), within(1e-9));
    // The golden total has a term linear in size (2.5 bps at full volume) that we do not charge.
    double goldenBps = 10.0732;
    double linear = 2.5 * 0.005;
    assertThat(slippageBps + 7.5).isCloseTo(goldenBps - linear, within(1e-4));
    double filled = 5000 * (1 + slippageBps * 1e-4);
    assertThat(account.fee()).isCloseTo(filled * 7.5e-4, within(1e-9));
    assertThat(account.cash()).isCloseTo(10_000 - filled - filled * 7.5e-4, within(1e-9));
    assertThat(account.equity()).isCloseTo(10_000 - account.costs(), within(1e-9));
  }

  @Requirement("EXEC-1")
  @Test
  void shouldBuyOnceForAConstantTarget() {
    TradingAccount account =
        account(new ExecutionSettings(10, 5, 0, 500, 42, null, 0, 0, 0.02, 0, 1000));
    account.step(0, 0.5);
    double units = account.units();
    assertThat(units).isCloseTo(500 / 101.0, within(0.01));
    account.step(1, 0.5);
    assertThat(account.order()).isEqualTo(0);
    assertThat(account.units()).isEqualTo(units);
  }

  @Requirement("EXEC-1")
  @Test
  void shouldCapOrdersByVolumeOfPastBarsAndFillPartly() {
    ExecutionSettings settings = new ExecutionSettings(0, 0, 0, 0, 1, 0.02, 0, 0, 0, 0, 10_000);
    TradingAccount account = account(settings);
    account.step(0, 1);
    // 2 % of the quote volume of bar 0 (1000 units at its close of 100), not of bar 1.
    assertThat(account.traded()).isCloseTo(2000, within(1e-9));
    account.step(1, 1);
    assertThat(account.traded()).isCloseTo(2040, within(1e-9));
  }

  @Requirement("EXEC-1")
  @Test
  void shouldTradeWholeLotsAboveTheSmallestNotional() {
    TradingAccount account =
        account(new ExecutionSettings(0, 0, 0, 0, 42, null, 7, 0, 0, 0, 10_000));
    account.step(0, 0.5);
    assertThat(account.units()).isEqualTo(49);
    account.step(1, 0);
    assertThat(account.units()).isEqualTo(0);
    TradingAccount small =
        account(new ExecutionSettings(0, 0, 0, 0, 42, null, 0, 200, 0, 0, 10_000));
    small.step(0, 0.019);
    assertThat(small.units()).isEqualTo(0);
    small.step(0, 0.021);
    assertThat(small.traded()).isCloseTo(210, within(1e-9));
  }

  @Requirement("EXEC-1")
  @Test
  void shouldNeverBuyWithMoneyItDoesNotHave() {
    TradingAccount account =
        account(new ExecutionSettings(100, 50, 0, 500, 42, null, 0, 0, 0, 0, 10_000));
    account.step(0, 1);
    assertThat(account.cash()).isCloseTo(0, within(1e-9));
    double price = 101 * 1.005;
    assertThat(account.units()).isCloseTo(10_000 / (price * 1.01), within(1e-9));
  }

  @Requirement("EXEC-1")
  @Test
  void shouldChargeForBorrowedUnits() {
    TradingAccount account =
        account(new ExecutionSettings(0, 0, 0, 0, 42, null, 0, 0, 0, 0.365_25 * 24, 10_000));
    account.step(0, -0.5);
    double units = -5000 / 101.0;
    assertThat(account.units()).isCloseTo(units, within(1e-9));
    assertThat(account.borrow()).isCloseTo(-units * 102 * 0.001, within(1e-9));
    assertThat(account.equity())
        .isCloseTo(10_000 + units * (102 - 101) - account.borrow(), within(1e-9));
  }

  @Requirement("EXEC-1")
  @Test
  void shouldPayDividendsToWhoHeldAtTheCloseBefore() {
    BarsBuilder bars =
        new BarsBuilder("D", SampleBars.HOUR, List.of(), List.of(PriceSeries.DIVIDEND), 4);
    for (int i = 0; i < 4; i++) {
      bars.add(SampleBars.START + i, 100, 100, 100, 100, 1e6, i == 2 ? 3 : 0);
    }
    PriceSeries prices = new PriceSeries(bars.build(), 1);
    TradingAccount holder = new TradingAccount(prices, ExecutionSettings.frictionless());
    holder.step(0, 0.5);
    holder.step(1, 0);
    assertThat(holder.equity()).isCloseTo(10_000 + 50 * 3, within(1e-9));
    TradingAccount late = new TradingAccount(prices, ExecutionSettings.frictionless());
    late.step(1, 1);
    assertThat(late.equity()).isEqualTo(10_000);
  }

  @Requirement({"EXEC-1", "EXEC-2"})
  @Test
  void shouldBalanceTheBooksOverAMillionRandomSteps() {
    RandomStream random = RandomStream.of(11, "books", 0);
    Bars bars = SampleBars.random(2001, 5);
    double worst = 0;
    long traded = 0;
    for (int round = 0; round < 500; round++) {
      ExecutionSettings settings =
          new ExecutionSettings(
              random.nextDouble(0, 100),
              random.nextDouble(0, 50),
              random.nextDouble(0, 200),
              500,
              1 + random.nextInt(60),
              random.nextInt(2) == 0 ? null : random.nextDouble(0.001, 0.5),
              random.nextInt(2) * random.nextDouble(0, 0.1),
              random.nextDouble(0, 50),
              random.nextDouble(0, 0.05),
              random.nextDouble(0, 0.5),
              10_000);
      TradingAccount account =
          new TradingAccount(new PriceSeries(bars, settings.volumeBars()), settings);
      for (int t = 0; t < 2000; t++) {
        double before = account.equity();
        if (before < 100) {
          account.open();
          before = account.equity();
        }
        account.step(t, random.nextDouble(-1, 1));
        double explained =
            account.grossProfit() - account.fee() - account.slippage() - account.borrow();
        worst = Math.max(worst, Math.abs(account.equity() - before - explained) / before);
        traded += account.order() == 0 ? 0 : 1;
      }
    }
    assertThat(worst).isLessThan(1e-9);
    assertThat(traded).isGreaterThan(100_000);
  }
}
