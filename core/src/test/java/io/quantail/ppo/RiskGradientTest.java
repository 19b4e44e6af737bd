package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.SmallRuns;
import io.quantail.config.CvarMethod;
import io.quantail.config.RunConfig;
import io.quantail.critic.Cvar;
import io.quantail.critic.ReturnScale;
import io.quantail.critic.RiskMath;
import io.quantail.env.Environments;
import io.quantail.nn.Forward;
import io.quantail.nn.Parameters;
import io.quantail.rollout.Experience;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.SequenceBatch;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.testing.Requirement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The risk terms on their own, differentiated through a real network on a real rollout. */
class RiskGradientTest {
  private static final double ALPHA = 0.25;

  @Requirement("CRIT-3")
  @Test
  void shouldCarryTheCvarGradientIntoTrunkAndMemory() {
    RunConfig config = SmallRuns.config("critic.twin=false");
    try (Experience experience = new Experience(config, Environments.byName("CartPole-v1"));
        Parameters.Replica replica = experience.agent().parameters().replica();
        Scope scope = Scope.open()) {
      Rollout rollout = experience.collect(ReturnScale.IDENTITY);
      int[] windows = IntStream.range(0, rollout.shape().windows()).toArray();
      Forward forward =
          experience
              .agent()
              .network()
              .evaluate(replica, new SequenceBatch(rollout, windows).sequences());
      Tensor cvar = Cvar.ofQuantiles(forward.critics().get(0), ALPHA, CvarMethod.POINT_MASS).mean();
      RiskMath.constraint(cvar, 1e3, 1, Double.POSITIVE_INFINITY).backward();
      forward.propagate();

      for (String part : List.of("critic.lstm.0.", "critic.mlp.", "critic.head1.")) {
        Parameters.Range range = experience.agent().parameters().range(part);
        assertThat(range.of(replica.gradient()).norm().item()).as(part).isGreaterThan(1e-4);
      }
      Parameters.Range actor = experience.agent().parameters().range("actor.");
      assertThat(actor.of(replica.gradient()).norm().item()).isZero();
    }
  }
}
