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

  /** Outputs that are transposed together, so that both matrices stay in the cache. */
  private static final int TILE = 16;

  private final int inputs;
  private final List<Part> parts;
  private final float[][] byInput; // [input][output]
  private final float[][] byOutput; // [output][input]
  private final float[] bias;
  private final float[][] gradient; // [input][output]
  private final float[] biasGradient;

  public Affine(int inputs, List<Part> parts) {
    this.inputs = inputs;
    this.parts = List.copyOf(parts);
    int outputs = parts.stream().mapToInt(Part::outputs).sum();
    byInput = new float[inputs][outputs];
    byOutput = new float[outputs][inputs];
    bias = new float[outputs];
    gradient = new float[inputs][outputs];
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
        System.arraycopy(parameters, offset, byOutput[first + output], 0, inputs);
      }
      if (part.bias() != Part.NONE) {
        System.arraycopy(parameters, part.bias(), bias, first, part.outputs());
      }
      first += part.outputs();
    }
    for (int from = 0; from < byOutput.length; from += TILE) {
      int to = Math.min(byOutput.length, from + TILE);
      for (int input = 0; input < inputs; input++) {
        for (int output = from; output < to; output++) {
          byInput[input][output] = byOutput[output][input];
        }
      }
    }
  }

  /** {@code y_i = x_i W^T + b}. */
  public void apply(float[][] y, float[][] x, int rows) {
    for (int row = 0; row < rows; row++) {
      System.arraycopy(bias, 0, y[row], 0, bias.length);
    }
    Products.addProduct(y, x, byInput, rows);
  }

  /** {@code y_i = y_i + x_i W^T + b}. */
  void addTo(float[][] y, float[][] x, int rows) {
    for (int row = 0; row < rows; row++) {
      Rows.add(y[row], bias);
    }
    Products.addProduct(y, x, byInput, rows);
  }

  /** Adds the gradient of the input, {@code dx_i += dy_i W}. */
  public void addInputGradient(float[][] dx, float[][] dy, int rows) {
    Products.addProduct(dx, dy, byOutput, rows);
  }

  /** Adds the gradients of weights and bias. */
  public void addGradient(float[][] dy, float[][] x, int rows) {
    Products.addTransposedProduct(gradient, x, dy, rows);
    for (int row = 0; row < rows; row++) {
      Rows.add(biasGradient, dy[row]);
    }
  }

  /** Adds the gradients to a flat gradient vector and forgets them. */
  public void moveGradient(float[] flat) {
    int first = 0;
    for (Part part : parts) {
      for (int from = 0; from < part.outputs(); from += TILE) {
        int to = Math.min(part.outputs(), from + TILE);
        for (int input = 0; input < inputs; input++) {
          float[] row = gradient[input];
          for (int output = from; output < to; output++) {
            flat[part.weight() + output * inputs + input] += row[first + output];
          }
        }
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
}
