package io.quantail.market.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.market.data.DataException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CombinatorialSplitterTest {
  @Test
  void shouldKeepTrainingBarsAwayFromTheTest() {
    int bars = 211;
    int purge = 4;
    int embargo = 13;
    for (PurgedSplit split : CombinatorialSplitter.splits(bars, 6, 2, purge, embargo)) {
      for (int t = 0; t < bars; t++) {
        int bar = t;
        boolean near =
            split.test().stream()
                .anyMatch(test -> bar >= test.from() - purge && bar < test.to() + embargo);
        assertThat(split.train().stream().anyMatch(range -> range.contains(bar)))
            .as("bar %d of the split %s", bar, split.testGroups())
            .isEqualTo(!near);
      }
    }
  }

  @Test
  void shouldTestEveryGroupOnceInEveryPath() {
    List<List<Integer>> choices = CombinatorialSplitter.choices(7, 3);
    int[][] paths = CombinatorialSplitter.paths(7, 3);
    assertThat(choices).hasSize(35);
    assertThat(paths).hasDimensions(15, 7);
    for (int[] path : paths) {
      for (int group = 0; group < 7; group++) {
        assertThat(choices.get(path[group])).contains(group);
      }
    }
    for (int group = 0; group < 7; group++) {
      int tested = group;
      assertThat(Arrays.stream(paths).mapToInt(path -> path[tested]).distinct().count())
          .isEqualTo(15);
    }
  }

  @Test
  void shouldRefuseImpossibleSplits() {
    assertThatThrownBy(() -> CombinatorialSplitter.choices(4, 4))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("4 of 4");
    assertThatThrownBy(() -> CombinatorialSplitter.choices(30, 15))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("more than 10000 splits");
    assertThatThrownBy(() -> CombinatorialSplitter.requireEmbargo(19, 20))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("at least the longest window of a feature, 20 bars")
        .hasMessageContaining("was 19");
    CombinatorialSplitter.requireEmbargo(20, 20);
  }
}
