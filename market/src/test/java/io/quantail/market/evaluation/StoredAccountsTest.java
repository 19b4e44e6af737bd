package io.quantail.market.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.execution.FilledOrder;
import io.quantail.market.forecast.TailForecast;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accounts that are read again from {@code equity.csv}. */
@Requirement("REP-2")
class StoredAccountsTest {
  private static final String HEAD =
      "symbol,policy,ts,close,target,exposure,equity,fee,slippage,borrow,turnover,var,cvar\n";

  @TempDir private Path run;

  @Test
  void shouldReadPassesForecastsAndOrders() throws IOException {
    String start = "2024-01-01T00:00:00Z,10.0,,0.0,100.0,0.0,0.0,0.0,0.0,,\n";
    String hold = "2024-01-02T00:00:00Z,11.0,1.0,1.0,110.0,0.0,0.0,0.0,1.0,,\n";
    write(
        HEAD
            + "\"A, B\",agent,"
            + start
            + "\"A, B\",agent,2024-01-02T00:00:00Z,11.0,0.5,0.6,105.0,1.0,2.0,3.0,0.4,-0.1,-0.2\n"
            + "\"A, B\",buyAndHold,"
            + start
            + "\"A, B\",buyAndHold,"
            + hold
            + "\"A, B\",flat,"
            + start
            + "C,agent,"
            + start
            + "C,agent,2024-01-03T00:00:00Z,8.0,1.0,1.0,90.0,0.0,0.0,0.0,0.0,,\n"
            + "C,buyAndHold,"
            + start
            + "C,buyAndHold,"
            + hold);
    Files.writeString(
        run.resolve("trades.csv"),
        "symbol,ts,side,units,open,fill,slippage_bps,fee,notional\n"
            + "\"A, B\",2024-01-01T12:00:00Z,sell,2.0,10.0,9.0,5.0,1.5,18.0\n");
    StoredAccounts stored = read().orElseThrow();
    assertThat(stored.symbols()).hasSize(2);
    BacktestResult first = stored.symbols().get(0).agent().result();
    assertThat(first.symbol()).isEqualTo("A, B");
    assertThat(first.barsPerYear()).isEqualTo(365);
    assertThat(first.start()).isEqualTo(new BacktestResult.Start(1_704_067_200_000L, 10, 100));
    assertThat(first.series().times()).containsExactly(1_704_153_600_000L);
    assertThat(first.series().prices()).containsExactly(11);
    assertThat(first.series().targets()).containsExactly(0.5);
    assertThat(first.series().exposures()).containsExactly(0.6);
    assertThat(first.series().equity()).containsExactly(105);
    assertThat(first.series().fees()).containsExactly(1);
    assertThat(first.series().slippage()).containsExactly(2);
    assertThat(first.series().borrow()).containsExactly(3);
    assertThat(first.series().turnover()).containsExactly(0.4);
    assertThat(first.trades())
        .containsExactly(new FilledOrder(1_704_110_400_000L, -1, -2, 10, 9, 5, 1.5));
    assertThat(stored.symbols().get(0).entries())
        .extracting(entry -> entry.result().policy())
        .containsExactly("agent", "buyAndHold");
    assertThat(stored.symbols().get(0).entry("buyAndHold").performance().totalReturn())
        .isCloseTo(0.1, within(1e-12));
    assertThat(stored.symbols().get(1).agent().result().symbol()).isEqualTo("C");
    assertThat(stored.symbols().get(1).agent().result().trades()).isEmpty();
    assertThat(stored.nextBars()).hasSize(2).extracting(TailForecast::alpha).containsOnly(0.05);
    assertThat(stored.nextBars().get(0).var()).containsExactly(-0.1);
    assertThat(stored.nextBars().get(0).cvar()).containsExactly(-0.2);
    assertThat(stored.nextBars().get(1).var()).containsExactly(Double.NaN);
  }

  @Test
  void shouldReadNothingOfOlderBuildsAndDamagedFiles() throws IOException {
    assertThat(read()).as("no file").isEmpty();
    String agent = "A,agent,2024-01-02T00:00:00Z,11.0,%s,0.6,105.0,1.0,2.0,3.0,0.4,,\n";
    String hold = agent.replace("agent", "buyAndHold");
    String steps = agent.formatted(0.5) + hold.formatted("") + hold.formatted(0.5);
    write(HEAD + agent.formatted("") + steps);
    assertThat(read()).isPresent();
    assertThat(read().orElseThrow().nextBars()).as("no forecast").isEmpty();
    write(HEAD + agent.formatted(0.5) + steps);
    assertThat(read()).as("no start").isEmpty();
    write(HEAD + agent.formatted("") + steps.replaceFirst("11.0", "eleven"));
    assertThat(read()).as("damaged").isEmpty();
    write(HEAD + agent.formatted("") + agent.formatted(0.5));
    assertThat(read()).as("no buy-and-hold").isEmpty();
    write(HEAD + agent.formatted("") + steps);
    Files.writeString(run.resolve("trades.csv"), "symbol\nA,2024-01-02T00:00:00Z\n");
    assertThat(read()).as("damaged orders").isEmpty();
  }

  private Optional<StoredAccounts> read() {
    return StoredAccounts.read(run, 365, 0.05, 1);
  }

  private void write(String text) throws IOException {
    Files.writeString(run.resolve("equity.csv"), text);
  }
}
