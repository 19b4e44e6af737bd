package io.quantail.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.env.ActionSpace;
import io.quantail.metrics.Metrics;
import io.quantail.testing.Requirement;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Requirement("MON-1")
class ActionTelemetryTest {

  @Test
  void shouldCountEachOfAFewActions() {
    assertThat(shares(new ActionSpace.Discrete(3), 0, 2, 2, 2))
        .containsExactly(
            Map.entry("rollout/action_share/0", 0.25),
            Map.entry("rollout/action_share/1", 0.0),
            Map.entry("rollout/action_share/2", 0.75));
  }

  @Test
  void shouldGroupNeighboursWhenThereAreManyActions() {
    assertThat(shares(new ActionSpace.Discrete(1000), 0, 49, 50, 999))
        .hasSize(20)
        .containsEntry("rollout/action_share/0", 0.5)
        .containsEntry("rollout/action_share/1", 0.25)
        .containsEntry("rollout/action_share/19", 0.25);
  }

  /** Both ends belong to the box; each component is measured by its own range. */
  @Test
  void shouldCountTenthsOfTheRangeOverAllComponents() {
    ActionSpace box = new ActionSpace.Box(new float[] {-1, 0}, new float[] {1, 10});
    assertThat(shares(box, -1, 0, 1, 10, 0.1f, 5.5f, -0.9f, 9.99f))
        .hasSize(10)
        .containsEntry("rollout/action_tenth_share/0", 3.0 / 8)
        .containsEntry("rollout/action_tenth_share/5", 2.0 / 8)
        .containsEntry("rollout/action_tenth_share/9", 3.0 / 8);
  }

  private static Map<String, Double> shares(ActionSpace space, float... actions) {
    Metrics metrics = new Metrics();
    ActionTelemetry.report(metrics, space, actions, new boolean[0]);
    return metrics.snapshot();
  }

  @Test
  @Requirement("ACT-1")
  void shouldCountThePartsOfAProductEachByItself() {
    ActionSpace space =
        ActionSpace.product(
            ActionSpace.discrete(2),
            ActionSpace.box(new float[] {-1, 0}, new float[] {1, 10}),
            ActionSpace.discrete(3));
    assertThat(shares(space, 1, -1, 9.5f, 0, 1, 0.1f, 5.5f, 2))
        .hasSize(15)
        .containsEntry("rollout/part0/action_share/1", 1.0)
        .containsEntry("rollout/part1/action_tenth_share/0", 0.25)
        .containsEntry("rollout/part1/action_tenth_share/5", 0.5)
        .containsEntry("rollout/part1/action_tenth_share/9", 0.25)
        .containsEntry("rollout/part2/action_share/0", 0.5)
        .containsEntry("rollout/part2/action_share/1", 0.0);
  }

  @Test
  @Requirement("MASK-2")
  void shouldTellTheShareOfMaskedChoices() {
    Metrics metrics = new Metrics();
    boolean[] masks = {true, false, false, true, true, true, true, false};
    ActionTelemetry.report(metrics, ActionSpace.discrete(4), new float[] {0, 1}, masks);
    assertThat(metrics.snapshot()).containsEntry("rollout/masked_share", 3.0 / 8);
  }
}
