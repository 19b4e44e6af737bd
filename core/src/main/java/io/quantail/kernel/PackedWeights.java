package io.quantail.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The weights of an {@link AffineMap}: copies of parts of a flat parameter vector, in the layouts
 * of the forward and the backward products.
 *
 * <p>Several maps of the same input have their outputs side by side, and the outputs of several
 * inputs are added: one large product is faster than several small ones. In the forward product the
 * inputs are side by side in one row; in the backward product each has a matrix of its own.
 */
public final class PackedWeights {
  /** Outputs whose weights are copied together. */
  private static final int FEW = 16;

  /**
   * The location of one of the maps in the flat vector.
   *
   * @param outputs number of outputs
   * @param weight offset of the weights, [output, input]
   * @param bias offset of the bias, or {@link #NONE}
   */
  public record Part(int outputs, int weight, int bias) {
    /** Offset of a map without bias. */
    public static final int NONE = -1;
  }

  /**
   * One of the inputs.
   *
   * @param size number of its elements
   * @param parts its maps, by output
   */
  public record Input(int size, List<Part> parts) {
    private int outputs() {
      return parts.stream().mapToInt(Part::outputs).sum();
    }
  }

  /** Weights and offsets of one input. */
  private static final class Block {
    final int inputs;
    final List<Part> parts;
    final int firstTerm; // in a row of all inputs
    final int[] places; // of each output's weights in the flat vector
    final int[] biasPlaces; // of each output's bias, or NONE
    final PackedMatrix backward; // [output][input]

    Block(Input input, int firstTerm) {
      this.inputs = input.size;
      this.parts = input.parts;
      this.firstTerm = firstTerm;
      places = new int[input.outputs()];
      biasPlaces = new int[places.length];
      int output = 0;
      for (Part part : input.parts) {
        for (int i = 0; i < part.outputs(); i++, output++) {
          places[output] = part.weight() + i * inputs;
          biasPlaces[output] = part.bias() == Part.NONE ? Part.NONE : part.bias() + i;
        }
      }
      backward = PackedMatrix.of(places.length, inputs);
    }
  }

  private final List<Block> blocks = new ArrayList<>();
  private final PackedMatrix forward; // [input of all blocks][output]
  private final float[] bias;

  /** Maps of one input. */
  public PackedWeights(int inputs, List<Part> parts) {
    this(List.of(new Input(inputs, parts)));
  }

  /** Maps of several inputs with the same number of outputs. */
  public PackedWeights(List<Input> inputs) {
    int terms = 0;
    for (Input input : inputs) {
      blocks.add(new Block(input, terms));
      terms += input.size;
    }
    bias = new float[inputs.get(0).outputs()];
    forward = PackedMatrix.of(terms, bias.length);
  }

  /** Number of inputs. */
  int inputCount() {
    return blocks.size();
  }

  /** Size of one of the inputs. */
  int inputs(int input) {
    return blocks.get(input).inputs;
  }

  int outputs() {
    return bias.length;
  }

  /** Offsets of the weights of each output for one of the inputs. */
  int[] places(int input) {
    return blocks.get(input).places;
  }

  float[] bias() {
    return bias;
  }

  PackedMatrix forward() {
    return forward;
  }

  PackedMatrix backward(int input) {
    return blocks.get(input).backward;
  }

  /**
   * Consecutive outputs of one of the inputs, whose weights are contiguous in the flat vector.
   *
   * @param output the first output
   * @param count number of outputs
   * @param from offset of their weights in the flat vector
   * @param to end of their weights
   */
  public record Rows(int input, int output, int count, int from, int to) {}

  /**
   * All weights, in parts that can be copied by different threads.
   *
   * @param most largest size of a part, if that holds a few outputs
   */
  public List<Rows> rows(int most) {
    List<Rows> rows = new ArrayList<>();
    for (int input = 0; input < blocks.size(); input++) {
      Block block = blocks.get(input);
      int share = Math.max(1, most / block.inputs / FEW) * FEW;
      int output = 0;
      for (Part part : block.parts) {
        for (int i = 0; i < part.outputs(); i += share) {
          int count = Math.min(share, part.outputs() - i);
          int from = part.weight() + i * block.inputs;
          rows.add(new Rows(input, output + i, count, from, from + count * block.inputs));
        }
        output += part.outputs();
      }
    }
    return rows;
  }

  /** Copies the numbers of the flat parameter vector. */
  public void read(float[] flat) {
    rows(Integer.MAX_VALUE).forEach(rows -> read(flat, rows));
    readBias(flat);
  }

  /** Copies a part of the weights. */
  public void read(float[] flat, Rows rows) {
    Block block = blocks.get(rows.input);
    forward.readColumns(flat, rows.from, rows.output, rows.count, block.firstTerm, block.inputs);
    block.backward.readTerms(flat, rows.from, rows.output, rows.count);
  }

  /** Copies the biases, which are added where there are several inputs. */
  public void readBias(float[] flat) {
    Arrays.fill(bias, 0);
    for (Block block : blocks) {
      for (int output = 0; output < bias.length; output++) {
        if (block.biasPlaces[output] != Part.NONE) {
          bias[output] += flat[block.biasPlaces[output]];
        }
      }
    }
  }

  /** Sets the weights of one of the inputs in a flat vector to zero. */
  void clearWeights(int input, float[] flat) {
    Block block = blocks.get(input);
    for (int place : block.places) {
      Arrays.fill(flat, place, place + block.inputs, 0);
    }
  }

  /** Sets the bias in a flat vector to zero. */
  void clearBias(float[] flat) {
    for (Block block : blocks) {
      for (int place : block.biasPlaces) {
        if (place != Part.NONE) {
          flat[place] = 0;
        }
      }
    }
  }

  /** Adds the gradient of the bias to the flat gradient. */
  void addBiasGradient(float[] flat, float[] dBias) {
    for (Block block : blocks) {
      for (int output = 0; output < dBias.length; output++) {
        if (block.biasPlaces[output] != Part.NONE) {
          flat[block.biasPlaces[output]] += dBias[output];
        }
      }
    }
  }
}
