package io.quantail.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.parallel.ParallelLoop;
import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both layouts against plain loops, to the bit, with shapes that no tile fits. */
class PackedMatrixTest {
  private final RandomStream random = RandomStream.of(5, "factor", 0);

  @Test
  void shouldRunTheTestsWithVectorInstructions() {
    assertThat(PackedMatrix.VECTORS).as("surefire adds the module").isTrue();
  }

  @ParameterizedTest
  @CsvSource({"4, 2, 16", "1, 1, 1", "5, 3, 7", "2, 64, 33", "7, 9, 64", "8, 16, 256", "3, 5, 100"})
  void shouldSumInAscendingOrderInBothLayouts(int rows, int terms, int columns) {
    float[][] a = Samples.matrix(random, rows, terms);
    float[][] b = Samples.matrix(random, terms, columns);
    float[][] c = Samples.matrix(random, rows, columns);
    float[][] expected = new float[rows][columns];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        expected[i][j] = c[i][j];
        for (int p = 0; p < terms; p++) {
          expected[i][j] = Math.fma(a[i][p], b[p][j], expected[i][j]);
        }
      }
    }
    for (PackedMatrix factor :
        List.of(new PanelMatrix(terms, columns), new RowMatrix(terms, columns))) {
      factor.readTerms(FloatVectors.join(b, 0, columns), 0, 0, terms);
      assertThat(product(factor, c, a)).isDeepEqualTo(expected);
      factor.readColumns(FloatVectors.join(transposed(b), 0, terms), 0, 0, columns, 0, terms);
      assertThat(product(factor, c, a)).isDeepEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({"3, 2, 16, 5", "9, 64, 33, 1", "9, 64, 33, 21", "7, 5, 100, 18"})
  void shouldReadPartsInAnyOrder(int terms, int otherTerms, int columns, int cut) {
    int all = terms + otherTerms;
    float[][] b = Samples.matrix(random, all, columns);
    float[][] a = Samples.matrix(random, 6, all);
    float[][] c = new float[6][columns];
    float[] upper = FloatVectors.join(transposed(Arrays.copyOf(b, terms)), 0, terms);
    float[] lower = FloatVectors.join(transposed(Arrays.copyOfRange(b, terms, all)), 0, otherTerms);
    float[] flat = FloatVectors.join(b, 0, columns);
    for (PackedMatrix factor :
        List.of(new PanelMatrix(all, columns), new RowMatrix(all, columns))) {
      factor.readTerms(flat, 0, 0, all);
      float[][] expected = product(factor, c, a);
      factor.readTerms(new float[all * columns], 0, 0, all);
      factor.readColumns(lower, cut * otherTerms, cut, columns - cut, terms, otherTerms);
      factor.readColumns(upper, 0, 0, cut, 0, terms);
      factor.readColumns(lower, 0, 0, cut, terms, otherTerms);
      factor.readColumns(upper, cut * terms, cut, columns - cut, 0, terms);
      assertThat(product(factor, c, a)).isDeepEqualTo(expected);
      factor.readTerms(new float[all * columns], 0, 0, all);
      factor.readTerms(flat, terms * columns, terms, otherTerms);
      factor.readTerms(flat, 0, 0, terms);
      assertThat(product(factor, c, a)).isDeepEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({"4, 2, 16", "1, 1, 1", "5, 3, 7", "9, 64, 33"})
  void shouldBeginAllSumsWithTheSameNumbers(int rows, int terms, int columns) {
    float[][] a = Samples.matrix(random, rows, terms);
    float[] b = Samples.vector(random, terms * columns, 1);
    float[] start = Samples.vector(random, columns, 1);
    float[][] begun = new float[rows][];
    Arrays.fill(begun, start);
    for (PackedMatrix factor :
        List.of(new PanelMatrix(terms, columns), new RowMatrix(terms, columns))) {
      factor.readTerms(b, 0, 0, terms);
      float[][] c = Samples.matrix(random, rows, columns);
      factor.product(c, start, a, rows);
      assertThat(c).isDeepEqualTo(product(factor, begun, a));
    }
  }

  @ParameterizedTest
  @CsvSource({"4, 4, 16", "1, 1, 1", "5, 3, 7", "64, 2, 33", "9, 7, 64", "33, 8, 32"})
  void shouldSumTransposedInAscendingOrder(int rows, int terms, int columns) {
    float[][] a = Samples.matrix(random, rows, terms);
    float[][] b = Samples.matrix(random, rows, columns);
    float[][] c = Samples.matrix(random, terms, columns);
    float[] flat = FloatVectors.join(c, 0, columns);
    float[] twin = flat.clone();
    int[] places = places(terms, columns);
    float[][] z = Samples.matrix(random, rows, 2 * columns);
    float[][] other = Samples.matrix(random, terms, 2 * columns);
    float[] otherFlat = FloatVectors.join(other, 0, 2 * columns);
    int[] otherPlaces = places(terms, 2 * columns);
    GradientProducts.add(
        new Workspace(),
        ParallelLoop.ALONE,
        a,
        rows,
        List.of(
            new AffineMap.Sum(flat, places, b, false),
            new AffineMap.Sum(otherFlat, otherPlaces, z, false)));
    MatrixProducts.addTransposedProduct(c, a, b, rows);
    MatrixProducts.addTransposedProduct(other, a, z, rows);
    assertThat(flat).isEqualTo(FloatVectors.join(c, 0, columns));
    assertThat(otherFlat).isEqualTo(FloatVectors.join(other, 0, 2 * columns));
    MatrixProducts.addTransposedProduct(new AffineMap.Sum(twin, places, b, false), a, rows);
    assertThat(twin).isEqualTo(flat);
  }

  @ParameterizedTest
  @CsvSource({"4, 4, 16", "1, 1, 1", "9, 7, 64"})
  void shouldBeginTransposedSumsWithZero(int rows, int terms, int columns) {
    float[][] a = Samples.matrix(random, rows, terms);
    float[][] b = Samples.matrix(random, rows, columns);
    int[] places = places(terms, columns);
    float[][] c = new float[terms][columns];
    MatrixProducts.addTransposedProduct(c, a, b, rows);
    float[] panels = Samples.vector(random, terms * columns, 1);
    float[] loops = panels.clone();
    GradientProducts.add(
        new Workspace(),
        ParallelLoop.ALONE,
        a,
        rows,
        List.of(new AffineMap.Sum(panels, places, b, true)));
    MatrixProducts.addTransposedProduct(new AffineMap.Sum(loops, places, b, true), a, rows);
    assertThat(panels).isEqualTo(FloatVectors.join(c, 0, columns));
    assertThat(loops).isEqualTo(panels);
  }

  private static int[] places(int rows, int width) {
    return IntStream.range(0, rows).map(row -> row * width).toArray();
  }

  private static float[][] product(PackedMatrix factor, float[][] c, float[][] a) {
    float[][] result = copy(c);
    factor.product(result, null, a, a.length);
    return result;
  }

  private static float[][] copy(float[][] rows) {
    float[][] copy = new float[rows.length][];
    for (int row = 0; row < rows.length; row++) {
      copy[row] = rows[row].clone();
    }
    return copy;
  }

  private static float[][] transposed(float[][] b) {
    float[][] result = new float[b[0].length][b.length];
    for (int p = 0; p < b.length; p++) {
      for (int j = 0; j < b[p].length; j++) {
        result[j][p] = b[p][j];
      }
    }
    return result;
  }
}
