package io.quantail.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

@Requirement("BATCH-1")
class SequenceSplitTest {
  @Test
  void shouldCutAtEpisodeStartsAndEnvironmentChanges() {
    SequenceBatch.Split split =
        SequenceBatch.Split.of(
            new boolean[] {false, false, true, false}, new boolean[] {false, false, false, true});

    assertThat(split.starts()).containsExactly(0, 2, 3);
    assertThat(split.lengths()).containsExactly(2, 1, 1);
    assertThat(split.count()).isEqualTo(3);
  }

  @Property(tries = 200)
  void shouldHaveEveryRowInOneSequence(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int rows) {
    RandomStream random = RandomStream.of(seed, "split-test", 0);
    boolean[] starts = flags(random, rows);
    boolean[] changes = flags(random, rows);

    SequenceBatch.Split split = SequenceBatch.Split.of(starts, changes);

    int next = 0;
    for (int sequence = 0; sequence < split.count(); sequence++) {
      assertThat(split.starts()[sequence]).isEqualTo(next);
      assertThat(split.lengths()[sequence]).isPositive();
      next += split.lengths()[sequence];
    }
    assertThat(next).isEqualTo(rows);
    for (int row = 1; row < rows; row++) {
      boolean cut = Arrays.binarySearch(split.starts(), row) >= 0;
      assertThat(cut).isEqualTo(starts[row] || changes[row]);
    }
  }

  @Test
  void shouldRefuseNothingToSplit() {
    assertThatThrownBy(() -> SequenceBatch.Split.of(new boolean[0], new boolean[0]))
        .hasMessageContaining("at least one row");
  }

  @Test
  void shouldRefuseFlagsOfDifferentLength() {
    assertThatThrownBy(() -> SequenceBatch.Split.of(new boolean[3], new boolean[2]))
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
