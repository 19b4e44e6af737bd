package io.quantail.market.walkforward;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.forecast.TailForecast;
import io.quantail.run.io.Json;
import io.quantail.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a resumed walk-forward reads again, see {@code OutcomeFile}. */
@Requirement({"REP-2", "WF-1"})
class FoldResultTest {
  private static final FoldResult FIRST = fold(1, -0.01, Double.NaN);
  private static final FoldResult SECOND = fold(2, Double.NaN, -0.02);

  @Test
  void shouldKeepForecastsWithTheResult() throws JsonProcessingException {
    FoldResult read =
        Json.MAPPER.readValue(Json.MAPPER.writeValueAsString(FIRST), FoldResult.class);
    assertThat(read.nextBars()).hasSize(1);
    assertThat(read.nextBars().get(0).alpha()).isEqualTo(0.05);
    assertThat(read.nextBars().get(0).var()).containsExactly(-0.01, Double.NaN);
    assertThat(read.nextBars().get(0).cvar()).containsExactly(-0.02, Double.NaN);
  }

  @Test
  void shouldReadWhatEarlierBuildsStored() throws JsonProcessingException {
    ObjectNode earlier = Json.MAPPER.valueToTree(FIRST);
    earlier.remove("nextBars");
    FoldResult read = Json.MAPPER.treeToValue(earlier, FoldResult.class);
    assertThat(read.seed()).isEqualTo(7);
    assertThat(read.nextBars()).isEmpty();
  }

  @Test
  void shouldChainTheForecastsOfASeed() {
    List<WalkForwardFold> folds =
        List.of(new WalkForwardFold(1, "a/b", "c/d"), new WalkForwardFold(2, "a/b", "c/d"));
    List<TailForecast> chained =
        WalkForwardResult.of(folds, List.of(SECOND, FIRST)).medianSeed().nextBars();
    assertThat(chained).hasSize(1);
    assertThat(chained.get(0).var()).containsExactly(-0.01, Double.NaN, Double.NaN, -0.02);
    FoldResult without = new FoldResult(2, 7, 10, SECOND.symbols(), null);
    assertThat(WalkForwardResult.of(folds, List.of(FIRST, without)).medianSeed().nextBars())
        .as("one fold has none")
        .isEmpty();
  }

  private static FoldResult fold(int number, double... var) {
    double[] cvar = {2 * var[0], 2 * var[1]};
    BaselineComparison passes = ChainedAccountTest.comparison(number, 100, 110);
    return new FoldResult(
        number, 7, 10, List.of(passes), List.of(new TailForecast(0.05, var, cvar)));
  }
}
