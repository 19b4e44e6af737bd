package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("DASH-1")
class EquityCsvTest {
  private static final String HEADER =
      "symbol,policy,ts,close,target,exposure,equity,fee,slippage,borrow,turnover\n";

  @TempDir private Path directory;
  private RunFixture run;

  @BeforeEach
  void begin() throws IOException {
    run = new RunFixture(directory.toRealPath());
  }

  @Test
  void shouldMatchEquityDrawdownAndExposureComputedByHand() throws IOException {
    run.write(
        "equity.csv",
        HEADER
            + bar("agent", "00", 0.5, 200)
            + bar("agent", "01", 1, 250)
            + "damaged\n"
            + bar("agent", "02", 0, 200)
            + bar("flat", "00", 0, 100));
    EquityCsv file = EquityCsv.read(folder(), "", 100);

    assertThat(file.parts()).containsExactly("test");
    assertThat(file.accounts())
        .extracting(EquityCsv.Account::policy)
        .containsExactly("agent", "flat");
    EquityCsv.Account agent = file.accounts().get(0);
    assertThat(agent.equity().y()).containsExactly(1, 1.25, 1);
    assertThat(agent.drawdown().y()).containsExactly(0, 0, 200 / 250.0 - 1);
    assertThat(agent.exposure().y()).containsExactly(0.5, 1, 0);
    assertThat(agent.equity().x()[1] - agent.equity().x()[0]).isEqualTo(60_000);
  }

  /** The tested groups of a purged split have a comma in their names. */
  @Test
  void shouldReadNamesInQuotes() throws IOException {
    run.write("equity.csv", HEADER + bar("agent", "00", 0, 100).replace("X,", "\"X, group 3\","));
    assertThat(EquityCsv.read(folder(), "", 100).accounts())
        .extracting(EquityCsv.Account::symbol)
        .containsExactly("X, group 3");
  }

  @Test
  void shouldFallBackToAnExistingPart() throws IOException {
    run.write("equity-validation.csv", HEADER + bar("agent", "00", 0, 1));
    run.write("equity-..%2fx.csv", HEADER).write("equity-train.csv.bak", HEADER);
    assertThat(EquityCsv.parts(folder())).containsExactly("validation");
    assertThat(EquityCsv.read(folder(), "../../etc/passwd", 100).part()).isEqualTo("validation");
  }

  @Test
  void shouldBeEmptyWithoutAMarket() throws IOException {
    assertThat(EquityCsv.read(folder(), "test", 100).accounts()).isEmpty();
  }

  private RunFiles folder() {
    return new RunFiles("run", run.path());
  }

  private static String bar(String policy, String minute, double exposure, double equity) {
    return "X,%s,2020-01-01T00:%s:00Z,1,1,%s,%s,0,0,0,0\n"
        .formatted(policy, minute, exposure, equity);
  }
}
