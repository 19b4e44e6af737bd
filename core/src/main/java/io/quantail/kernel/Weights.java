package io.quantail.kernel;

import java.util.Arrays;
import java.util.List;

/**
 * The numbers of an {@link Affine} map: copies of parts of a flat parameter vector, in the two
 * layouts that products want.
 *
 * <p>It may stand for several maps of the same input, whose outputs it lays side by side: one wide
 * product is faster than several narrow ones.
 */
public final class Weights {

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

  private final int inputs;
  private final int[] places; // of each output's weights in the flat vector
  private final int[] biasPlaces; // of each output's bias, or NONE
  private final Factor forward; // [input][output]
  private final Factor backward; // [output][input]
  private final float[] bias;

  public Weights(int inputs, List<Part> parts) {
    this.inputs = inputs;
    int outputs = parts.stream().mapToInt(Part::outputs).sum();
    places = new int[outputs];
    biasPlaces = new int[outputs];
    Arrays.fill(biasPlaces, Part.NONE);
    int output = 0;
    for (Part part : parts) {
      for (int i = 0; i < part.outputs(); i++, output++) {
        places[output] = part.weight() + i * inputs;
        if (part.bias() != Part.NONE) {
          biasPlaces[output] = part.bias() + i;
        }
      }
    }
    forward = Factor.of(inputs, outputs);
    backward = Factor.of(outputs, inputs);
    bias = new float[outputs];
  }

  int inputs() {
    return inputs;
  }

  int outputs() {
    return bias.length;
  }

  int[] places() {
    return places;
  }

  float[] bias() {
    return bias;
  }

  Factor forward() {
    return forward;
  }

  Factor backward() {
    return backward;
  }

  /** Copies the numbers of the flat parameter vector. */
  public void read(float[] flat) {
    readForward(flat);
    readBackward(flat);
  }

  /** Copies what the way from input to output needs. */
  public void readForward(float[] flat) {
    forward.readTransposed(flat, places);
    for (int output = 0; output < bias.length; output++) {
      if (biasPlaces[output] != Part.NONE) {
        bias[output] = flat[biasPlaces[output]];
      }
    }
  }

  /** Copies what the way back needs. */
  public void readBackward(float[] flat) {
    backward.read(flat, places);
  }

  /** Makes the numbers of the weights in a flat vector zero. */
  void clearWeights(float[] flat) {
    for (int place : places) {
      Arrays.fill(flat, place, place + inputs, 0);
    }
  }

  /** Makes the numbers of the bias in a flat vector zero. */
  void clearBias(float[] flat) {
    for (int place : biasPlaces) {
      if (place != Part.NONE) {
        flat[place] = 0;
      }
    }
  }

  /** Adds a gradient of the bias to that of all numbers. */
  void addBiasGradient(float[] flat, float[] dBias) {
    for (int output = 0; output < dBias.length; output++) {
      if (biasPlaces[output] != Part.NONE) {
        flat[biasPlaces[output]] += dBias[output];
      }
    }
  }
}
