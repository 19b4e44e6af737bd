package io.quantail.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.kernel.FloatVectors;
import io.quantail.network.ParameterLayout.Linear;
import io.quantail.parallel.ParallelLoop;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParametersTest {
  private static Parameters small() {
    ParameterLayout builder = new ParameterLayout(1);
    builder.add("a.weight", WeightInitializer.constant(1), 2, 3);
    builder.add("a.bias", WeightInitializer.constant(2), 2);
    builder.add("b.weight", WeightInitializer.constant(3), 1);
    builder.add("a.late", WeightInitializer.constant(4), 1);
    return builder.build();
  }

  @Test
  void shouldLayParametersOutInTheOrderOfDeclaration() {
    Parameters parameters = small();
    assertThat(parameters.values()).containsExactly(1, 1, 1, 1, 1, 1, 2, 2, 3, 4);
    assertThat(parameters.slots())
        .extracting(Parameters.Slot::offset)
        .containsExactly(0L, 6L, 8L, 9L);
    assertThat(parameters.slots().get(0).dimensions()).containsExactly(2, 3);
  }

  @Test
  void shouldFindNeighboursByPrefix() {
    Parameters parameters = small();
    assertThat(parameters.range("b.")).isEqualTo(new Parameters.Range(8, 1));
    assertThat(parameters.range("a.bias").of(parameters.values())).containsExactly(2, 2);
  }

  @Test
  void shouldRefuseRangeThatIsNotInOnePiece() {
    Parameters parameters = small();
    assertThatThrownBy(() -> parameters.range("a."))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a.* are not neighbours");
    assertThatThrownBy(() -> parameters.range("c"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no parameter starts with c");
  }

  @Test
  void shouldShareNumbersButNotGradientsBetweenReplicas() {
    Parameters parameters = small();
    ParameterReplica first = parameters.replica();
    ParameterReplica second = parameters.replica();
    first.addGradient(1, new float[] {5, 6});
    first.addGradient(1, new float[] {0, 1});
    assertThat(first.gradient()).containsExactly(0, 0, 0, 0, 0, 0, 5, 7, 0, 0);
    assertThat(second.gradient()).containsOnly(0);
    first.clearGradient();
    assertThat(first.gradient()).containsOnly(0);

    parameters.change(values -> FloatVectors.scale(values, 10));
    assertThat(first.numbers(1)).containsExactly(20, 20);
    assertThat(second.numbers(2)).containsExactly(30);
  }

  @Test
  void shouldClearTheGradientsOfMapsAndOfAllOthers() {
    ParameterLayout builder = new ParameterLayout(1);
    int weight = builder.add("map.weight", WeightInitializer.constant(1), 2, 3);
    int bias = builder.add("map.bias", WeightInitializer.constant(2), 2);
    builder.add("alone", WeightInitializer.constant(3), 4);
    builder.affine(List.of(new Linear(weight, bias)));
    ParameterReplica replica = builder.build().replica();
    Arrays.fill(replica.gradient(), 7);
    replica.clearGradient();
    assertThat(replica.gradient()).containsOnly(0);
  }

  @Test
  void shouldHaveEveryNumberInOnePart() {
    Parameters parameters = large();
    int[] seen = new int[parameters.values().length];
    for (Parameters.Part part : parameters.parts()) {
      assertThat(part.from()).isGreaterThanOrEqualTo((int) part.slot().offset());
      assertThat(part.to()).isLessThanOrEqualTo((int) (part.slot().offset() + part.slot().count()));
      IntStream.range(part.from(), part.to()).forEach(i -> seen[i]++);
    }
    assertThat(seen).containsOnly(1);
    assertThat(parameters.parts().size()).isGreaterThan(parameters.slots().size());
  }

  @Test
  void shouldBringMapsUpToDateOnAWalk() {
    Parameters walked = large();
    Parameters changed = large();
    float[][] x = {new float[300]};
    Arrays.fill(x[0], 1);
    assertThat(outputs(walked, x)).isDeepEqualTo(outputs(changed, x));
    float[][] before = outputs(walked, x);
    ParallelLoop backwards =
        (parts, part) -> IntStream.range(0, parts).map(i -> parts - 1 - i).forEach(part);
    walked.change(
        backwards,
        (values, walk) ->
            walk.each(
                (from, to) -> {
                  for (int i = from; i < to; i++) {
                    values[i] = 2 * values[i] + 1;
                  }
                }));
    changed.change(
        values -> {
          for (int i = 0; i < values.length; i++) {
            values[i] = 2 * values[i] + 1;
          }
        });
    assertThat(walked.values()).isEqualTo(changed.values());
    assertThat(outputs(walked, x)).isDeepEqualTo(outputs(changed, x));
    assertThat(Arrays.deepEquals(outputs(walked, x), before)).isFalse();
    walked.change(
        ParallelLoop.ALONE, (values, walk) -> FloatVectors.scale(values, 0.5)); // goes its own way
    changed.change(values -> FloatVectors.scale(values, 0.5));
    assertThat(outputs(walked, x)).isDeepEqualTo(outputs(changed, x));
  }

  private static Parameters large() {
    ParameterLayout builder = new ParameterLayout(3);
    int one = builder.add("one.weight", WeightInitializer.orthogonal(1), 70, 100);
    int bias = builder.add("one.bias", WeightInitializer.constant(2), 70);
    int left = builder.add("left.weight", WeightInitializer.orthogonal(1), 33, 200);
    builder.add("alone", WeightInitializer.constant(3), 4);
    int right = builder.add("right.weight", WeightInitializer.orthogonal(1), 37, 200);
    builder.affineOf(
        List.of(
            List.of(new Linear(one, bias)),
            List.of(new Linear(left, Linear.NO_BIAS), new Linear(right, Linear.NO_BIAS))));
    return builder.build();
  }

  private static float[][] outputs(Parameters parameters, float[][] x) {
    ParameterReplica replica = parameters.replica();
    replica.refresh();
    float[][] y = new float[1][70];
    replica.affine(0).apply(y, x, 1);
    return y;
  }

  @Test
  void shouldRefuseNumbersOfAnotherNetwork() {
    Parameters parameters = small();
    float[] before = parameters.values().clone();
    assertThatThrownBy(() -> parameters.set(new float[9]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the network has 10 parameters, was given 9");
    assertThat(parameters.values()).isEqualTo(before);
  }

  @Test
  void shouldDrawEachParameterFromAStreamOfItsName() {
    ParameterLayout alone = new ParameterLayout(1);
    alone.add("x", WeightInitializer.orthogonal(1), 3, 3);
    ParameterLayout behind = new ParameterLayout(1);
    behind.add("y", WeightInitializer.orthogonal(1), 3, 3);
    behind.add("x", WeightInitializer.orthogonal(1), 3, 3);
    Parameters first = alone.build();
    Parameters second = behind.build();
    float[] expected = first.values();
    assertThat(second.range("x").of(second.values())).isEqualTo(expected);
    assertThat(second.range("y").of(second.values())).isNotEqualTo(expected);
  }
}
