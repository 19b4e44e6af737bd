package io.quantail.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.List;
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

  @Test
  void shouldMakeSpacesByFactories() {
    assertThat(ActionSpace.discrete(3)).isEqualTo(new ActionSpace.Discrete(3));
    assertThat(ActionSpace.box(-1, 2)).isEqualTo(box(new float[] {-1}, new float[] {2}));
    assertThat(ActionSpace.box(new float[] {0, 1}, new float[] {2, 3}).size()).isEqualTo(2);
    assertThat(ActionSpace.multiDiscrete(2, 5).parts())
        .containsExactly(ActionSpace.discrete(2), ActionSpace.discrete(5));
  }

  @Test
  void shouldPutThePartsOfAProductOneAfterTheOther() {
    ActionSpace space = MIXED;
    assertThat(space.size()).isEqualTo(4);
    assertThat(space.maskSize()).isEqualTo(5);
    assertThat(space.parts()).hasSize(3);
    assertThat(ActionSpace.discrete(3).parts()).containsExactly(ActionSpace.discrete(3));
    assertThat(space.accepts(new float[] {9, 2, 0.5f, -3, 1}, 1)).isTrue();
    assertThat(space.accepts(new float[] {3, 0.5f, -3, 1}, 0)).isFalse();
    assertThat(space.accepts(new float[] {2, 1.5f, -3, 1}, 0)).isFalse();
    assertThat(space.accepts(new float[] {2, 0.5f, -3, 2}, 0)).isFalse();
  }

  @Test
  void shouldRefuseProductsWithoutPartsAndOfProducts() {
    assertThatThrownBy(ActionSpace::product)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one part");
    assertThatThrownBy(() -> ActionSpace.product(ActionSpace.discrete(2), MIXED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "part 1 of a product of action spaces is a product itself; list its parts instead");
  }

  @Test
  @Requirement("MASK-1")
  void shouldTellWhetherAMaskAllowsAnAction() {
    boolean[] masks = {false, true, false, true, true, false};
    assertThat(MIXED.allows(masks, 1, new float[] {0, 0, 0, 0}, 0)).isTrue();
    assertThat(MIXED.allows(masks, 1, new float[] {1, 0, 0, 0}, 0)).isFalse();
    assertThat(MIXED.allows(masks, 1, new float[] {0, 0, 0, 1}, 0)).isFalse();
    assertThat(MIXED.allows(new boolean[0], 0, new float[] {1, 0, 0, 1}, 0)).isTrue();
    assertThat(MIXED.partWithoutChoice(masks, 1)).isEqualTo(-1);
    assertThat(MIXED.partWithoutChoice(new boolean[] {true, false, false, false, false}, 0))
        .isEqualTo(2);
    assertThat(MIXED.partWithoutChoice(new boolean[] {false, false, false, true, false}, 0))
        .isEqualTo(0);
  }

  @Test
  @Requirement("MASK-1")
  void shouldDrawOnlyAllowedActionsAndAllOfThem() {
    boolean[] mask = {true, false, true, false, true};
    RandomStream random = RandomStream.of(1, "draws", 0);
    int[] first = new int[3];
    for (int draw = 0; draw < 1000; draw++) {
      float[] action = MIXED.sample(random, mask);
      assertThat(MIXED.accepts(action, 0) && MIXED.allows(mask, 0, action, 0)).isTrue();
      first[(int) action[0]]++;
    }
    assertThat(first[0]).isBetween(400, 600);
    assertThat(first[1]).isZero();
    assertThat(MIXED.sample(RandomStream.of(1, "draws", 0)))
        .isEqualTo(
            MIXED.sample(
                RandomStream.of(1, "draws", 0), new boolean[] {true, true, true, true, true}));
  }

  private static final ActionSpace MIXED =
      new ActionSpace.Product(
          List.of(
              ActionSpace.discrete(3),
              ActionSpace.box(new float[] {0, -4}, new float[] {1, 0}),
              ActionSpace.discrete(2)));

  private static ActionSpace.Box box(float[] low, float[] high) {
    return new ActionSpace.Box(low, high);
  }
}
