package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.ObservationSpace;
import io.quantail.model.AgentModel;
import io.quantail.network.ParameterReplica;
import io.quantail.network.Parameters;
import io.quantail.optim.OptimizerStep;
import io.quantail.parallel.ParallelLoop;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

@Requirement("GRAD-2")
class GradientMonitoringTest {
  private static final double RATE = 1e-3;
  private static final int LAYERS = 2;

  private final RunConfig config =
      SmallRuns.override(
          RunConfig.defaults(), List.of("network.hidden=4", "network.layers=" + LAYERS));
  private final AgentModel model =
      new AgentModel(config, ObservationSpace.of(3), new ActionSpace.Discrete(2));
  private final ParameterReplica replica = model.parameters().replica();

  @Test
  void shouldMeasureEachLayerOnceBeforeClipping() {
    OptimizerStep steps = steps();
    OptimizerStep.Report report = apply(steps, 1);

    long all = model.parameters().slots().stream().mapToLong(Parameters.Slot::count).sum();
    assertThat(report.normBefore()).isCloseTo(Math.sqrt(all), within(1e-4));
    assertThat(report.normAfter()).isCloseTo(2, within(1e-4));
    for (String layer : List.of("actor.lstm.0", "actor.lstm.1", "critic.lstm.0", "critic.lstm.1")) {
      long own =
          model.parameters().slots().stream()
              .filter(slot -> slot.name().startsWith(layer + "."))
              .mapToLong(Parameters.Slot::count)
              .sum();
      assertThat(own).isPositive();
      assertThat(report.groupNorms().get("train/lstm_grad_norm/" + layer))
          .isCloseTo(Math.sqrt(own), within(1e-4));
    }
    assertThat(report.groupNorms().keySet()).hasSize(2 * LAYERS + 2);
  }

  @Test
  void shouldRefuseNonFiniteGradientAndChangeNothing() {
    float[] start = model.parameters().values().clone();
    OptimizerStep undisturbed = steps();
    apply(undisturbed, 1);
    float[] expected = model.parameters().values().clone();

    model.parameters().set(start);
    OptimizerStep steps = steps();
    assertThat(apply(steps, Float.NaN).taken()).isFalse();
    assertThat(apply(steps, Float.POSITIVE_INFINITY).taken()).isFalse();
    assertThat(model.parameters().values()).isEqualTo(start);

    assertThat(apply(steps, 1).taken()).isTrue();
    assertThat(model.parameters().values()).isEqualTo(expected);
  }

  private OptimizerStep steps() {
    return new OptimizerStep(
        config.optimizer(), model.parameters(), model.network(), 1, ParallelLoop.ALONE);
  }

  private OptimizerStep.Report apply(OptimizerStep steps, float gradient) {
    Arrays.fill(replica.gradient(), gradient);
    return steps.apply(List.of(replica), new double[] {1}, new boolean[] {true}, RATE, true);
  }
}
