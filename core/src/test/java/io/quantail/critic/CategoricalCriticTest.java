package io.quantail.critic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("CRIT-2")
class CategoricalCriticTest {
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
    CategoricalCritic critic = new CategoricalCritic(7, 2);
    double[] outputs = Samples.gaussian(3 * 7, 1);
    Tensor targets = Tensor.of(new double[] {0.3, -1.1, 2.5}, 3);
    Samples.requireGradient(leaf -> critic.loss(leaf.reshape(3, 7), targets).sum(), outputs, 1e-7);
  }

  @Test
  void shouldDifferentiateAShiftedDistribution() {
    CategoricalCritic critic = new CategoricalCritic(6, 1);
    Tensor targets = Tensor.of(new double[] {0.3, -0.9}, 2);
    double[] outputs = Samples.gaussian(2 * 6, 2);
    Samples.requireGradient(
        leaf -> {
          Tensor logits = leaf.reshape(2, 6);
          Tensor distance = critic.mean(logits).mul(0.7).add(0.11);
          return critic.loss(critic.shift(logits, distance), targets).sum();
        },
        outputs,
        1e-7);
  }

  @Test
  void shouldCostOneToKnowNothing() {
    for (int atoms : new int[] {2, 21, 51}) {
      CategoricalCritic critic = new CategoricalCritic(atoms, 10);
      Tensor target = Tensor.of(new double[] {0.123}, 1);
      double loss = critic.loss(Tensor.of(new double[atoms], 1, atoms), target).item();
      assertThat(loss).isCloseTo(1, within(1e-12));
    }
  }

  @Test
  void shouldKeepALossFiniteWhereProbabilitiesUnderflow() {
    CategoricalCritic critic = new CategoricalCritic(3, 1);
    Tensor logits = Tensor.of(new float[] {200, 0, -200}, 1, 3).requireGradient();
    Tensor loss = critic.loss(logits, Tensor.of(new float[] {1}, 1));
    loss.backward();
    assertThat(loss.item()).isCloseTo(400 / Math.log(3), within(1e-3));
    for (double slope : logits.gradient().doubles()) {
      assertThat(slope).isFinite();
    }
  }

  @Test
  void shouldRefuseAnotherNumberOfTargets() {
    CategoricalCritic critic = new CategoricalCritic(4, 1);
    assertThatThrownBy(() -> critic.loss(Tensor.zeros(3, 4), Tensor.zeros(4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 samples, 4 targets");
  }

  @ParameterizedTest
  @CsvSource({"0, -2", "0.1, -2", "0.25, -1.25", "0.5, 0", "0.66, 0.8", "0.95, 2", "1, 2"})
  void shouldReadQuantilesLikeAQuantileCriticWhenAtomsAreEquallyLikely(double level, double q) {
    double[] quantiles = {-2, -1, 0, 1, 2};
    double categorical =
        new CategoricalCritic(5, 2).quantile(Tensor.of(new double[5], 1, 5), level).item();
    double expected = new QuantileCritic(5, 1).quantile(Tensor.of(quantiles, 1, 5), level).item();
    assertThat(expected).isCloseTo(q, within(1e-9));
    assertThat(categorical).isCloseTo(expected, within(1e-6));
  }

  @Test
  void shouldReadQuantilesOfUnequalProbabilities() {
    CategoricalCritic critic = new CategoricalCritic(3, 1);
    Tensor logits = Tensor.of(new double[] {0.2, 0.6, 0.2}, 1, 3).log();
    assertThat(critic.quantile(logits, 0.5).item()).isCloseTo(0, within(1e-6));
    assertThat(critic.quantile(logits, 0.3).item()).isCloseTo(-0.5, within(1e-6));
    Tensor certain = Tensor.of(new double[] {-1e4, 0, -1e4}, 1, 3);
    assertThat(critic.quantile(certain, 0.5).item()).isCloseTo(0, within(1e-6));
  }

  @Test
  void shouldProjectLikeALoopOverMasses() {
    Support support = new Support(-1.5, 2, 8);
    double[] positions = Samples.gaussian(4 * 5, 3);
    double[] masses = Arrays.stream(Samples.gaussian(4 * 5, 4)).map(Math::abs).toArray();
    double[] projected =
        support.project(Tensor.of(positions, 4, 5), Tensor.of(masses, 4, 5)).doubles();
    double[] expected = new double[4 * 8];
    for (int row = 0; row < 4; row++) {
      for (int i = 0; i < 5; i++) {
        double inside = Math.max(-1.5, Math.min(2, positions[row * 5 + i]));
        double index = (inside + 1.5) / 0.5;
        int below = (int) Math.floor(index);
        int above = Math.min(7, below + 1);
        expected[row * 8 + below] += masses[row * 5 + i] * (1 - (index - below));
        expected[row * 8 + above] += masses[row * 5 + i] * (index - below);
      }
    }
    assertThat(projected).containsExactly(expected, within(1e-12));
  }

  @ParameterizedTest
  @CsvSource({"-0.9, true", "-0.2, true", "0, true", "0.35, true", "5, false", "-50, false"})
  void shouldKeepMassAndInsideTheSupportTheMean(double distance, boolean inside) {
    CategoricalCritic critic = new CategoricalCritic(51, 10);
    double[] logits = new double[51];
    Arrays.setAll(logits, i -> i < 5 || i > 45 ? -1e3 : Math.sin(3 * i));
    Tensor outputs = Tensor.of(logits, 1, 51);
    Tensor shifted = critic.shift(outputs, Tensor.of(new double[] {distance}, 1));
    assertThat(shifted.exp().sum().item()).isCloseTo(1, within(1e-6));
    double moved = critic.mean(shifted).item() - critic.mean(outputs).item();
    if (inside) {
      assertThat(moved).isCloseTo(distance, within(1e-6));
    } else {
      assertThat(Math.abs(moved)).isLessThan(Math.abs(distance));
    }
  }

  @Test
  void shouldRefuseSupportsWithoutExtent() {
    assertThatThrownBy(() -> new CategoricalCritic(1, 1)).hasMessageContaining("at least 2");
    assertThatThrownBy(() -> new Support(1, 1, 5)).hasMessageContaining("[1.0, 1.0]");
    assertThatThrownBy(() -> new Support(2, 1, 5)).hasMessageContaining("[2.0, 1.0]");
    assertThatThrownBy(() -> new Support(Double.NaN, 1, 5)).hasMessageContaining("NaN");
  }
}
