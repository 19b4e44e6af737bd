package io.quantail.kernel;

import io.quantail.parallel.ParallelLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The affine map {@code y = x W^T + b} of rows x, with the gradients of W and b; the outputs of
 * several inputs are added.
 *
 * <p>Several maps may share weights and have gradients of their own. {@link #apply} is thread-safe;
 * gradients are for one thread at a time.
 */
public final class AffineMap {
  /** Fewer inputs than this would leave most of a tile of their gradient empty. */
  private static final int NARROW = 16;

  /** Multiplications in one chunk of a product: about ten microseconds. */
  private static final long CHUNK = 1 << 19;

  private final PackedWeights weights;
  private final float[] gradient;
  private final ParallelLoop loop;
  private boolean cleared; // the gradient counts as zero, its contents are stale

  /**
   * @param gradient of all numbers of the flat vector that the weights were read from
   * @param loop runs the chunks of large products
   */
  public AffineMap(PackedWeights weights, float[] gradient, ParallelLoop loop) {
    this.weights = weights;
    this.gradient = gradient;
    this.loop = loop;
  }

  public int outputs() {
    return weights.outputs();
  }

  /** Size of one of the inputs. */
  int inputs(int input) {
    return weights.inputs(input);
  }

  /** {@code y_i = x_i W^T + b}; several inputs are side by side in x. */
  public void apply(float[][] y, float[][] x, int rows) {
    PackedMatrix factor = weights.forward();
    if (rows <= chunkRows(factor)) {
      factor.product(y, weights.bias(), x, rows);
    } else {
      productInChunks(factor, y, weights.bias(), x, rows);
    }
  }

  /** The gradient of the only input, {@code dy_i W}. */
  public float[][] inputGradient(Workspace workspace, float[][] dy, int rows) {
    return inputGradient(workspace, 0, dy, rows);
  }

  /** The gradient of one of the inputs. */
  float[][] inputGradient(Workspace workspace, int input, float[][] dy, int rows) {
    float[][] dx = workspace.rows(rows, inputs(input));
    backward(input, dx, new float[inputs(input)], dy, rows);
    return dx;
  }

  /** Adds the gradient of the only input, {@code dx_i += dy_i W}. */
  public void addInputGradient(float[][] dx, float[][] dy, int rows) {
    addInputGradient(0, dx, dy, rows);
  }

  /** Adds the gradient of one of the inputs. */
  void addInputGradient(int input, float[][] dx, float[][] dy, int rows) {
    backward(input, dx, null, dy, rows);
  }

  private void backward(int input, float[][] dx, float @Nullable [] start, float[][] dy, int rows) {
    PackedMatrix factor = weights.backward(input);
    if (rows <= chunkRows(factor)) {
      factor.product(dx, start, dy, rows);
    } else {
      productInChunks(factor, dx, start, dy, rows);
    }
  }

  private void productInChunks(
      PackedMatrix factor, float[][] c, float @Nullable [] start, float[][] a, int rows) {
    int size = chunkRows(factor);
    loop.each(
        (rows + size - 1) / size,
        chunk -> {
          int from = chunk * size;
          int to = Math.min(rows, from + size);
          factor.product(
              Arrays.copyOfRange(c, from, to), start, Arrays.copyOfRange(a, from, to), to - from);
        });
  }

  /** Rows of one chunk of a product: whole tiles, and enough of them per reading of the map. */
  private static int chunkRows(PackedMatrix factor) {
    return (int) Math.max(2, CHUNK / (4 * factor.size())) * 4;
  }

  /**
   * Sets the gradients of weights and bias to zero. The zeros are written by the next {@link
   * #addGradient} or by {@link #settleGradient}, after which the gradients may be read.
   */
  public void clearGradient() {
    cleared = true;
  }

  /** Writes the zeros of {@link #clearGradient} if no gradient has been added since. */
  public void settleGradient() {
    if (cleared) {
      for (int input = 0; input < weights.inputCount(); input++) {
        weights.clearWeights(input, gradient);
      }
      weights.clearBias(gradient);
      cleared = false;
    }
  }

  /**
   * A product to add: {@code c[places_p + j] += sum_i a_i[p] b_i[j]} with some a.
   *
   * @param first whether c counts as zero
   */
  record Sum(float[] c, int[] places, float[][] b, boolean first) {}

  /** Adds the gradients of weights and bias, given the only input. */
  public void addGradient(Workspace workspace, float[][] dy, float[][] x, int rows) {
    addGradient(workspace, dy, Collections.singletonList(x), rows);
  }

  /** Adds the gradients of weights and bias, given each of the inputs. */
  void addGradient(Workspace workspace, float[][] dy, List<float[][]> x, int rows) {
    List<Sum> sums = new ArrayList<>();
    for (int input = 0; input < x.size(); input++) {
      if (inputs(input) < NARROW) {
        addNarrowGradient(workspace, dy, input, x.get(input), rows);
      } else {
        sums.add(new Sum(gradient, weights.places(input), x.get(input), cleared));
      }
    }
    if (!sums.isEmpty()) {
      addProducts(workspace, dy, rows, sums);
    }
    if (cleared) {
      weights.clearBias(gradient);
      cleared = false;
    }
    weights.addBiasGradient(gradient, sum(workspace, dy, rows));
  }

  /** Adds the gradient of a narrow input, transposed: one row per input instead of per output. */
  private void addNarrowGradient(
      Workspace workspace, float[][] dy, int input, float[][] x, int rows) {
    if (cleared) {
      weights.clearWeights(input, gradient);
    }
    int width = inputs(input);
    float[] byInput = new float[width * outputs()];
    int[] byOutput = weights.places(input);
    int[] places = new int[width];
    for (int i = 0; i < width; i++) {
      places[i] = i * outputs();
      for (int output = 0; output < outputs(); output++) {
        byInput[places[i] + output] = gradient[byOutput[output] + i];
      }
    }
    addProducts(workspace, x, rows, List.of(new Sum(byInput, places, dy, false)));
    for (int i = 0; i < width; i++) {
      for (int output = 0; output < outputs(); output++) {
        gradient[byOutput[output] + i] = byInput[places[i] + output];
      }
    }
  }

  private static float[] sum(Workspace workspace, float[][] rows, int count) {
    float[] sum = workspace.zeros(1, rows[0].length)[0];
    int row = 0;
    for (; row + 3 < count; row += 4) {
      FloatVectors.add(sum, rows[row], rows[row + 1], rows[row + 2], rows[row + 3]);
    }
    for (; row < count; row++) {
      FloatVectors.add(sum, rows[row]);
    }
    return sum;
  }

  private void addProducts(Workspace workspace, float[][] a, int rows, List<Sum> sums) {
    if (PackedMatrix.VECTORS) {
      ParallelLoop sharing = rows * weights.forward().size() <= CHUNK ? ParallelLoop.ALONE : loop;
      GradientProducts.add(workspace, sharing, a, rows, sums);
    } else {
      sums.forEach(sum -> MatrixProducts.addTransposedProduct(sum, a, rows));
    }
  }
}
