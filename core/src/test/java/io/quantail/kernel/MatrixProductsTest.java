package io.quantail.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.random.RandomStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against plain loops, to the bit; the widest does not fit the cache in one block. */
class MatrixProductsTest {
  private final RandomStream random = RandomStream.of(3, "products", 0);

  @ParameterizedTest
  @CsvSource({
    "4, 2, 8",
    "1, 1, 1",
    "5, 3, 7",
    "2, 64, 33",
    "7, 9, 64",
    "6, 21, 4096",
    "3, 5, 40000"
  })
  void shouldSumInAscendingOrder(int rows, int inner, int width) {
    float[][] a = Samples.matrix(random, rows, inner);
    float[][] b = Samples.matrix(random, inner, width);
    float[][] c = Samples.matrix(random, rows, width);
    float[][] expected = new float[rows][width];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < width; j++) {
        expected[i][j] = c[i][j];
        for (int p = 0; p < inner; p++) {
          expected[i][j] = Math.fma(a[i][p], b[p][j], expected[i][j]);
        }
      }
    }
    MatrixProducts.addProduct(c, a, b, rows);
    assertThat(c).isDeepEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "4, 2, 8",
    "1, 1, 1",
    "5, 3, 7",
    "64, 2, 33",
    "9, 7, 64",
    "21, 6, 4096",
    "5, 3, 40000"
  })
  void shouldSumTransposedInAscendingOrder(int rows, int inner, int width) {
    float[][] a = Samples.matrix(random, rows, inner);
    float[][] b = Samples.matrix(random, rows, width);
    float[][] c = Samples.matrix(random, inner, width);
    float[][] expected = new float[inner][width];
    for (int p = 0; p < inner; p++) {
      for (int j = 0; j < width; j++) {
        expected[p][j] = c[p][j];
        for (int i = 0; i < rows; i++) {
          expected[p][j] = Math.fma(a[i][p], b[i][j], expected[p][j]);
        }
      }
    }
    MatrixProducts.addTransposedProduct(c, a, b, rows);
    assertThat(c).isDeepEqualTo(expected);
  }
}
