package io.quantail.app.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.app.report.StudyLimitCost.Pair;
import io.quantail.app.report.StudyLimitCost.Row;
import io.quantail.evidence.LimitVerdict.Verdict;
import io.quantail.run.evaluation.LimitEstimate;
import io.quantail.run.evaluation.LimitPart;
import io.quantail.run.evaluation.LimitResult;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Means and differences worked by hand. */
@Requirement("EVID-12")
class StudyLimitCostTest {
  private static LimitCost.Agent agent(
      double totalReturn, @Nullable Double maxDrawdown, @Nullable Double cvar) {
    LimitEstimate estimate =
        new LimitEstimate("bars", 1_000, 50, cvar, null, null, Verdict.UNDECIDED, "few");
    String part = maxDrawdown == null ? "evaluation" : "test";
    return new LimitCost.Agent(
        totalReturn,
        maxDrawdown,
        LimitResult.of(
            YamlConfig.parse("risk: {mode: policy, limit: -0.01}", "run.yaml", List.of()).risk(),
            List.of(new LimitPart(part, estimate, null, null, null, Map.of()))));
  }

  private static Pair pair(String part, long seed, LimitCost.Agent limited, LimitCost.Agent free) {
    return new Pair(part, seed, new LimitCost(null, limited, free));
  }

  @Test
  void shouldAverageOverSeedsAndStateTheDifference() {
    StudyLimitCost cost =
        new StudyLimitCost(
            List.of(
                pair("1", 1, agent(0.01, 0.05, -0.010), agent(0.04, 0.10, -0.020)),
                pair("1", 2, agent(0.03, 0.07, -0.012), agent(0.02, 0.10, -0.016)),
                pair("2", 1, agent(-0.02, 0.02, null), agent(0.01, 0.03, -0.02)),
                pair("2", 2, agent(0, 0.02, -0.01), agent(0, 0.03, -0.02))),
            List.of(
                pair("chained", 1, agent(-0.01, 0.06, -0.011), agent(0.05, 0.12, -0.021)),
                pair("chained", 2, agent(0.03, 0.08, -0.013), agent(0.02, 0.12, -0.017))));
    Row first = cost.rows().get(0);
    assertThat(first.part()).isEqualTo("1");
    assertThat(first.totalReturn()).isCloseTo(0.02, within(1e-12));
    assertThat(first.returnDifference()).isCloseTo(-0.01, within(1e-12));
    assertThat(first.cvar()).isCloseTo(-0.011, within(1e-12));
    assertThat(first.cvarDifference()).isCloseTo(0.007, within(1e-12));
    assertThat(first.maxDrawdown()).isCloseTo(0.06, within(1e-12));
    assertThat(first.drawdownDifference()).isCloseTo(-0.04, within(1e-12));
    assertThat(cost.rows().get(1).cvar()).as("not defined for one of them").isNull();
    assertThat(cost.rows().get(1).cvarDifference()).isNull();
    assertThat(cost.total().part()).isEqualTo("chained");
    assertThat(cost.sentences())
        .containsExactly(
            "The limit cost 2.50 points of return on average: +1.00 % with it, +3.50 % without it;"
                + " of 2 pairs the return changed by -6.00 % to +1.00 %.",
            "The CVaR is -1.200 % with it and -1.900 % without it.",
            "The max drawdown is 7.00 % with it and 12.00 % without it.");
  }

  @Test
  void shouldSpeakOfEpisodesAndOfOneSeed() {
    StudyLimitCost cost =
        new StudyLimitCost(
            List.of(pair("1", 7, agent(12, null, 5.0), agent(10, null, 2.0))), List.of());
    assertThat(cost.onMarket()).isFalse();
    assertThat(cost.total().part()).isEqualTo("all");
    assertThat(cost.sentences())
        .containsExactly(
            "The limit saved 2.000 of return: 12.00 with it, 10.00 without it.",
            "The CVaR is 5.000 with it and 2.000 without it.",
            "Both have the same seed; one seed is one sample of the cost.");
  }
}
