package io.quantail.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RandomStreamTest {
  private static final int DRAWS = 200_000;

  @Test
  void shouldGiveKnownAnswersOfRandom123() {
    assertThat(RandomStream.philox(0, 0, 0, 0))
        .containsExactly(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
    assertThat(RandomStream.philox(-1, -1, -1L, -1L))
        .containsExactly(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd);
    assertThat(
            RandomStream.philox(0x243f6a88, 0x85a308d3, 0x0370734413198a2eL, 0x299f31d0a4093822L))
        .containsExactly(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1);
  }

  @Test
  void shouldFillArraysWithTheNumbersThatItDrawsOneByOne() {
    for (int before = 0; before < 2; before++) {
      for (int size : new int[] {0, 1, 2, 7}) {
        RandomStream filled = RandomStream.restore(5, 3, before);
        RandomStream drawn = RandomStream.restore(5, 3, before);
        double[] values = new double[size];
        filled.nextDoubles(values);
        for (double value : values) {
          assertThat(value).isEqualTo(drawn.nextDouble());
        }
        assertThat(filled.position()).isEqualTo(before + size);
        assertThat(filled.nextDouble()).isEqualTo(drawn.nextDouble());
      }
    }
  }

  @Test
  void shouldReadCounterBlocksInOrder() {
    RandomStream stream = RandomStream.restore(0, 0, 0);

    assertThat(stream.nextLong()).isEqualTo(0xe169c58d6627e8d5L);
    assertThat(stream.nextLong()).isEqualTo(0x9b00dbd8bc57ac4cL);
    int[] second = RandomStream.philox(1, 0, 0, 0);
    assertThat((int) stream.nextLong()).isEqualTo(second[0]);
  }

  @Test
  void shouldBeUniform() {
    RandomStream stream = RandomStream.of(1, "uniform", 0);
    int[] cells = new int[100];
    for (int i = 0; i < DRAWS; i++) {
      cells[(int) (stream.nextDouble() * 100)]++;
    }

    // Chi-square with 99 degrees of freedom: mean 99, deviation 14.
    double expected = DRAWS / 100.0;
    double chiSquare =
        Arrays.stream(cells).mapToDouble(c -> (c - expected) * (c - expected) / expected).sum();
    assertThat(chiSquare).isBetween(43.0, 169.0);
  }

  @Test
  void shouldHaveGaussianMoments() {
    RandomStream stream = RandomStream.of(2, "gaussian", 0);
    double[] sums = new double[5];
    for (int i = 0; i < DRAWS; i++) {
      double value = stream.nextGaussian();
      for (int power = 1; power <= 4; power++) {
        sums[power] += Math.pow(value, power) / DRAWS;
      }
    }

    // Five standard errors of each moment.
    assertThat(sums[1]).isEqualTo(0, within(5 * Math.sqrt(1.0 / DRAWS)));
    assertThat(sums[2]).isEqualTo(1, within(5 * Math.sqrt(2.0 / DRAWS)));
    assertThat(sums[3]).isEqualTo(0, within(5 * Math.sqrt(15.0 / DRAWS)));
    assertThat(sums[4]).isEqualTo(3, within(5 * Math.sqrt(96.0 / DRAWS)));
  }

  /** Libraries that draw from a {@link RandomGenerator} get the numbers of our own methods. */
  @Test
  void shouldGiveTheSameNumbersAsARandomGenerator() {
    RandomStream stream = RandomStream.of(5, "generator", 0);
    RandomGenerator generator = RandomStream.of(5, "generator", 0);
    assertThat(generator.nextLong()).isEqualTo(stream.nextLong());
    assertThat(generator.nextDouble()).isEqualTo(stream.nextDouble());
    assertThat(generator.nextDouble(-3, 4)).isEqualTo(stream.nextDouble(-3, 4));
    assertThat(generator.nextInt(1000)).isEqualTo(stream.nextInt(1000));
    assertThat(generator.nextGaussian()).isEqualTo(stream.nextGaussian());
    assertThat(generator.doubles(3).toArray())
        .containsExactly(stream.nextDouble(), stream.nextDouble(), stream.nextDouble());
  }

  @Test
  void shouldBeIndependentAcrossSeedPurposeAndIndex() {
    RandomStream[] streams = {
      RandomStream.of(7, "action", 0),
      RandomStream.of(8, "action", 0),
      RandomStream.of(7, "reset", 0),
      RandomStream.of(7, "action", 1)
    };
    double[][] draws = new double[streams.length][10_000];
    for (int s = 0; s < streams.length; s++) {
      RandomStream stream = streams[s];
      Arrays.setAll(draws[s], i -> stream.nextGaussian());
    }

    for (int left = 0; left < streams.length; left++) {
      for (int right = 0; right < left; right++) {
        double[] a = draws[left];
        double[] b = draws[right];
        double correlation =
            IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).sum() / a.length;
        assertThat(correlation).as("%d and %d", left, right).isEqualTo(0, within(0.05));
      }
    }
  }

  @Test
  void shouldNotDependOnOrderInWhichStreamsAreRead() {
    RandomStream first = RandomStream.of(3, "x", 0);
    long alone = RandomStream.of(3, "x", 1).nextLong();
    first.nextLong();

    assertThat(RandomStream.of(3, "x", 1).nextLong()).isEqualTo(alone);
  }

  @Property(tries = 50)
  void shouldGoOnAfterRestoreAsIfNeverStopped(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 20) int drawn) {
    RandomStream stream = RandomStream.of(seed, "restore", 5);
    for (int i = 0; i < drawn; i++) {
      stream.nextLong();
    }
    RandomStream restored =
        RandomStream.restore(stream.key(), stream.substream(), stream.position());

    for (int i = 0; i < 10; i++) {
      assertThat(restored.nextLong()).isEqualTo(stream.nextLong());
    }
    assertThat(restored.position()).isEqualTo(drawn + 10L);
  }

  @Property(tries = 50)
  void shouldDrawIntegersBelowBound(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 7) int bound) {
    RandomStream stream = RandomStream.of(seed, "integers", 0);
    Set<Integer> drawn = new HashSet<>();
    for (int i = 0; i < 300; i++) {
      drawn.add(stream.nextInt(bound));
    }

    assertThat(drawn).hasSize(bound).allMatch(value -> value >= 0 && value < bound);
  }

  @Test
  void shouldRefuseBoundBelowOne() {
    RandomStream stream = RandomStream.of(1, "integers", 0);

    assertThatThrownBy(() -> stream.nextInt(0)).hasMessageContaining("was 0");
  }

  @Test
  void shouldDrawDoublesInsideTheirRange() {
    RandomStream stream = RandomStream.of(1, "range", 0);

    for (int i = 0; i < 1_000; i++) {
      assertThat(stream.nextDouble(-3, 2)).isGreaterThanOrEqualTo(-3).isLessThan(2);
    }
  }

  @Test
  void shouldPermuteUniformly() {
    int[] counts = new int[6];
    RandomStream stream = RandomStream.of(4, "permutation", 0);
    for (int i = 0; i < 60_000; i++) {
      int[] order = stream.permutation(3);
      assertThat(order).containsExactlyInAnyOrder(0, 1, 2);
      counts[order[0] * 2 + (order[1] > order[2] ? 1 : 0)]++;
    }

    // Binomial with mean 10,000 and deviation 91.
    for (int count : counts) {
      assertThat(count).isBetween(9_540, 10_460);
    }
  }
}
