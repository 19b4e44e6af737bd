package io.quantail.network;

import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import io.quantail.kernel.SequencePacking;
import io.quantail.kernel.Workspace;
import io.quantail.random.RandomStream;
import java.util.Arrays;

/** A network with two critics, random observations and a loss in which each output counts. */
final class SmallNetwork {
  static final int FEATURES = 4;
  static final int POINTS = 4;
  static final int OUTPUTS = POINTS + 1; // with the mean head
  private static final int CRITICS = 2;

  /**
   * What is built.
   *
   * @param width units of the memory; the vector loops want a multiple of eight
   * @param headUnits units of the layers behind it, or null for as many
   */
  record Shape(
      NetworkConfig.Memory memory, int layers, boolean shared, int width, Integer headUnits) {}

  final ActorCritic structure;
  final Parameters parameters;
  final ParameterReplica replica;
  final float[][] observations;
  private final SequencePacking packing;
  private final int sequences;

  SmallNetwork(Shape shape, ActionSpace space, int[] lengths) {
    this(shape, space, lengths, NetworkConfig.Exploration.GAUSSIAN);
  }

  SmallNetwork(
      Shape shape, ActionSpace space, int[] lengths, NetworkConfig.Exploration exploration) {
    ParameterLayout builder = new ParameterLayout(4);
    NetworkConfig config =
        new NetworkConfig(
            shape.memory,
            shape.width,
            shape.layers,
            2,
            shape.headUnits,
            shape.shared,
            NetworkConfig.Activation.SILU,
            NetworkConfig.Squash.AUTO,
            0.2,
            1.5,
            exploration,
            -1);
    structure =
        new ActorCritic(
            builder,
            config,
            new ActorCritic.Interface(FEATURES, space, CRITICS, new double[POINTS], true));
    parameters = builder.build();
    replica = parameters.replica();
    int[] starts = new int[lengths.length];
    for (int i = 1; i < starts.length; i++) {
      starts[i] = starts[i - 1] + lengths[i - 1];
    }
    sequences = lengths.length;
    packing = new SequencePacking(starts, lengths);
    observations = random(Arrays.stream(lengths).sum());
  }

  static float[][] random(int rows) {
    RandomStream random = RandomStream.of(9, "observations", 0);
    float[][] values = new float[rows][FEATURES];
    for (float[] row : values) {
      for (int i = 0; i < FEATURES; i++) {
        row[i] = (float) random.nextGaussian();
      }
    }
    return values;
  }

  /** From a state that is not zero, so that the recurrent weights count from the start. */
  SequenceInput sequences() {
    RecurrentState state = structure.initialState(sequences);
    int number = 0;
    for (int slot = 0; slot < state.hidden().length; slot++) {
      for (int sequence = 0; sequence < sequences; sequence++) {
        for (int i = 0; i < structure.width(); i++, number++) {
          state.hidden()[slot][sequence][i] = (float) (0.5 * Math.sin(0.7 * number));
          state.cell()[slot][sequence][i] = (float) Math.cos(1.9 * number);
        }
      }
    }
    return new SequenceInput(observations, state, packing);
  }

  NetworkPass evaluate() {
    return structure.evaluate(new Workspace(), replica, sequences());
  }

  NetworkPass evaluatePolicy() {
    return structure.evaluatePolicy(new Workspace(), replica, sequences());
  }

  /** A weight for each output of a head. */
  static float[][] weights(float[][] outputs, double slope, double size) {
    float[][] weights = new float[outputs.length][outputs[0].length];
    for (int row = 0; row < weights.length; row++) {
      for (int i = 0; i < weights[row].length; i++) {
        weights[row][i] = (float) (size * Math.sin(1 + slope * (row * weights[row].length + i)));
      }
    }
    return weights;
  }

  static double weighed(float[][] outputs, float[][] weights) {
    double sum = 0;
    for (int row = 0; row < outputs.length; row++) {
      for (int i = 0; i < outputs[row].length; i++) {
        sum += (double) outputs[row][i] * weights[row][i];
      }
    }
    return sum;
  }
}
