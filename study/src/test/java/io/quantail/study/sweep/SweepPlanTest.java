package io.quantail.study.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Requirement("CLI-2")
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
            List.of(
                "ppo.clipRange=0.2,{from: 0.2, to: 0},{from: 0.3, to: 0.1, shape: cosine}",
                "robust.mode=state-adversarial",
                "robust.fixedFeatures=[],[0,1]"),
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
}
