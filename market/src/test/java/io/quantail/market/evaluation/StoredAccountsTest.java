package io.quantail.market.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accounts that are read again from {@code equity.csv}. */
@Requirement("REP-2")
class StoredAccountsTest {
  private static final String HEAD =
      "symbol,policy,ts,close,target,exposure,equity,fee,slippage,borrow,turnover,var,cvar\n";

  @TempDir private Path run;

  @Test
  void shouldReadTheAccountsOfAPolicy() throws IOException {
    write(
        HEAD
            + "\"A, B\",agent,2024-01-01T00:00:00Z,10.0,,0.0,100.0,0.0,0.0,0.0,0.0,,\n"
            + "\"A, B\",agent,2024-01-02T00:00:00Z,11.0,0.5,0.6,105.0,1.0,2.0,3.0,0.4,-0.1,-0.2\n"
            + "\"A, B\",flat,2024-01-01T00:00:00Z,10.0,,0.0,100.0,0.0,0.0,0.0,0.0,,\n"
            + "C,agent,2024-01-01T00:00:00Z,7.0,,0.0,100.0,0.0,0.0,0.0,0.0,,\n"
            + "C,agent,2024-01-03T00:00:00Z,8.0,1.0,1.0,90.0,0.0,0.0,0.0,0.0,,\n");
    List<BacktestResult> passes = StoredAccounts.read(run, "agent", 365);
    assertThat(passes).hasSize(2);
    BacktestResult first = passes.get(0);
    assertThat(first.symbol()).isEqualTo("A, B");
    assertThat(first.start()).isEqualTo(new BacktestResult.Start(1_704_067_200_000L, 10, 100));
    assertThat(first.series().times()).containsExactly(1_704_153_600_000L);
    assertThat(first.series().prices()).containsExactly(11);
    assertThat(first.series().targets()).containsExactly(0.5);
    assertThat(first.series().exposures()).containsExactly(0.6);
    assertThat(first.series().equity()).containsExactly(105);
    assertThat(first.series().fees()).containsExactly(1);
    assertThat(first.series().turnover()).containsExactly(0.4);
    assertThat(passes.get(1).symbol()).isEqualTo("C");
  }

  @Test
  void shouldReadNothingOfOlderBuildsAndDamagedFiles() throws IOException {
    assertThat(StoredAccounts.read(run, "agent", 365)).as("no file").isEmpty();
    write(
        HEAD
            + "A,agent,2024-01-02T00:00:00Z,11.0,0.5,0.6,105.0,1.0,2.0,3.0,0.4,,\n"
            + "A,agent,2024-01-03T00:00:00Z,11.0,0.5,0.6,105.0,1.0,2.0,3.0,0.4,,\n");
    assertThat(StoredAccounts.read(run, "agent", 365)).as("no start").isEmpty();
    write(
        HEAD
            + "A,agent,2024-01-02T00:00:00Z,11.0,,0.0,100.0,0.0,0.0,0.0,0.0,,\n"
            + "A,agent,2024-01-03T00:00:00Z,eleven,0.5,0.6,105.0,1.0,2.0,3.0,0.4,,\n");
    assertThat(StoredAccounts.read(run, "agent", 365)).as("damaged").isEmpty();
  }

  private void write(String text) throws IOException {
    Files.writeString(run.resolve("equity.csv"), text);
  }
}
