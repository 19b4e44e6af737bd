package io.quantail.study.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@Requirement("SRCH-1")
class SweepPlanTest {
  private static final SweepPlan.Settings DEFAULTS =
      new SweepPlan.Settings() {
        @Override
        public boolean sets(String path) {
          return false;
        }

        @Override
        public RunConfig with(List<String> overrides) {
          return YamlConfig.parse("", "sweep", overrides);
        }
      };

  @Test
  void shouldKeepListsAndSchedulesTogether() {
    SweepPlan plan =
        SweepPlan.of(
            DEFAULTS,
            grid(
                "ppo.clipRange=0.2,{from: 0.2, to: 0},{from: 0.3, to: 0.1, shape: cosine}",
                "robust.mode=state-adversarial",
                "robust.fixedFeatures=[],[0,1]"),
            List.of(),
            null);

    assertThat(plan.points())
        .extracting(SweepPlan.Point::settings)
        .hasSize(6)
        .contains(
            point("0.2", "[]"),
            point("{from: 0.2, to: 0, shape: linear}", "[0,1]"),
            point("{from: 0.3, to: 0.1, shape: cosine}", "[0,1]"));
  }

  private static Map<String, String> point(String clipRange, String features) {
    return Map.of(
        "ppo.clipRange", clipRange,
        "robust.mode", "state-adversarial",
        "robust.fixedFeatures", features);
  }

  private static List<SweepAxis> grid(String... axes) {
    return Stream.of(axes).map(axis -> SweepAxis.parse("--grid", axis)).toList();
  }

  private static List<SweepAxis> vary(String... axes) {
    return Stream.of(axes).map(axis -> SweepAxis.parse("--vary", axis)).toList();
  }

  @Test
  void shouldDrawPointsFromRangesAndLists() {
    SweepPlan plan =
        SweepPlan.of(
            DEFAULTS,
            vary("optimizer.learningRate=log(1e-5,1e-2)", "ppo.epochs=linear(2,20)", RATES),
            List.of(1L, 2L),
            200);

    assertThat(plan.trainings()).isEqualTo(400);
    List<Double> rates =
        plan.points().stream().map(point -> point.config().optimizer().learningRate()).toList();
    assertThat(rates).allMatch(rate -> rate >= 1e-5 && rate <= 1e-2);
    assertThat(rates.stream().filter(rate -> rate < 1e-4).count()).isBetween(40L, 95L);
    assertThat(rates.stream().filter(rate -> rate > 1e-3).count()).isBetween(40L, 95L);
    assertThat(plan.points())
        .extracting(point -> point.config().ppo().epochs())
        .allMatch(epochs -> epochs >= 2 && epochs <= 20)
        .contains(2, 11, 20);
    assertThat(plan.grid().get("rollout.gamma")).containsExactlyInAnyOrder("0.9", "0.99");
  }

  private static final String RATES = "rollout.gamma=0.9,0.99";

  /** A setting that is added, or named in another order, leaves the draws of the others alone. */
  @Test
  void shouldDrawEachSettingOnItsOwn() {
    List<String> alone = rates(vary("optimizer.learningRate=log(1e-5,1e-2)"), 5);
    assertThat(rates(vary(RATES, "optimizer.learningRate=log(1e-5,1e-2)"), 5)).isEqualTo(alone);
    assertThat(rates(vary("optimizer.learningRate=log(1e-5,1e-2)"), 3))
        .isEqualTo(alone.subList(0, 3));
  }

  private static List<String> rates(List<SweepAxis> axes, int trials) {
    return SweepPlan.of(DEFAULTS, axes, List.of(), trials).points().stream()
        .map(point -> point.settings().get("optimizer.learningRate"))
        .toList();
  }

  @Test
  void shouldRefuseWhatCannotBeDrawn() {
    refused(
        vary("optimizer.learningRate=log(1e-5,1e-2)"),
        null,
        "--vary optimizer.learningRate is a range, from which values are drawn; say how many with"
            + " --trials N");
    refused(vary(RATES), 3, "--trials 3 is more than the 2 different points that were found");
    refused(List.of(), 3, "--trials draws values, but no setting varies");
    refused(vary("optimizer.schedule=linear(1,2)"), 3, "is constant and no number");
    assertThatThrownBy(() -> vary("ppo.epochs=linear(5,2)"))
        .hasMessage("--vary ppo.epochs=linear(5.0,2.0) needs the smaller number first");
    assertThatThrownBy(() -> vary("optimizer.learningRate=log(0,1)"))
        .hasMessage("--vary optimizer.learningRate=log(0.0,1.0) needs positive numbers");
    assertThatThrownBy(() -> vary("ppo.epochs=linear(two,5)"))
        .hasMessageContaining("needs numbers");
  }

  private static void refused(List<SweepAxis> axes, Integer trials, String message) {
    assertThatThrownBy(() -> SweepPlan.of(DEFAULTS, axes, List.of(), trials))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }
}
