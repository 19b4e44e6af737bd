package io.quantail.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

@Requirement("BATCH-1")
class SequenceSplitTest {
  @Test
  void shouldCutAtEpisodeStartsAndEnvironmentChanges() {
    SequenceSplit split =
        SequenceSplit.of(
            new boolean[] {false, false, true, false}, new boolean[] {false, false, false, true});

    assertThat(split.starts()).containsExactly(0, 2, 3);
    assertThat(split.lengths()).containsExactly(2, 1, 1);
    assertThat(split.count()).isEqualTo(3);
    assertThat(split.longest()).isEqualTo(2);
    assertThat(split.rowIndex()).containsExactly(0, 1, 2, -1, 3, -1);
    assertThat(split.mask()).containsExactly(true, true, true, false, true, false);
  }

  @Property(tries = 200)
  void shouldPlaceEveryRowOnceInOrder(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int rows) {
    RandomStream random = RandomStream.of(seed, "split-test", 0);
    boolean[] starts = flags(random, rows);
    boolean[] changes = flags(random, rows);

    SequenceSplit split = SequenceSplit.of(starts, changes);

    assertThat(Arrays.stream(split.rowIndex()).filter(row -> row != SequenceSplit.PADDING))
        .containsExactlyElementsOf(IntStream.range(0, rows).boxed().toList());
    for (int row = 1; row < rows; row++) {
      boolean cut = Arrays.binarySearch(split.starts(), row) >= 0;
      assertThat(cut).isEqualTo(starts[row] || changes[row]);
    }
  }

  @Test
  void shouldRefuseNothingToSplit() {
    assertThatThrownBy(() -> SequenceSplit.of(new boolean[0], new boolean[0]))
        .hasMessageContaining("at least one row");
  }

  @Test
  void shouldRefuseFlagsOfDifferentLength() {
    assertThatThrownBy(() -> SequenceSplit.of(new boolean[3], new boolean[2]))
        .hasMessageContaining("3 and 2");
  }

  private static boolean[] flags(RandomStream random, int size) {
    boolean[] flags = new boolean[size];
    for (int i = 0; i < size; i++) {
      flags[i] = random.nextDouble() < 0.2;
    }
    return flags;
  }
}
