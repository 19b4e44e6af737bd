package io.quantail.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import io.quantail.kernel.Workspace;
import io.quantail.network.ActorCritic;
import io.quantail.network.ParameterLayout;
import io.quantail.network.ParameterLayout.Linear;
import io.quantail.network.ParameterReplica;
import io.quantail.network.Parameters;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("RET-2")
class ValueHeadRescaleTest {
  private static final ReturnScale BEFORE = new ReturnScale(40, 3);
  private static final ReturnScale AFTER = new ReturnScale(47, 4.5);

  @Test
  void shouldKeepDenormalisedOutputsOfBothHeads() {
    ParameterLayout builder = new ParameterLayout(1);
    ActorCritic network =
        new ActorCritic(
            builder,
            NetworkConfig.defaults(),
            new ActorCritic.Interface(3, new ActionSpace.Discrete(2), 2, new double[8], true));
    Parameters parameters = builder.build();
    ParameterReplica replica = parameters.replica();
    float[][] before = outputs(network, replica);
    float[] actor = actorParameters(parameters);
    for (Linear head : network.rescaledHeads()) {
      ValueHeadRescale.apply(parameters, head, BEFORE, AFTER);
    }
    float[][] after = outputs(network, replica);
    assertThat(before[0]).hasSize(2 * 9);
    for (int sample = 0; sample < before.length; sample++) {
      for (int i = 0; i < before[sample].length; i++) {
        assertThat(after[sample][i]).isNotEqualTo(before[sample][i]);
        assertThat(AFTER.denormalize(after[sample][i]))
            .isCloseTo(BEFORE.denormalize(before[sample][i]), withinPercentage(1e-3));
      }
    }
    assertThat(actorParameters(parameters)).isEqualTo(actor);
  }

  private static float[] actorParameters(Parameters parameters) {
    return parameters.range("actor.").of(parameters.values());
  }

  private static float[][] outputs(ActorCritic network, ParameterReplica replica) {
    float[][] observations = {{1, -2, 0.5f}, {0.1f, 0.2f, -0.7f}};
    return network.step(new Workspace(), replica, observations, network.initialState(2)).values();
  }
}
