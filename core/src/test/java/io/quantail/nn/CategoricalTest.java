package io.quantail.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Requirement("NET-3")
class CategoricalTest {
  private static final Offset<Double> CLOSE = within(1e-9);

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
  void shouldGiveProbabilitiesThatSumToOne() {
    Categorical categorical = Categorical.fromLogits(logits());
    double total = 0;
    for (int action = 0; action < 3; action++) {
      Tensor raw = Tensor.of(new double[] {action, action}, 2, 1);
      Tensor logProbability = categorical.logProbability(raw);
      assertThat(logProbability.shape()).containsExactly(2);
      total += Math.exp(logProbability.doubles()[1]);
    }
    assertThat(total).isCloseTo(1, CLOSE);
  }

  @Test
  void shouldNotOverflowWithLargeLogits() {
    Categorical categorical =
        Categorical.fromLogits(Tensor.of(new double[] {2000, 0, -2000}, 1, 3));
    assertThat(categorical.logProbability(Tensor.of(new double[] {2}, 1, 1)).item())
        .isEqualTo(-4000);
    assertThat(categorical.entropy().item()).isEqualTo(0);
  }

  @Test
  void shouldGiveOneEntropyPerSample() {
    Tensor entropy = Categorical.fromLogits(logits()).entropy();
    assertThat(entropy.shape()).containsExactly(2);
    assertThat(entropy.doubles()[0]).isCloseTo(Math.log(3), CLOSE);
    double[] p = {0.2, 0.3, 0.5};
    double expected = -Arrays.stream(p).map(x -> x * Math.log(x)).sum();
    assertThat(entropy.doubles()[1]).isCloseTo(expected, CLOSE);
  }

  @Test
  void shouldRebuildFromItsParameters() {
    Categorical original = Categorical.fromLogits(logits());
    Categorical rebuilt = Categorical.fromLogits(original.parameters());
    assertThat(original.divergence(rebuilt).doubles()).containsExactly(new double[2], CLOSE);
  }

  @Test
  void shouldChooseTheMostLikelyAction() {
    assertThat(Categorical.fromLogits(Tensor.of(new float[] {1, 3, 2, 5, 0, 1}, 2, 3)).mode())
        .containsExactly(1, 0);
  }

  @Test
  void shouldSampleWithTheRightFrequencies() {
    int draws = 20_000;
    float[] logits = new float[draws * 3];
    float[] row = {(float) Math.log(0.2), (float) Math.log(0.3), (float) Math.log(0.5)};
    for (int i = 0; i < logits.length; i++) {
      logits[i] = row[i % 3];
    }
    RandomStream[] streams = new RandomStream[draws];
    Arrays.setAll(streams, i -> RandomStream.of(5, "draw", i));
    float[] chosen = Categorical.fromLogits(Tensor.of(logits, draws, 3)).sample(streams, 0);
    double[] shares = new double[3];
    for (float action : chosen) {
      shares[(int) action] += 1.0 / draws;
    }
    assertThat(shares).containsExactly(new double[] {0.2, 0.3, 0.5}, within(0.015));
  }

  @Test
  void shouldSampleRowsFromTheirOwnStreams() {
    Tensor logits = Tensor.of(new float[2 * 5], 2, 5);
    RandomStream[] all = new RandomStream[6];
    Arrays.setAll(all, i -> RandomStream.of(5, "draw", i));
    RandomStream[] part = {RandomStream.of(5, "draw", 4), RandomStream.of(5, "draw", 5)};
    assertThat(Categorical.fromLogits(logits).sample(all, 4))
        .isEqualTo(Categorical.fromLogits(logits).sample(part, 0));
    assertThat(all[0].position()).isZero();
  }

  private static Tensor logits() {
    return Tensor.of(new double[] {7, 7, 7, Math.log(0.2), Math.log(0.3), Math.log(0.5)}, 2, 3);
  }
}
