package io.quantail.kernel;

import java.util.Arrays;
import java.util.List;

/**
 * {@code y = x W^T + b} for rows x, with the gradients of W and b.
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
  private final Team team;
  private boolean cleared; // the gradient counts as zero, whatever is there

  /**
   * @param gradient of all numbers of the flat vector that the weights were read from
   * @param team does the parts of large products
   */
  public Affine(Weights weights, float[] gradient, Team team) {
    this.weights = weights;
    this.gradient = gradient;
    this.team = team;
  }

  public int inputs() {
    return weights.inputs();
  }

  public int outputs() {
    return weights.outputs();
  }

  /** {@code y_i = x_i W^T + b}. */
  public void apply(float[][] y, float[][] x, int rows) {
    product(weights.forward(), y, weights.bias(), x, rows);
  }

  /** As {@link #apply}, with the bias of a map whose product will be added to y too. */
  void applyFor(Affine other, float[][] y, float[][] x, int rows) {
    float[] both = weights.bias().clone();
    Vectors.add(both, other.weights.bias());
    product(weights.forward(), y, both, x, rows);
  }

  /** {@code y_i += x_i W^T}. */
  void addTo(float[][] y, float[][] x, int rows) {
    product(weights.forward(), y, null, x, rows);
  }

  /** The gradient of the input, {@code dy_i W}. */
  public float[][] inputGradient(Workspace workspace, float[][] dy, int rows) {
    float[][] dx = workspace.rows(rows, inputs());
    product(weights.backward(), dx, new float[inputs()], dy, rows);
    return dx;
  }

  /** Adds the gradient of the input, {@code dx_i += dy_i W}. */
  public void addInputGradient(float[][] dx, float[][] dy, int rows) {
    product(weights.backward(), dx, null, dy, rows);
  }

  private void product(Factor factor, float[][] c, float[] start, float[][] a, int rows) {
    int share = sharedRows();
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
  private int sharedRows() {
    return (int) Math.max(2, PART / (4L * inputs() * outputs())) * 4;
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
      weights.clearWeights(gradient);
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

  /** Adds the gradients of weights and bias. */
  public void addGradient(Workspace workspace, float[][] dy, float[][] x, int rows) {
    if (inputs() < NARROW) {
      settleGradient();
      addNarrowGradient(workspace, dy, x, rows);
    } else {
      addProducts(workspace, dy, rows, List.of(next(x)));
    }
    weights.addBiasGradient(gradient, sum(workspace, dy, rows));
  }

  /** The sum that comes next to the gradient of the weights; that of the bias can be added to. */
  private Sum next(float[][] x) {
    Sum sum = new Sum(gradient, weights.places(), x, cleared);
    if (cleared) {
      weights.clearBias(gradient);
      cleared = false;
    }
    return sum;
  }

  /** By input instead of by output. */
  private void addNarrowGradient(Workspace workspace, float[][] dy, float[][] x, int rows) {
    float[] byInput = new float[inputs() * outputs()];
    int[] byOutput = weights.places();
    int[] places = new int[inputs()];
    for (int input = 0; input < inputs(); input++) {
      places[input] = input * outputs();
      for (int output = 0; output < outputs(); output++) {
        byInput[places[input] + output] = gradient[byOutput[output] + input];
      }
    }
    addProducts(workspace, x, rows, List.of(new Sum(byInput, places, dy, false)));
    for (int input = 0; input < inputs(); input++) {
      for (int output = 0; output < outputs(); output++) {
        gradient[byOutput[output] + input] = byInput[places[input] + output];
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

  /** Adds the gradients of two maps, of inputs x and z, whose outputs were added to one y. */
  static void addGradients(
      Workspace workspace,
      float[][] dy,
      Affine one,
      float[][] x,
      Affine other,
      float[][] z,
      int rows) {
    if (one.inputs() < NARROW || other.inputs() < NARROW) {
      one.addGradient(workspace, dy, x, rows);
      other.addGradient(workspace, dy, z, rows);
      return;
    }
    one.addProducts(workspace, dy, rows, List.of(one.next(x), other.next(z)));
    float[] dBias = sum(workspace, dy, rows);
    one.weights.addBiasGradient(one.gradient, dBias);
    other.weights.addBiasGradient(other.gradient, dBias);
  }

  private void addProducts(Workspace workspace, float[][] a, int rows, List<Sum> sums) {
    if (Factor.VECTORS) {
      Team sharing = (long) rows * inputs() * outputs() <= PART ? Team.ALONE : team;
      PanelSums.add(workspace, sharing, a, rows, sums);
    } else {
      sums.forEach(sum -> Products.addTransposedProduct(sum, a, rows));
    }
  }
}
