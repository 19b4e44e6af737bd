package io.quantail.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

@Requirement("NET-3")
class CategoricalPolicyTest {
  private static final Offset<Double> CLOSE = within(1e-6);
  private static final int CASES = 20;
  private static final double[] PROBABILITIES = {0.2, 0.3, 0.5};

  /** The definitions in double, for logits near each other and far apart. */
  @Test
  void shouldAgreeWithASlowLoop() {
    RandomStream random = RandomStream.of(21, "rows", 0);
    CategoricalPolicy policy = new CategoricalPolicy(4);
    for (int sample = 0; sample < CASES; sample++) {
      float[] logits = numbers(random, 4, sample % 2 == 0 ? 1 : 10);
      float[] stored = new float[6];
      policy.set(numbers(random, 4, 1), new float[0]);
      policy.store(stored, 2);
      policy.set(logits, new float[0]);
      double[] p = softmax(logits);
      double entropy = 0;
      double divergence = 0;
      for (int action = 0; action < 4; action++) {
        double log = policy.logProbability(new float[] {9, action}, 1);
        assertThat(log).isCloseTo(Math.log(p[action]), CLOSE);
        entropy -= p[action] * Math.log(p[action]);
        double before = stored[2 + action];
        divergence += Math.exp(before) * (before - Math.log(p[action]));
      }
      assertThat(policy.entropy()).isCloseTo(entropy, CLOSE);
      assertThat(policy.divergenceFrom(stored, 2)).isCloseTo(divergence, CLOSE);
    }
  }

  private static double[] softmax(float[] logits) {
    double[] p = new double[logits.length];
    Arrays.setAll(p, i -> Math.exp(logits[i]));
    double sum = Arrays.stream(p).sum();
    return Arrays.stream(p).map(x -> x / sum).toArray();
  }

  @Test
  void shouldHaveTheGradientsOfFiniteDifferences() {
    RandomStream random = RandomStream.of(22, "rows", 0);
    for (int sample = 0; sample < CASES; sample++) {
      CategoricalPolicy old = new CategoricalPolicy(4);
      old.set(numbers(random, 4, 1), new float[0]);
      float[] stored = new float[4];
      old.store(stored, 0);
      PolicyCheck.requireGradients(
          beside -> new CategoricalPolicy(4),
          new float[0],
          numbers(random, 4, sample % 2 == 0 ? 1 : 4),
          stored,
          new float[] {random.nextInt(4)});
    }
  }

  @Test
  void shouldGiveProbabilitiesThatSumToOne() {
    CategoricalPolicy policy = policy(logits());
    double total = 0;
    for (int action = 0; action < 3; action++) {
      total += Math.exp(policy.logProbability(new float[] {action}, 0));
    }
    assertThat(total).isCloseTo(1, within(1e-12));
  }

  @Test
  void shouldNotOverflowWithLargeLogits() {
    CategoricalPolicy policy = policy(2000, 0, -2000);
    assertThat(policy.logProbability(new float[] {2}, 0)).isEqualTo(-4000);
    assertThat(policy.entropy()).isEqualTo(0);
    float[] gradient = new float[3];
    policy.addGradient(gradient, 1, 1, 0);
    assertThat(gradient).containsExactly(-1, 0, 1);
  }

  @Test
  void shouldHaveTheEntropyOfItsProbabilities() {
    assertThat(policy(7, 7, 7).entropy()).isCloseTo(Math.log(3), CLOSE);
    double expected = -Arrays.stream(PROBABILITIES).map(x -> x * Math.log(x)).sum();
    assertThat(policy(logits()).entropy()).isCloseTo(expected, CLOSE);
  }

  @Test
  void shouldHaveNoDivergenceFromItself() {
    CategoricalPolicy policy = policy(logits());
    float[] stored = new float[3];
    policy.store(stored, 0);
    assertThat(policy.divergenceFrom(stored, 0)).isCloseTo(0, CLOSE);
    for (int i = 0; i < 3; i++) {
      assertThat(Math.exp(stored[i])).isCloseTo(PROBABILITIES[i], CLOSE);
    }
  }

  @Test
  void shouldChooseTheMostLikelyAction() {
    float[] chosen = new float[2];
    policy(1, 3, 2).mode(chosen, 0);
    policy(5, 0, 1).mode(chosen, 1);
    assertThat(chosen).containsExactly(1, 0);
  }

  @Test
  void shouldSampleWithTheRightFrequencies() {
    int draws = 20_000;
    CategoricalPolicy policy = policy(logits());
    double[] fractions = new double[3];
    float[] raw = new float[1];
    for (int i = 0; i < draws; i++) {
      policy.sample(RandomStream.of(5, "draw", i), raw, 0);
      fractions[(int) raw[0]] += 1.0 / draws;
    }
    assertThat(fractions).containsExactly(PROBABILITIES, within(0.015));
  }

  @Test
  void shouldSampleFromTheGivenStreamOnly() {
    CategoricalPolicy policy = policy(0, 0, 0, 0, 0);
    RandomStream[] streams = new RandomStream[6];
    Arrays.setAll(streams, i -> RandomStream.of(5, "draw", i));
    float[] raw = new float[6];
    for (int i = 4; i < 6; i++) {
      policy.sample(streams[i], raw, i);
    }
    float[] again = new float[6];
    policy.sample(RandomStream.of(5, "draw", 5), again, 5);
    policy.sample(RandomStream.of(5, "draw", 4), again, 4);
    assertThat(raw).isEqualTo(again).startsWith(0, 0, 0, 0);
    assertThat(streams[0].position()).isZero();
    assertThat(streams[4].position()).isPositive();
  }

  private static CategoricalPolicy policy(float... logits) {
    CategoricalPolicy policy = new CategoricalPolicy(logits.length);
    policy.set(logits, new float[0]);
    return policy;
  }

  private static float[] logits() {
    return new float[] {(float) Math.log(0.2), (float) Math.log(0.3), (float) Math.log(0.5)};
  }

  private static float[] numbers(RandomStream random, int count, double scale) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = (float) (scale * random.nextGaussian());
    }
    return numbers;
  }
}
