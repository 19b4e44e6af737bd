package io.quantail.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.math.RunningMoments;
import io.quantail.model.ObservationNormalizer;
import io.quantail.model.ObservationNormalizerTest;
import io.quantail.testing.Requirement;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Apart from the other tests: two engines in one class would overwrite each other's report. */
@Requirement("NORM-1")
class NormalizerPropertyTest {
  /** The prior weighs as 0.0001 samples of mean 0 and variance 1; the rest is the plain sample. */
  @Property(tries = 200)
  void shouldAgreeWithBruteForceHoweverTheDataIsCut(
      @ForAll @Size(min = 2, max = 40) List<@DoubleRange(min = -50, max = 50) Double> data,
      @ForAll @IntRange(min = 1, max = 39) int cutAt) {
    int cut = Math.min(cutAt, data.size() - 1);
    RunningMoments moments = new RunningMoments(1);
    moments.merge(data::get, cut);
    moments.merge(i -> data.get(cut + i), data.size() - cut);

    double count = 1e-4 + data.size();
    double mean = data.stream().mapToDouble(value -> value).sum() / count;
    double secondMoment = (1e-4 + data.stream().mapToDouble(value -> value * value).sum()) / count;
    assertThat(moments.count()).isCloseTo(count, within(1e-9));
    assertThat(moments.mean(0)).isCloseTo(mean, within(1e-9));
    assertThat(moments.variance(0)).isCloseTo(secondMoment - mean * mean, within(1e-8));
  }

  @Property(tries = 100)
  void shouldBringItsOwnDataToMeanZeroAndVarianceOne(
      @ForAll @IntRange(min = -1000, max = 1000) int center,
      @ForAll @IntRange(min = 1, max = 100) int spread,
      @ForAll @IntRange(max = 1000) int seed) {
    ObservationNormalizer normalizer = new ObservationNormalizer(ObservationSpace.of(2), 10);
    float[] raw = ObservationNormalizerTest.sample(seed, 4000, center, spread);
    // Often, so that the prior (weight 0.0001) does not matter beside data far from zero.
    for (int i = 0; i < 50; i++) {
      normalizer.update(raw, 2000);
    }
    float[] out = new float[raw.length];
    normalizer.normalize(raw, 0, out, 0, 2000);
    for (int feature = 0; feature < 2; feature++) {
      double sum = 0;
      double squares = 0;
      for (int row = 0; row < 2000; row++) {
        double value = out[2 * row + feature];
        assertThat(Math.abs(value)).isLessThanOrEqualTo(10);
        sum += value;
        squares += value * value;
      }
      assertThat(sum / 2000).isCloseTo(0, within(1e-3));
      assertThat(squares / 2000).isCloseTo(1, within(2e-3));
    }
  }
}
