package io.quantail.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RiskConfig;
import io.quantail.testing.FiniteDifferences;
import io.quantail.testing.Requirement;
import io.quantail.testing.vectors.Floats;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("CRIT-2")
class CategoricalCriticTest {
  private static final int OFFSET = 3;
  private static final double WEIGHT = 0.3;
  private static final double STEP = 0x1p-9;

  /** Inside the support, on an atom, at and beyond both ends. */
  @Requirement("CRIT-3")
  @ParameterizedTest
  @ValueSource(doubles = {0.3, -1.1, 0, 2, -2, 2.5, -40})
  void shouldHaveTheLossOfASlowLoopAndTheGradientOfFiniteDifferences(double target) {
    for (int atoms : new int[] {2, 7, 51}) {
      CategoricalCritic critic = new CategoricalCritic(atoms, 2);
      float[] outputs = Samples.floats(OFFSET + atoms, 1);
      float[] gradient = new float[outputs.length];
      double loss =
          critic.loss(outputs, OFFSET, new float[] {(float) target}, 0, 1, WEIGHT, gradient);

      double[] p = probabilities(outputs);
      double index = (Math.max(-2, Math.min(2, target)) + 2) / (4.0 / (atoms - 1));
      double expected = 0;
      for (int i = 0; i < atoms; i++) {
        expected -= Math.max(0, 1 - Math.abs(index - i)) * Math.log(p[i]) / Math.log(atoms);
      }
      assertThat(loss).isCloseTo(expected, within(1e-6));
      assertThat(gradient).startsWith(0, 0, 0);
      FiniteDifferences.require(
          () ->
              WEIGHT
                  * critic.loss(
                      outputs,
                      OFFSET,
                      new float[] {(float) target},
                      0,
                      1,
                      0,
                      new float[OFFSET + atoms]),
          outputs,
          OFFSET,
          atoms,
          gradient,
          STEP,
          1e-6);
    }
  }

  @Requirement("CRIT-3")
  @Test
  void shouldHaveTheMeanOfASlowLoopAndAddItsGradient() {
    CategoricalCritic critic = new CategoricalCritic(7, 2);
    float[] outputs = Samples.floats(OFFSET + 7, 2);
    double[] p = probabilities(outputs);
    double mean = 0;
    for (int i = 0; i < 7; i++) {
      mean += p[i] * (-2 + i * 4.0 / 6);
    }
    assertThat(critic.mean(outputs, OFFSET)).isCloseTo(mean, within(1e-9));
    float[] gradient = new float[outputs.length];
    Arrays.fill(gradient, 5);
    critic.addCentreGradient(outputs, OFFSET, -0.7, gradient);
    assertThat(gradient).startsWith(5, 5, 5);
    for (int i = OFFSET; i < gradient.length; i++) {
      gradient[i] -= 5;
    }
    FiniteDifferences.require(
        () -> -0.7 * critic.mean(outputs, OFFSET), outputs, OFFSET, 7, gradient, STEP, 3e-6);
  }

  /** Atoms fall between others, beyond an end, and leave others without any mass. */
  @Requirement("CRIT-3")
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.11, -0.11, 0.53, -0.97, 1.7, -3})
  void shouldDifferentiateAShiftedDistribution(double distance) {
    int atoms = 6; // 0.4 apart
    CategoricalCritic critic = new CategoricalCritic(atoms, 1);
    float[] outputs = Samples.floats(OFFSET + atoms, 2);
    float[] weights = Samples.floats(atoms, 3);
    float[] gradient = new float[outputs.length];
    double byDistance = critic.shiftGradient(outputs, OFFSET, distance, weights, gradient);
    assertThat(gradient).startsWith(0, 0, 0);
    FiniteDifferences.require(
        () -> shifted(critic, outputs, distance, weights),
        outputs,
        OFFSET,
        atoms,
        gradient,
        0x1p-7,
        3e-4);
    if (distance != 0) { // where all atoms lie on atoms, and left and right differ
      double above = shifted(critic, outputs, distance + 0x1p-9, weights);
      double below = shifted(critic, outputs, distance - 0x1p-9, weights);
      assertThat(byDistance).isCloseTo((above - below) / 0x1p-8, within(1e-3));
    }
  }

  private static double shifted(Critic critic, float[] outputs, double distance, float[] weights) {
    float[] shifted = new float[critic.outputs()];
    critic.shift(outputs, OFFSET, distance, shifted);
    return Samples.weighed(shifted, weights);
  }

  @Test
  void shouldCostOneToKnowNothing() {
    for (int atoms : new int[] {2, 21, 51}) {
      CategoricalCritic critic = new CategoricalCritic(atoms, 10);
      double loss =
          critic.loss(new float[atoms], 0, new float[] {0.123f}, 0, 1, 1, new float[atoms]);
      assertThat(loss).isCloseTo(1, within(1e-12));
    }
  }

  @Test
  void shouldKeepALossFiniteWhereProbabilitiesUnderflow() {
    CategoricalCritic critic = new CategoricalCritic(3, 1);
    float[] gradient = new float[3];
    double loss = critic.loss(new float[] {200, 0, -200}, 0, new float[] {1}, 0, 1, 1, gradient);
    assertThat(loss).isCloseTo(400 / Math.log(3), within(1e-3));
    float slope = (float) (1 / Math.log(3));
    assertThat(gradient).containsExactly(new float[] {slope, 0, -slope}, within(1e-6f));
  }

  @ParameterizedTest
  @CsvSource({"0.1, -2", "0.25, -1.25", "0.5, 0", "0.66, 0.8", "0.9, 2"})
  void shouldReadQuantilesLikeAQuantileCriticWhenAtomsAreEquallyLikely(double level, double q) {
    Critic categorical = new CategoricalCritic(5, 2);
    categorical.read(new float[5], 0);
    Critic quantiles = new QuantileCritic(5, 1);
    quantiles.read(new float[] {-2, -1, 0, 1, 2}, 0);
    assertThat(quantiles.quantile(level)).isCloseTo(q, within(1e-9));
    assertThat(categorical.quantile(level)).isCloseTo(q, within(1e-6));
  }

  @Test
  void shouldReadQuantilesOfUnequalProbabilities() {
    CategoricalCritic critic = new CategoricalCritic(3, 1);
    float[] logits = Floats.of(Math.log(0.2), Math.log(0.6), Math.log(0.2));
    critic.read(logits, 0);
    assertThat(critic.quantile(0.5)).isCloseTo(0, within(1e-6));
    assertThat(critic.quantile(0.3)).isCloseTo(-0.5, within(1e-6));
    critic.read(new float[] {-1e4f, 0, -1e4f}, 0);
    assertThat(critic.quantile(0.5)).isCloseTo(0, within(1e-6));
  }

  @Requirement("CRIT-3")
  @Test
  void shouldReadWhatLiesAtItsOffset() {
    CategoricalCritic critic = new CategoricalCritic(3, 1);
    float[] outputs = {9, 9, (float) Math.log(0.2), (float) Math.log(0.6), (float) Math.log(0.2)};
    critic.read(outputs, 2);
    assertThat(critic.quantile(0.3)).isCloseTo(-0.5, within(1e-6));
    assertThat(critic.cvar(0.4, RiskConfig.CvarMethod.POINT_MASS)).isCloseTo(-0.5, within(1e-6));
    assertThat(
            critic.another().cvar(outputs, 2, 0.4, RiskConfig.CvarMethod.POINT_MASS, new float[5]))
        .isCloseTo(-0.5, within(1e-6));
  }

  @Test
  void shouldProjectLikeALoopOverMasses() {
    AtomSupport support = new AtomSupport(-1.5, 2, 8);
    for (double distance : new double[] {0, 0.7}) {
      double[] positions = Samples.gaussian(20, 3);
      double[] masses = Arrays.stream(Samples.gaussian(20, 4)).map(Math::abs).toArray();
      double[] projected = new double[8];
      Arrays.fill(projected, Double.NaN);
      support.project(positions, distance, masses, projected);
      double[] expected = new double[8];
      for (int i = 0; i < positions.length; i++) {
        double inside = Math.max(-1.5, Math.min(2, positions[i] + distance));
        for (int atom = 0; atom < 8; atom++) {
          double near = 1 - Math.abs(inside - (-1.5 + 0.5 * atom)) / 0.5;
          expected[atom] += masses[i] * Math.max(0, near);
        }
      }
      assertThat(projected).containsExactly(expected, within(1e-12));
    }
  }

  @ParameterizedTest
  @CsvSource({"-0.9, true", "-0.2, true", "0, true", "0.35, true", "5, false", "-50, false"})
  void shouldKeepMassAndInsideTheSupportTheMean(double distance, boolean inside) {
    CategoricalCritic critic = new CategoricalCritic(51, 10);
    float[] outputs = new float[51];
    for (int i = 0; i < 51; i++) {
      outputs[i] = i < 5 || i > 45 ? -1e3f : (float) Math.sin(3 * i);
    }
    float[] shifted = new float[51];
    critic.shift(outputs, 0, distance, shifted);
    double mass = 0;
    for (float log : shifted) {
      mass += Math.exp(log);
    }
    assertThat(mass).isCloseTo(1, within(1e-6));
    double moved = critic.mean(shifted, 0) - critic.mean(outputs, 0);
    if (inside) {
      assertThat(moved).isCloseTo(distance, within(1e-6));
    } else {
      assertThat(Math.abs(moved)).isLessThan(Math.abs(distance));
    }
  }

  @Test
  void shouldRefuseSupportsWithoutExtent() {
    assertThatThrownBy(() -> new CategoricalCritic(1, 1)).hasMessageContaining("at least 2");
    assertThatThrownBy(() -> new AtomSupport(1, 1, 5)).hasMessageContaining("[1.0, 1.0]");
    assertThatThrownBy(() -> new AtomSupport(2, 1, 5)).hasMessageContaining("[2.0, 1.0]");
    assertThatThrownBy(() -> new AtomSupport(Double.NaN, 1, 5)).hasMessageContaining("NaN");
  }

  /** From the logits behind the offset, by the definition. */
  private static double[] probabilities(float[] outputs) {
    double[] p = new double[outputs.length - OFFSET];
    double sum = 0;
    for (int i = 0; i < p.length; i++) {
      p[i] = Math.exp(outputs[OFFSET + i]);
      sum += p[i];
    }
    for (int i = 0; i < p.length; i++) {
      p[i] /= sum;
    }
    return p;
  }
}
