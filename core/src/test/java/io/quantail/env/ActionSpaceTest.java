package io.quantail.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("ENV-1")
class ActionSpaceTest {
  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 16777217})
  void shouldRejectDiscreteSpaceOutOfRange(int count) {
    assertThatThrownBy(() -> new ActionSpace.Discrete(count))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 to 16777216")
        .hasMessageContaining("given " + count);
  }

  @ParameterizedTest
  @CsvSource({"0,true", "2,true", "-0.0,true", "3,false", "-1,false", "0.5,false", "NaN,false"})
  void shouldAcceptOnlyWholeIndicesInRange(float value, boolean accepted) {
    assertThat(new ActionSpace.Discrete(3).accepts(new float[] {9, value}, 1)).isEqualTo(accepted);
  }

  @Test
  void shouldGiveTheIndexOfAnAction() {
    ActionSpace.Discrete space = new ActionSpace.Discrete(3);
    assertThat(space.size()).isEqualTo(1);
    assertThat(space.index(new float[] {2})).isEqualTo(2);
    assertThatThrownBy(() -> space.index(new float[] {3}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("action must be one whole number from 0 to 2, was [3.0]");
    assertThatThrownBy(() -> space.index(new float[] {1, 1}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({"1,1", "2,1", "NaN,1", "0,NaN", "-Infinity,0", "0,Infinity"})
  void shouldRejectBoundsThatAreNotFiniteAndOrdered(float low, float high) {
    assertThatThrownBy(() -> box(new float[] {-1, low}, new float[] {1, high}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("finite bounds with low < high")
        .hasMessageContaining("dimension 1 was given [" + low + ", " + high + "]");
  }

  @Test
  void shouldRejectBoundsOfDifferentOrNoLength() {
    assertThatThrownBy(() -> box(new float[2], new float[] {1}))
        .hasMessageContaining("was given 2 and 1");
    assertThatThrownBy(() -> box(new float[0], new float[0])).hasMessageContaining("at least one");
  }

  @Test
  void shouldAcceptValuesInsideTheBoundsInclusive() {
    ActionSpace space = box(new float[] {-1, 0}, new float[] {1, 2});
    assertThat(space.size()).isEqualTo(2);
    assertThat(space.accepts(new float[] {7, -1, 2}, 1)).isTrue();
    assertThat(space.accepts(new float[] {-1.001f, 2}, 0)).isFalse();
    assertThat(space.accepts(new float[] {-1, 2.001f}, 0)).isFalse();
    assertThat(space.accepts(new float[] {0, Float.NaN}, 0)).isFalse();
  }

  @Test
  void shouldCopyBoundsOnTheWayInAndOut() {
    float[] low = {-1};
    ActionSpace.Box space = box(low, new float[] {1});
    low[0] = -9;
    space.low()[0] = -9;
    space.high()[0] = 9;
    assertThat(space.low()).containsExactly(-1);
    assertThat(space.high()).containsExactly(1);
  }

  @Test
  void shouldCompareBoxesByValue() {
    ActionSpace space = box(new float[] {-1}, new float[] {1});
    assertThat(space)
        .isEqualTo(box(new float[] {-1}, new float[] {1}))
        .hasSameHashCodeAs(box(new float[] {-1}, new float[] {1}))
        .hasToString("Box[low=[-1.0], high=[1.0]]")
        .isNotEqualTo(box(new float[] {-2}, new float[] {1}))
        .isNotEqualTo(box(new float[] {-1}, new float[] {2}));
  }

  private static ActionSpace.Box box(float[] low, float[] high) {
    return new ActionSpace.Box(low, high);
  }
}
