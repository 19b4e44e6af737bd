package io.quantail.critic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import io.quantail.tensor.Layers;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Requirement("CRIT-1")
class QuantileCriticTest {
  private Scope scope;

  @BeforeEach
  void openScope() {
    scope = Scope.open();
  }

  @AfterEach
  void closeScope() {
    scope.close();
  }

  @Test
  void shouldDifferentiateTheLoss() {
    int rows = 3;
    int quantiles = 7;
    double step = 1e-6;
    QuantileCritic critic = new QuantileCritic(quantiles, 0.6);
    RandomStream random = RandomStream.of(2, "critic", 0);
    double[] outputs = new double[rows * quantiles];
    Arrays.setAll(outputs, i -> 2 * random.nextGaussian());
    Tensor targets = Tensor.of(new double[] {0.3, -1.1, 2.5}, rows);
    Tensor leaf = Tensor.of(outputs, rows, quantiles).requireGradient();
    critic.loss(leaf, targets).sum().backward();
    double[] gradient = leaf.gradient().doubles();
    for (int i = 0; i < outputs.length; i++) {
      double[] above = outputs.clone();
      double[] below = outputs.clone();
      above[i] += step;
      below[i] -= step;
      double difference =
          critic.loss(Tensor.of(above, rows, quantiles), targets).sum().item()
              - critic.loss(Tensor.of(below, rows, quantiles), targets).sum().item();
      assertThat(gradient[i]).isCloseTo(difference / (2 * step), within(1e-7));
    }
  }

  @Test
  void shouldRefuseAnotherNumberOfTargets() {
    QuantileCritic critic = new QuantileCritic(4, 1);
    assertThatThrownBy(() -> critic.loss(Tensor.zeros(3, 4), Tensor.zeros(4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 samples, 4 targets");
  }

  /**
   * Returns 0 and 1, equally likely. Below the middle a level stands near 0: balancing {@code (1 -
   * tau) d = tau kappa} puts its quantile at {@code d = kappa tau / (1 - tau)}; above, likewise
   * near 1.
   */
  @Test
  void shouldHaveItsMinimumAtTheQuantilesOfATwoPointDistribution() {
    double kappa = 0.05;
    QuantileCritic critic = new QuantileCritic(6, kappa);
    double[] best =
        Arrays.stream(critic.levels())
            .map(tau -> tau < 0.5 ? kappa * tau / (1 - tau) : 1 - kappa * (1 - tau) / tau)
            .toArray();
    Tensor leaf = Tensor.of(best, 1, 6).requireGradient();
    expectedLoss(critic, leaf).backward();
    assertThat(leaf.gradient().doubles()).containsExactly(new double[6], within(1e-12));
    double lowest = expectedLoss(critic, leaf).item();
    for (int i = 0; i < best.length; i++) {
      for (double shift : new double[] {-0.02, 0.02}) {
        double[] moved = best.clone();
        moved[i] += shift;
        assertThat(expectedLoss(critic, Tensor.of(moved, 1, 6)).item()).isGreaterThan(lowest);
      }
    }
  }

  private static Tensor expectedLoss(QuantileCritic critic, Tensor outputs) {
    Tensor twice = Layers.rows(outputs, new long[2]);
    return critic.loss(twice, Tensor.of(new double[] {0, 1}, 2)).mean();
  }

  @Requirement("TWIN-1")
  @Test
  void shouldTakeTheLowerMeanOfEachSample() {
    Critic critic = new QuantileCritic(2, 1);
    Tensor first = Tensor.of(new double[] {0, 4, 1, 1}, 2, 2);
    Tensor second = Tensor.of(new double[] {1, 1, 3, 5}, 2, 2);
    assertThat(critic.value(List.of(first, second)).doubles()).containsExactly(1, 1);
    assertThat(critic.value(List.of(first)).doubles()).containsExactly(2, 1);
  }
}
