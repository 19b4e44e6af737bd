package io.quantail.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The numbers of an {@link Affine} map: copies of parts of a flat parameter vector, in the two
 * layouts that products want.
 *
 * <p>It may stand for several maps of the same input, whose outputs it lays side by side, and for
 * several inputs, whose outputs are added: one large product is faster than several small ones. On
 * the way forward the inputs lie side by side in one row; on the way back each is on its own.
 */
public final class Weights {
  /** Outputs whose weights are copied together. */
  private static final int FEW = 16;

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

  /**
   * One of the inputs.
   *
   * @param size how many numbers it has
   * @param parts the maps of it, by output
   */
  public record Input(int size, List<Part> parts) {
    private int outputs() {
      return parts.stream().mapToInt(Part::outputs).sum();
    }
  }

  /** What belongs to one input. */
  private static final class Block {
    final int inputs;
    final List<Part> parts;
    final int firstTerm; // in a row of all inputs
    final int[] places; // of each output's weights in the flat vector
    final int[] biasPlaces; // of each output's bias, or NONE
    final Factor backward; // [output][input]

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
      backward = Factor.of(places.length, inputs);
    }
  }

  private final List<Block> blocks = new ArrayList<>();
  private final Factor forward; // [input of all blocks][output]
  private final float[] bias;

  /** Maps of one input. */
  public Weights(int inputs, List<Part> parts) {
    this(List.of(new Input(inputs, parts)));
  }

  /** Maps of several inputs, all of which have as many outputs. */
  public Weights(List<Input> inputs) {
    int terms = 0;
    for (Input input : inputs) {
      blocks.add(new Block(input, terms));
      terms += input.size;
    }
    bias = new float[inputs.get(0).outputs()];
    forward = Factor.of(terms, bias.length);
  }

  /** How many inputs there are. */
  int inputCount() {
    return blocks.size();
  }

  /** How many numbers one of the inputs has. */
  int inputs(int input) {
    return blocks.get(input).inputs;
  }

  int outputs() {
    return bias.length;
  }

  /** Where the weights of each output for one of the inputs begin. */
  int[] places(int input) {
    return blocks.get(input).places;
  }

  float[] bias() {
    return bias;
  }

  Factor forward() {
    return forward;
  }

  Factor backward(int input) {
    return blocks.get(input).backward;
  }

  /**
   * The weights of some outputs for one of the inputs, which lie one behind the other in the flat
   * vector.
   *
   * @param output the first of the outputs
   * @param count how many outputs
   * @param from where they begin in the flat vector
   * @param to where they end
   */
  public record Rows(int input, int output, int count, int from, int to) {}

  /**
   * All weights, in parts that can be copied by different threads.
   *
   * @param most numbers in a part, if that is enough for a few outputs
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

  /** Makes the numbers of the weights for one of the inputs in a flat vector zero. */
  void clearWeights(int input, float[] flat) {
    Block block = blocks.get(input);
    for (int place : block.places) {
      Arrays.fill(flat, place, place + block.inputs, 0);
    }
  }

  /** Makes the numbers of the bias in a flat vector zero. */
  void clearBias(float[] flat) {
    for (Block block : blocks) {
      for (int place : block.biasPlaces) {
        if (place != Part.NONE) {
          flat[place] = 0;
        }
      }
    }
  }

  /** Adds a gradient of the bias to that of all numbers. */
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
