package io.quantail.critic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import io.quantail.nn.ActorCritic;
import io.quantail.nn.Forward;
import io.quantail.nn.Linear;
import io.quantail.nn.Parameters;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("RET-2")
class HeadRescaleTest {
  private static final ReturnScale BEFORE = new ReturnScale(40, 3);
  private static final ReturnScale AFTER = new ReturnScale(47, 4.5);

  @Test
  void shouldKeepDenormalisedOutputsOfBothHeads() {
    Parameters.Builder builder = new Parameters.Builder(1);
    ActorCritic network =
        new ActorCritic(
            builder,
            NetworkConfig.defaults(),
            new ActorCritic.Interface(3, new ActionSpace.Discrete(2), 2, 8));
    Parameters parameters = builder.build();
    Parameters.Replica replica = parameters.replica();
    double[][] before = outputs(network, replica);
    float[] actor = actorParameters(parameters);
    for (Linear head : network.valueHeads()) {
      HeadRescale.apply(parameters, head, BEFORE, AFTER);
    }
    double[][] after = outputs(network, replica);
    assertThat(after[0]).isNotEqualTo(before[0]);
    for (int critic = 0; critic < 2; critic++) {
      for (int i = 0; i < before[critic].length; i++) {
        assertThat(AFTER.denormalize(after[critic][i]))
            .isCloseTo(BEFORE.denormalize(before[critic][i]), withinPercentage(1e-3));
      }
    }
    assertThat(actorParameters(parameters)).isEqualTo(actor);
  }

  private static float[] actorParameters(Parameters parameters) {
    return parameters.range("actor.").of(parameters.values());
  }

  private static double[][] outputs(ActorCritic network, Parameters.Replica replica) {
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      float[][] observations = {{1, -2, 0.5f}, {0.1f, 0.2f, -0.7f}};
      Forward forward = network.step(replica, observations, network.initialState(2));
      return forward.critics().stream().map(Tensor::doubles).toArray(double[][]::new);
    }
  }
}
