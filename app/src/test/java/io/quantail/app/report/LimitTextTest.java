package io.quantail.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.evidence.LimitVerdict.Verdict;
import io.quantail.run.evaluation.LimitEstimate;
import io.quantail.run.evaluation.LimitPart;
import io.quantail.run.evaluation.LimitResult;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Requirement("EVID-12")
class LimitTextTest {
  private static LimitPart part(String name, Verdict status) {
    LimitEstimate estimate =
        new LimitEstimate("bars", 1_000, 50, -0.012, -0.014, -0.011, status, null);
    return new LimitPart(
        name, estimate, null, new LimitPart.WorstYear(2008, -0.03, 3.0), null, Map.of());
  }

  private static List<String> sentences(LimitPart... parts) {
    return LimitText.sentences(
        LimitResult.of(
            YamlConfig.parse("risk: {mode: policy, limit: -0.01}", "run.yaml", List.of()).risk(),
            List.of(parts)));
  }

  @Test
  void shouldStateStatusNumbersAndWorstYear() {
    assertThat(sentences(part("train", Verdict.KEPT), part("test", Verdict.BROKEN)))
        .containsExactly(
            "The limit was broken on the test bars: the CVaR, the mean of the worst 5 % of 1,000"
                + " bars, is -1.200 % (95 % interval -1.400 % to -1.100 %), and the limit is"
                + " -1.000 %.",
            "In the worst year, 2008, it was -3.000 % (3.0 × the limit).",
            "On the training bars it was -1.200 %: kept.",
            "A tighter risk.limit, or market.action.unit=risk, leaves more room out of sample.");
  }

  /** A chained account or other bars have no training part; they say nothing about training. */
  @Test
  void shouldBlameTrainingOnlyIfItWasMeasured() {
    String training = "Training has not reached the limit";
    assertThat(sentences(part("train", Verdict.BROKEN), part("test", Verdict.BROKEN)))
        .anyMatch(sentence -> sentence.startsWith(training));
    assertThat(sentences(part("test", Verdict.BROKEN)))
        .noneMatch(sentence -> sentence.startsWith(training));
  }
}
