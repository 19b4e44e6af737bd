package io.quantail.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.OptimizerConfig;
import io.quantail.config.RunConfig;
import io.quantail.kernel.FloatVectors;
import io.quantail.network.Parameters;
import io.quantail.random.RandomStream;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpgdTest {
  private static final int SIZE = 12;
  private static final int STEPS = 6;
  private static final double RATE = 0.05;

  @Requirement("OPT-1")
  @ParameterizedTest
  @ValueSource(strings = {"upgd", "adaptive-upgd", "upgdw"})
  void shouldNotDependOnTheOrderOfParameters(String name) {
    float[] straight = run(config(name, 0.1), slots("a", 5, "b", 7), 0, 1);
    float[] permuted = run(config(name, 0.1), slots("b", 7, "a", 5), 5, 1);
    for (int i = 0; i < SIZE; i++) {
      assertThat(permuted[i]).isEqualTo(straight[(i + 5) % SIZE]);
    }
  }

  @Requirement("OPT-1")
  @ParameterizedTest
  @ValueSource(strings = {"upgd", "adaptive-upgd"})
  void shouldNotDependOnHowParametersAreSplit(String name) {
    float[] whole = run(config(name, 0), slots("a", 12), 0, 1);
    assertThat(run(config(name, 0), slots("a", 3, "b", 4, "c", 5), 0, 1)).isEqualTo(whole);
  }

  @Requirement("OPT-1")
  @ParameterizedTest
  @EnumSource(OptimizerConfig.UtilityNorm.class)
  void shouldKeepGatesWhenGradientsAreScaled(OptimizerConfig.UtilityNorm norm) {
    for (double scale : new double[] {1e-6, 3, 1e6}) {
      assertThat(gates(norm, scale)).containsExactly(gates(norm, 1), within(1e-5f));
    }
  }

  /** The same start for both: gates depend on weights as well. */
  private float[] gates(OptimizerConfig.UtilityNorm norm, double scale) {
    Upgd.Settings rule = new Upgd.Settings(false, norm, 0, 0.9, 0, 0, 1, 0);
    float[] parameters = start(0);
    float[] gates = new float[SIZE];
    Upgd upgd = new Upgd(rule, new ParameterNoise(1, List.of()), SIZE);
    for (int step = 1; step <= STEPS; step++) {
      float[] gradient = gradient(step, 0);
      FloatVectors.scale(gradient, scale);
      upgd.step(parameters, gradient, 0, new float[SIZE]);
      gates = upgd.gates();
    }
    return gates;
  }

  @Requirement("OPT-1")
  @Test
  void shouldNotChangeAdaptiveStepsWhenGradientsAreScaled() {
    float[] plain = run(config("adaptive-upgd", 0.1), slots("a", 12), 0, 1);
    assertThat(run(config("adaptive-upgd", 0.1), slots("a", 12), 0, 50))
        .containsExactly(plain, within(1e-6f));
  }

  @Test
  void shouldScaleNoiseOfTheSgdFormWithTheGradient() {
    float[] quiet = run(config("upgd", 0), slots("a", 12), 0, 1, 1);
    float[] noisy = run(config("upgd", 0.5), slots("a", 12), 0, 1, 1);
    float[] louder = run(config("upgd", 0.5), slots("a", 12), 0, 2, 1);
    float[] loudQuiet = run(config("upgd", 0), slots("a", 12), 0, 2, 1);
    for (int i = 0; i < SIZE; i++) {
      assertThat(noisy[i]).isNotEqualTo(quiet[i]);
      double noise = noisy[i] - quiet[i];
      assertThat((double) louder[i] - loudQuiet[i]).isCloseTo(2 * noise, within(1e-6));
    }
  }

  @Requirement("OPT-2")
  @ParameterizedTest
  @ValueSource(strings = {"upgd", "adaptive-upgd", "upgdw"})
  void shouldTouchNothingWhenTheGradientIsNotFinite(String name) {
    for (float poison : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
      float[] parameters = start(0);
      Optimizer upgd = optimizer(config(name, 0.1), slots("a", 12));
      upgd.step(parameters, gradient(1, 0), RATE);
      float[] before = parameters.clone();
      Map<String, ?> state = state(upgd);
      float[] broken = gradient(2, 0);
      broken[4] = poison;
      assertThatThrownBy(() -> upgd.step(parameters, broken, RATE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must be finite");
      assertThat(parameters).isEqualTo(before);
      assertThat(state(upgd)).isEqualTo(state);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"upgd", "adaptive-upgd"})
  void shouldMoveParametersThatAreAllZeroByHalfAStep(String name) {
    float[] parameters = new float[SIZE];
    Optimizer upgd = optimizer(config(name, 0), slots("a", 12));
    float[] gradient = gradient(1, 0);
    upgd.step(parameters, gradient, RATE);
    for (int i = 0; i < SIZE; i++) {
      double full = name.equals("upgd") ? gradient[i] : Math.signum(gradient[i]);
      assertThat((double) parameters[i]).isCloseTo(-RATE * full / 2, within(1e-6));
    }
    upgd.step(parameters, new float[SIZE], RATE);
    assertThat(FloatVectors.norm(parameters)).isFinite();
  }

  @Test
  void shouldProtectUsefulWeights() {
    float[] parameters = {1, 1, 1};
    Upgd.Settings rule =
        new Upgd.Settings(false, OptimizerConfig.UtilityNorm.MIN_MAX, 0, 0.9, 0, 0, 1, 0);
    Upgd upgd = new Upgd(rule, new ParameterNoise(1, List.of()), 3);
    float[] gradient = {-1, 0, 1};
    upgd.step(parameters, gradient, RATE, new float[3]);
    assertThat(upgd.gates())
        .containsExactly(new float[] {0.26894142f, 0.5f, 0.73105858f}, within(1e-6f));
  }

  @Test
  void shouldUseTheDecayOfTheSecondMomentForUtilitiesOfUpgdw() {
    OptimizerConfig config = config("upgdw", 0);
    assertThat(Upgd.Settings.of(config).betaUtility()).isEqualTo(config.beta2());
    assertThat(Upgd.Settings.of(config("adaptive-upgd", 0)).betaUtility()).isEqualTo(0.9);
  }

  @Test
  void shouldMeasureGatesUtilitiesAndNoise() {
    float[] parameters = {1, 1, 1, 1};
    Optimizer upgd = optimizer(config("adaptive-upgd", 0.1), slots("a", 4));
    float[] gradient = {-2, 2, 0.5f, -0.5f};
    upgd.step(parameters, gradient, RATE);
    Map<String, Double> measured = upgd.measure(gradient);
    assertThat(measured.get("optim/gate_min")).isCloseTo(0.268941, within(1e-5));
    assertThat(measured.get("optim/gate_max")).isCloseTo(0.731059, within(1e-5));
    assertThat(measured.get("optim/gate_mean")).isCloseTo(0.5, within(1e-5));
    assertThat(measured.get("optim/utility_min")).isCloseTo(-2, within(1e-5));
    assertThat(measured.get("optim/utility_max")).isCloseTo(2, within(1e-5));
    // Every normalised step is 1 in size after the first gradient.
    assertThat(measured.get("optim/noise_to_signal")).isCloseTo(0.1, within(1e-5));
  }

  private static float[] run(
      OptimizerConfig config, List<Parameters.Slot> slots, int rotation, double scale) {
    return run(config, slots, rotation, scale, STEPS);
  }

  private static float[] run(
      OptimizerConfig config, List<Parameters.Slot> slots, int rotation, double scale, int steps) {
    float[] parameters = start(rotation);
    Optimizer upgd = optimizer(config, slots);
    for (int step = 1; step <= steps; step++) {
      float[] gradient = gradient(step, rotation);
      FloatVectors.scale(gradient, scale);
      upgd.step(parameters, gradient, RATE);
    }
    return parameters;
  }

  private static Optimizer optimizer(OptimizerConfig config, List<Parameters.Slot> slots) {
    return Optimizer.create(config, slots, 3);
  }

  private static Map<String, ?> state(Optimizer optimizer) {
    StateMap state = new StateMap();
    optimizer.save(state);
    return state.entries();
  }

  private static List<Parameters.Slot> slots(Object... namesAndCounts) {
    List<Parameters.Slot> slots = new ArrayList<>();
    long offset = 0;
    for (int i = 0; i < namesAndCounts.length; i += 2) {
      long count = (int) namesAndCounts[i + 1];
      slots.add(new Parameters.Slot((String) namesAndCounts[i], List.of(count), offset, count));
      offset += count;
    }
    return slots;
  }

  private static OptimizerConfig config(String name, double sigma) {
    return SmallRuns.override(
            RunConfig.defaults(),
            List.of(
                "optimizer.name=" + name,
                "optimizer.sigma=" + sigma,
                "optimizer.betaUtility=0.9",
                "optimizer.weightDecay=0.01"))
        .optimizer();
  }

  private static float[] start(int rotation) {
    return gradient(0, rotation);
  }

  /** Random numbers; rotated by as many places as the flat vector was. */
  private static float[] gradient(int step, int rotation) {
    RandomStream random = RandomStream.of(6, "gradient", step);
    float[] values = new float[SIZE];
    for (int i = 0; i < SIZE; i++) {
      values[(i + SIZE - rotation) % SIZE] = (float) random.nextGaussian();
    }
    return values;
  }
}
