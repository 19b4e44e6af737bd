package io.quantail.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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

  /** A masked choice is as if it were not there: the rest is the softmax of the allowed logits. */
  @Test
  @Requirement("MASK-2")
  void shouldBeTheSoftmaxOfTheAllowedLogits() {
    RandomStream random = RandomStream.of(23, "rows", 0);
    CategoricalPolicy policy = new CategoricalPolicy(5);
    CategoricalPolicy fewer = new CategoricalPolicy(3);
    boolean[] masks = {false, true, false, true, true, false};
    for (int sample = 0; sample < CASES; sample++) {
      float[] logits = numbers(random, 5, sample % 2 == 0 ? 1 : 30);
      policy.set(logits, new float[0], masks, 1);
      fewer.set(new float[] {logits[0], logits[2], logits[3]}, new float[0]);
      float[] stored = new float[5];
      float[] same = new float[3];
      policy.store(stored, 0);
      fewer.store(same, 0);
      assertThat(stored)
          .containsExactly(
              same[0], Float.NEGATIVE_INFINITY, same[1], same[2], Float.NEGATIVE_INFINITY);
      assertThat(Math.exp(stored[1])).isZero();
      assertThat(policy.entropy()).isEqualTo(fewer.entropy());
      assertThat(policy.logProbability(new float[] {3}, 0))
          .isEqualTo(fewer.logProbability(new float[] {2}, 0));
      float[] old = {-1, Float.NEGATIVE_INFINITY, -0.5f, -2, Float.NEGATIVE_INFINITY};
      assertThat(policy.divergenceFrom(old, 0))
          .isEqualTo(fewer.divergenceFrom(new float[] {-1, -0.5f, -2}, 0));
      float[] gradient = new float[5];
      float[] expected = new float[3];
      policy.addGradient(gradient, 0.7, -0.4, 1.3);
      fewer.addGradient(expected, 0.7, -0.4, 1.3);
      assertThat(gradient).containsExactly(expected[0], 0, expected[1], expected[2], 0);
    }
  }

  @Test
  @Requirement("MASK-2")
  void shouldHaveTheGradientsOfFiniteDifferencesUnderMasks() {
    RandomStream random = RandomStream.of(24, "rows", 0);
    for (int sample = 0; sample < CASES; sample++) {
      boolean[] mask = mask(random, 4);
      CategoricalPolicy old = new CategoricalPolicy(4);
      old.set(numbers(random, 4, 1), new float[0], mask, 0);
      float[] stored = new float[4];
      old.store(stored, 0);
      float[] action = new float[1];
      old.sample(random, action, 0);
      PolicyCheck.requireGradients(
          beside -> new CategoricalPolicy(4),
          mask,
          new float[0],
          numbers(random, 4, sample % 2 == 0 ? 1 : 4),
          stored,
          action);
    }
  }

  @Test
  @Requirement("MASK-2")
  void shouldGiveTheSameBitsWithAMaskThatAllowsAll() {
    RandomStream random = RandomStream.of(25, "rows", 0);
    CategoricalPolicy masked = new CategoricalPolicy(4);
    CategoricalPolicy free = new CategoricalPolicy(4);
    for (int sample = 0; sample < CASES; sample++) {
      float[] logits = numbers(random, 4, 3);
      masked.set(logits, new float[0], mask(random, 4), 0);
      masked.set(logits, new float[0], new boolean[] {true, true, true, true}, 0);
      requireSame(masked, policy(logits), sample);
      masked.set(logits, new float[0], mask(random, 4), 0);
      masked.set(logits, new float[0]); // the mask before it is forgotten
      free.set(logits, new float[0]);
      requireSame(masked, free, sample);
    }
  }

  private static void requireSame(CategoricalPolicy one, CategoricalPolicy other, int sample) {
    float[][] stored = new float[2][4];
    float[][] drawn = new float[2][2];
    CategoricalPolicy[] both = {one, other};
    for (int i = 0; i < 2; i++) {
      both[i].store(stored[i], 0);
      both[i].sample(RandomStream.of(sample, "draw", 0), drawn[i], 0);
      both[i].mode(drawn[i], 1);
    }
    assertThat(stored[0]).isEqualTo(stored[1]);
    assertThat(drawn[0]).isEqualTo(drawn[1]);
    assertThat(one.entropy()).isEqualTo(other.entropy());
  }

  /** Also with logits that leave allowed choices a probability of zero in double precision. */
  @Test
  @Requirement("MASK-2")
  void shouldNeverChooseAMaskedActionInAMillionSamples() {
    RandomStream random = RandomStream.of(26, "rows", 0);
    CategoricalPolicy policy = new CategoricalPolicy(6);
    float[] raw = new float[2];
    long[] counts = new long[2]; // allowed and masked
    for (int i = 0; i < 1_000_000; i += 10) {
      boolean[] mask = mask(random, 6);
      policy.set(numbers(random, 6, i % 20 == 0 ? 1 : 1000), new float[0], mask, 0);
      for (int draw = 0; draw < 10; draw++) {
        policy.sample(random, raw, 0);
        counts[mask[(int) raw[0]] ? 0 : 1]++;
      }
      policy.mode(raw, 1);
      counts[mask[(int) raw[1]] ? 0 : 1]++;
    }
    assertThat(counts).containsExactly(1_100_000, 0);
  }

  @Test
  @Requirement("MASK-2")
  void shouldRefuseMaskedActionsOtherMasksAndNoChoiceAtAll() {
    CategoricalPolicy policy = new CategoricalPolicy(3);
    policy.set(new float[3], new float[0], new boolean[] {true, false, true}, 0);
    assertThatThrownBy(() -> policy.logProbability(new float[] {1}, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("choice 1 of 3 is masked, so it has no log-probability");
    assertThatThrownBy(() -> policy.divergenceFrom(new float[] {-1, -1, -1}, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("choice 1 of 3 is masked but was allowed in the stored distribution");
    assertThatThrownBy(() -> policy.set(new float[3], new float[0], new boolean[3], 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("all 3 choices are masked; allow at least one");
  }

  private static boolean[] mask(RandomStream random, int size) {
    boolean[] mask = new boolean[size];
    for (int k = 0; k < size; k++) {
      mask[k] = random.nextInt(2) == 0;
    }
    mask[random.nextInt(size)] = true;
    return mask;
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
