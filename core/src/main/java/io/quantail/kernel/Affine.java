package io.quantail.kernel;

import io.quantail.parallel.ParallelLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * {@code y = x W^T + b} for rows x, with the gradients of W and b; there may be several inputs,
 * whose outputs are added.
 *
 * <p>Several may have the same weights and gradients of their own. Gradients are for one thread at
 * a time; {@link #apply} may run in several.
 */
public final class Affine {
  /** Fewer inputs than this would leave most of a tile of their gradient empty. */
  private static final int NARROW = 16;

  /** Multiplications in a part of a product: some ten microseconds. */
  private static final long PART = 1 << 19;

  private final Weights weights;
  private final float[] gradient;
  private final ParallelLoop team;
  private boolean cleared; // the gradient counts as zero, whatever is there

  /**
   * @param gradient of all numbers of the flat vector that the weights were read from
   * @param team does the parts of large products
   */
  public Affine(Weights weights, float[] gradient, ParallelLoop team) {
    this.weights = weights;
    this.gradient = gradient;
    this.team = team;
  }

  public int outputs() {
    return weights.outputs();
  }

  /** How many numbers one of the inputs has. */
  int inputs(int input) {
    return weights.inputs(input);
  }

  /** {@code y_i = x_i W^T + b}; several inputs lie side by side in x. */
  public void apply(float[][] y, float[][] x, int rows) {
    product(weights.forward(), y, weights.bias(), x, rows);
  }

  /** The gradient of the only input, {@code dy_i W}. */
  public float[][] inputGradient(Workspace workspace, float[][] dy, int rows) {
    return inputGradient(workspace, 0, dy, rows);
  }

  /** The gradient of one of the inputs. */
  float[][] inputGradient(Workspace workspace, int input, float[][] dy, int rows) {
    float[][] dx = workspace.rows(rows, inputs(input));
    product(weights.backward(input), dx, new float[inputs(input)], dy, rows);
    return dx;
  }

  /** Adds the gradient of the only input, {@code dx_i += dy_i W}. */
  public void addInputGradient(float[][] dx, float[][] dy, int rows) {
    addInputGradient(0, dx, dy, rows);
  }

  /** Adds the gradient of one of the inputs. */
  void addInputGradient(int input, float[][] dx, float[][] dy, int rows) {
    product(weights.backward(input), dx, null, dy, rows);
  }

  private void product(Factor factor, float[][] c, float[] start, float[][] a, int rows) {
    int share = sharedRows(factor);
    if (rows <= share) {
      factor.product(c, start, a, rows);
      return;
    }
    team.each(
        (rows + share - 1) / share,
        part -> {
          int from = part * share;
          int to = Math.min(rows, from + share);
          factor.product(
              Arrays.copyOfRange(c, from, to), start, Arrays.copyOfRange(a, from, to), to - from);
        });
  }

  /** Rows that make up a part of a product: whole tiles, and enough to read the map once for. */
  private static int sharedRows(Factor factor) {
    return (int) Math.max(2, PART / (4 * factor.size())) * 4;
  }

  /**
   * Lets the gradients of weights and bias begin with zero: what comes next is written and not
   * added. Others may read them after {@link #settleGradient}.
   */
  public void clearGradient() {
    cleared = true;
  }

  /** Writes zeros where nothing has come since the gradients were cleared. */
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

  /** By input instead of by output. */
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
      Vectors.add(sum, rows[row], rows[row + 1], rows[row + 2], rows[row + 3]);
    }
    for (; row < count; row++) {
      Vectors.add(sum, rows[row]);
    }
    return sum;
  }

  private void addProducts(Workspace workspace, float[][] a, int rows, List<Sum> sums) {
    if (Factor.VECTORS) {
      ParallelLoop sharing = rows * weights.forward().size() <= PART ? ParallelLoop.ALONE : team;
      PanelSums.add(workspace, sharing, a, rows, sums);
    } else {
      sums.forEach(sum -> Products.addTransposedProduct(sum, a, rows));
    }
  }
}
