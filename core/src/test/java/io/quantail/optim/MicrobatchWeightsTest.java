package io.quantail.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

@Requirement("BATCH-1")
class MicrobatchWeightsTest {
  @Property(tries = 100)
  void shouldTurnMeansOfPartsIntoMeanOfWhole(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int parts) {
    RandomStream random = RandomStream.of(seed, "weights-test", 0);
    double[] counts = new double[parts];
    double[] means = new double[parts];
    double sum = 0;
    double size = 0;
    for (int part = 0; part < parts; part++) {
      counts[part] = 1 + random.nextInt(50);
      for (int sample = 0; sample < counts[part]; sample++) {
        double loss = random.nextGaussian();
        means[part] += loss / counts[part];
        sum += loss;
      }
      size += counts[part];
    }

    double accumulated = 0;
    for (int part = 0; part < parts; part++) {
      accumulated += MicrobatchWeights.of(counts)[part] * means[part];
    }

    assertThat(accumulated).isEqualTo(sum / size, within(1e-12));
  }

  @Test
  void shouldCorrectForSkippedMicrobatches() {
    double[] counts = {50, 30, 20};
    boolean[] used = {true, false, true};
    double[] weights = MicrobatchWeights.of(counts);

    double correction = MicrobatchWeights.correction(counts, used).getAsDouble();

    assertThat((weights[0] + weights[2]) * correction).isEqualTo(1, within(1e-12));
    assertThat(weights[0] * correction).isEqualTo(50.0 / 70, within(1e-12));
  }

  @Test
  void shouldHaveNoCorrectionWhenNothingWasUsed() {
    assertThat(MicrobatchWeights.correction(new double[] {5, 0}, new boolean[] {false, true}))
        .isEmpty();
  }

  @Test
  void shouldGiveNoWeightToGroupWithoutValidSamples() {
    assertThat(MicrobatchWeights.of(new double[2])).containsExactly(0, 0);
  }

  @Test
  void shouldRefuseImpossibleCounts() {
    for (double count : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> MicrobatchWeights.of(new double[] {1, count}))
          .hasMessageContaining("was " + count);
    }
    assertThatThrownBy(() -> MicrobatchWeights.correction(new double[2], new boolean[3]))
        .hasMessageContaining("2, but has 3");
  }
}
