package io.quantail.kernel;

import java.util.Arrays;
import java.util.List;

/**
 * {@code y = x W^T + b} for rows x, with the gradients of W and b.
 *
 * <p>It may stand for several maps of the same input, whose outputs it lays side by side: one wide
 * product is faster than several narrow ones. The numbers are copies of parts of a flat parameter
 * vector, kept in the two layouts that the products want. Reading and gradients are for one thread
 * at a time; {@link #apply} may run in several.
 */
public final class Affine {

  /**
   * Where one of the maps lies in the flat vector.
   *
   * @param outputs number of outputs
   * @param weight offset of the weights, [output, input]
   * @param bias offset of the bias, or {@link #NONE}
   */
  public record Part(int outputs, int weight, int bias) {
    /** Stands for a map without bias. */
    public static final int NONE = -1;
  }

  /** Fewer inputs than this would leave most of a tile of their gradient empty. */
  private static final int NARROW = 16;

  /** Multiplications in a part of a product: some ten microseconds. */
  private static final long PART = 1 << 19;

  private final int inputs;
  private final List<Part> parts;
  private final float[][] weights; // [output][input]
  private final Factor forward; // [input][output]
  private final Factor backward; // [output][input]
  private final float[] bias;
  private final boolean narrow;
  private final Team team;
  private final float[][] gradient; // [output][input], or [input][output] if narrow
  private final float[] biasGradient;

  public Affine(int inputs, List<Part> parts) {
    this(inputs, parts, Team.ALONE);
  }

  /**
   * @param team does the parts of large products
   */
  public Affine(int inputs, List<Part> parts, Team team) {
    this.inputs = inputs;
    this.team = team;
    this.parts = List.copyOf(parts);
    int outputs = parts.stream().mapToInt(Part::outputs).sum();
    weights = new float[outputs][inputs];
    forward = Factor.of(inputs, outputs);
    backward = Factor.of(outputs, inputs);
    bias = new float[outputs];
    narrow = inputs < NARROW;
    gradient = narrow ? new float[inputs][outputs] : new float[outputs][inputs];
    biasGradient = new float[outputs];
  }

  public int inputs() {
    return inputs;
  }

  public int outputs() {
    return bias.length;
  }

  /** Copies the numbers of the flat parameter vector. */
  public void read(float[] parameters) {
    int first = 0;
    for (Part part : parts) {
      for (int output = 0; output < part.outputs(); output++) {
        int offset = part.weight() + output * inputs;
        System.arraycopy(parameters, offset, weights[first + output], 0, inputs);
      }
      if (part.bias() != Part.NONE) {
        System.arraycopy(parameters, part.bias(), bias, first, part.outputs());
      }
      first += part.outputs();
    }
    forward.setTransposed(weights);
    backward.set(weights);
  }

  /** {@code y_i = x_i W^T + b}. */
  public void apply(float[][] y, float[][] x, int rows) {
    for (int row = 0; row < rows; row++) {
      System.arraycopy(bias, 0, y[row], 0, bias.length);
    }
    addProduct(forward, y, x, rows);
  }

  /** {@code y_i = y_i + x_i W^T + b}. */
  void addTo(float[][] y, float[][] x, int rows) {
    for (int row = 0; row < rows; row++) {
      Vectors.add(y[row], bias);
    }
    addProduct(forward, y, x, rows);
  }

  /** Adds the gradient of the input, {@code dx_i += dy_i W}. */
  public void addInputGradient(float[][] dx, float[][] dy, int rows) {
    addProduct(backward, dx, dy, rows);
  }

  private void addProduct(Factor factor, float[][] c, float[][] a, int rows) {
    int share = sharedRows();
    if (rows <= share) {
      factor.addProduct(c, a, rows);
      return;
    }
    team.each(
        (rows + share - 1) / share,
        part -> {
          int from = part * share;
          int to = Math.min(rows, from + share);
          factor.addProduct(
              Arrays.copyOfRange(c, from, to), Arrays.copyOfRange(a, from, to), to - from);
        });
  }

  /** Rows that make up a part of a product: whole tiles, and enough to read the map once for. */
  private int sharedRows() {
    return (int) Math.max(2, PART / (4L * inputs * outputs())) * 4;
  }

  /** A product to add: {@code c_p += sum_i a_i[p] b_i} with some a. */
  record Sum(float[][] c, float[][] b) {}

  /** Adds the gradients of weights and bias. */
  public void addGradient(Workspace workspace, float[][] dy, float[][] x, int rows) {
    if (narrow) {
      addProducts(workspace, x, rows, List.of(new Sum(gradient, dy)));
    } else {
      addProducts(workspace, dy, rows, List.of(new Sum(gradient, x)));
    }
    for (int row = 0; row < rows; row++) {
      Vectors.add(biasGradient, dy[row]);
    }
  }

  /**
   * Adds the gradients of two maps, of inputs x and z, whose outputs were added to one y, always of
   * both: their biases have the same gradient.
   */
  static void addGradients(
      Workspace workspace,
      float[][] dy,
      Affine one,
      float[][] x,
      Affine other,
      float[][] z,
      int rows) {
    if (one.narrow || other.narrow) {
      one.addGradient(workspace, dy, x, rows);
      other.addGradient(workspace, dy, z, rows);
      return;
    }
    one.addProducts(
        workspace, dy, rows, List.of(new Sum(one.gradient, x), new Sum(other.gradient, z)));
    for (int row = 0; row < rows; row++) {
      Vectors.add(one.biasGradient, dy[row]);
    }
    System.arraycopy(one.biasGradient, 0, other.biasGradient, 0, one.biasGradient.length);
  }

  private void addProducts(Workspace workspace, float[][] a, int rows, List<Sum> sums) {
    if (Factor.VECTORS) {
      Team sharing = (long) rows * inputs * outputs() <= PART ? Team.ALONE : team;
      PanelFactor.addTransposedProducts(workspace, sharing, a, rows, sums);
    } else {
      sums.forEach(sum -> Products.addTransposedProduct(sum.c, a, sum.b, rows));
    }
  }

  /** Adds the gradients to a flat gradient vector and forgets them. */
  public void moveGradient(float[] flat) {
    int first = 0;
    for (Part part : parts) {
      for (int output = 0; output < part.outputs(); output++) {
        moveRow(first + output, flat, part.weight() + output * inputs);
      }
      if (part.bias() != Part.NONE) {
        for (int output = 0; output < part.outputs(); output++) {
          flat[part.bias() + output] += biasGradient[first + output];
        }
      }
      first += part.outputs();
    }
    for (float[] row : gradient) {
      Arrays.fill(row, 0);
    }
    Arrays.fill(biasGradient, 0);
  }

  private void moveRow(int output, float[] flat, int offset) {
    if (narrow) {
      for (int input = 0; input < inputs; input++) {
        flat[offset + input] += gradient[input][output];
      }
      return;
    }
    float[] row = gradient[output];
    for (int input = 0; input < inputs; input++) {
      flat[offset + input] += row[input];
    }
  }
}
