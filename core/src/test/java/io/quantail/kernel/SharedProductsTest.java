package io.quantail.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.parallel.ParallelLoop;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whoever does the parts of a product, and in whatever order: the same bits. */
class SharedProductsTest {
  private static final int ROWS = 130; // not a multiple of anything
  private static final int INPUTS = 70;
  private static final int OUTPUTS = 260;

  private final List<Integer> partCounts = new ArrayList<>();
  private final ParallelLoop backwards =
      (parts, part) -> {
        partCounts.add(parts);
        IntStream.range(0, parts).map(i -> parts - 1 - i).parallel().forEach(part);
      };
  private final RandomStream random = RandomStream.of(21, "shared", 0);
  private final float[] parameters = Samples.vector(random, 2 * OUTPUTS * (INPUTS + 1), 0.3);
  private final float[][] x = Samples.matrix(random, ROWS, INPUTS);
  private final float[][] z = Samples.matrix(random, ROWS, INPUTS);
  private final float[][] both = Samples.matrix(random, ROWS, 2 * INPUTS);
  private final float[][] dy = Samples.matrix(random, ROWS, OUTPUTS);

  @Test
  void shouldGiveTheBitsOfOneThread() {
    Result alone = result(ParallelLoop.ALONE);
    Result shared = result(backwards);
    assertThat(shared.y).isDeepEqualTo(alone.y);
    assertThat(shared.dx).isDeepEqualTo(alone.dx);
    assertThat(shared.gradient).isEqualTo(alone.gradient);
    assertThat(partCounts).hasSizeGreaterThan(4).allMatch(parts -> parts > 1);
  }

  @Test
  void shouldNotShareSmallProducts() {
    affine(backwards, new float[parameters.length]).apply(new float[4][OUTPUTS], both, 4);
    assertThat(partCounts).isEmpty();
  }

  private record Result(float[][] y, float[][] dx, float[] gradient) {}

  private AffineMap affine(ParallelLoop loop, float[] gradient) {
    PackedWeights weights = Samples.joined(INPUTS, INPUTS, OUTPUTS);
    weights.read(parameters);
    return new AffineMap(weights, gradient, loop);
  }

  private Result result(ParallelLoop loop) {
    float[] gradient = new float[parameters.length];
    AffineMap map = affine(loop, gradient);
    float[][] y = new float[ROWS][OUTPUTS];
    map.apply(y, both, ROWS);
    float[][] dx = Arrays.stream(z).map(float[]::clone).toArray(float[][]::new);
    map.addInputGradient(1, dx, dy, ROWS);
    map.addGradient(new Workspace(), dy, List.of(x, z), ROWS);
    return new Result(y, dx, gradient);
  }
}
